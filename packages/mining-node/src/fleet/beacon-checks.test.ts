import {
  addressOf,
  type Beacon,
  checkBeacon,
  parsePrivateKey,
  parseServerMessage,
  sha256Hex,
  verifyText,
} from '@hailstone/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeBeacon, signedPayment } from '../../test/beacons.ts'
import type { BeaconVerdict } from '../session/beacon-verdict.ts'
import { createBeaconReader } from './beacon-reader.ts'
import { createBeaconVerifier } from './beacon-verifier.ts'
import type { VerifyMany } from './transaction-checks.ts'

const addressFor = (number: number) => addressOf(parsePrivateKey(sha256Hex(`miner ${number}`)))
const payments = Array.from({ length: 4 }, (_, at) => signedPayment(at))
const verify: VerifyMany = async (questions) => questions.map(verifyText)

const beaconFor = (number: number, transactions = payments): string =>
  makeBeacon({ publisher: addressFor(number), nonce: 1, transactions }).text

const read = (text: string): Beacon => {
  const message = parseServerMessage(text)
  if (message.kind !== 'beacon') throw new Error(`read as ${message.kind}`)
  return message.beacon
}

const decide = (verifier: ReturnType<typeof createBeaconVerifier>, beacon: Beacon, number: number) =>
  new Promise<BeaconVerdict>((resolve) =>
    verifier.offer({ address: addressFor(number), take: () => beacon, onChecked: resolve }),
  )

describe('the beacons of a fleet', () => {
  it('are hashed and verified once, however many nodes they reach (L4)', async () => {
    const verifier = createBeaconVerifier({ verify })
    const reader = createBeaconReader()
    const checks = await Promise.all(
      Array.from({ length: 200 }, (_, number) => {
        const message = reader.read(beaconFor(number))
        return message.kind === 'beacon' && decide(verifier, message.beacon, number)
      }),
    )
    expect(checks.every((check) => check !== false && check.ok)).toBe(true)
    expect(verifier.counts()).toEqual({ checked: 200, transactionsHashed: 4, signaturesVerified: 4 })
    expect(reader.counts()).toEqual({ frames: 200, sharedFrames: 199 })
  })

  it('are judged as the protocol judges them, whatever is wrong with them', async () => {
    const verifier = createBeaconVerifier({ verify })
    const reader = createBeaconReader()
    const whole = beaconFor(0)
    reader.read(whole)
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.constantFrom('0', '1', 'a', 'f', '"', ']', '[', ',', '\\', ''),
        fc.nat(1),
        async (at, put, number) => {
          const text = whole.slice(0, at) + put + whole.slice(at + 1)
          const message = parseServerMessage(text)
          expect(reader.read(text)).toEqual(message)
          if (message.kind !== 'beacon') return
          const expected = checkBeacon(message.beacon, { address: addressFor(number) })
          expect(await decide(verifier, message.beacon, number)).toEqual(expected)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('are refused one by one when a signature is wrong, and the rest goes on', async () => {
    const verifier = createBeaconVerifier({ verify })
    const [good, other] = [payments[0], payments[1]]
    if (good === undefined || other === undefined) throw new Error('no payments')
    const forged = { ...good, signature: other.signature }
    const answers = await Promise.all([
      decide(verifier, read(beaconFor(1, [forged])), 1),
      decide(verifier, read(beaconFor(2, [good])), 2),
      decide(verifier, read(beaconFor(3, [])), 3),
      decide(verifier, read(beaconFor(3, [good])), 4),
    ])
    expect(answers.map((answer) => (answer.ok ? 'ok' : answer.refusal))).toEqual([
      'transactionSignatureNotValid',
      'ok',
      'noTransactions',
      'addressedToAnotherPublisher',
    ])
  })

  it('are asked about again when nobody could verify them', async () => {
    let isBroken = true
    const verifier = createBeaconVerifier({
      verify: async (questions) => {
        if (isBroken) throw new Error('the worker is gone')
        return verify(questions)
      },
    })
    expect(await decide(verifier, read(beaconFor(1)), 1)).toMatchObject({ ok: false })
    isBroken = false
    expect(await decide(verifier, read(beaconFor(2)), 2)).toMatchObject({ ok: true })
  })

  it('are dropped when the node has a newer one', async () => {
    const verifier = createBeaconVerifier({ verify })
    const seen: string[] = []
    verifier.offer({ address: addressFor(1), take: () => null, onChecked: () => seen.push('old') })
    expect((await decide(verifier, read(beaconFor(1)), 1)).ok).toBe(true)
    expect(seen).toEqual([])
    expect(verifier.counts().checked).toBe(1)
  })
})

describe('frames with a list that was read before', () => {
  const reader = createBeaconReader()
  const frame = (publisher: number, list: string) =>
    beaconFor(publisher).replace(/"txs":\[.*\],"publisher"/, `"txs":${list},"publisher"`)
  const listOf = (text: string) => /"txs":(\[.*\]),"publisher"/.exec(text)?.[1] ?? ''

  it.each([
    [
      'a second list of that name',
      (text: string) => text.replace('"data":{', `"data":{"txs":${listOf(text)},`),
    ],
    ['an escaped name', (text: string) => text.replace('"txs":', '"\\u0074xs":')],
    ['a blank before the list', (text: string) => text.replace('"txs":', '"txs": ')],
    [
      'the list inside a text',
      (text: string) => text.replace('"ver":4', `"ver":4,"x":${JSON.stringify(text)}`),
    ],
    ['another list', () => frame(7, '[]')],
    ['a list that goes on', (text: string) => text.replace('],"publisher"', ',{}],"publisher"')],
  ])('are read as the protocol reads them: %s', (_name, change) => {
    const text = beaconFor(7)
    for (const given of [text, change(text), text]) {
      expect(reader.read(given)).toEqual(parseServerMessage(given))
    }
  })

  it('cannot be made to stand for other transactions by a frame that hides its own list', () => {
    const fresh = createBeaconReader()
    const honest = beaconFor(1)
    const hidden = beaconFor(1, payments.slice(0, 1))
      .replace('"txs":', '"\\u0074xs":')
      .replace('"data":{', `"data":{"decoy":{"txs":${listOf(honest)}},`)
    fresh.read(hidden)
    expect(fresh.read(honest)).toEqual(parseServerMessage(honest))
  })
})
