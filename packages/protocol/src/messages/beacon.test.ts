import { expect, it } from 'vitest'
import type { VerifyText } from '../accelerated/ecdsa.ts'
import { addressOf, signText, verifyText } from '../ecdsa.ts'
import { sha256Hex } from '../hashing.ts'
import { microblockHash } from '../microblock.ts'
import { signingHash, type Transaction } from '../transaction.ts'
import { toAmount } from '../values/amount.ts'
import type { Hash } from '../values/hash.ts'
import { parsePrivateKey } from '../values/private-key.ts'
import type { Signature } from '../values/signature.ts'
import { ZERO_TOKEN_ID } from '../values/token-id.ts'
import { type Beacon, checkBeacon } from './beacon.ts'
import { formatBeacon } from './gateway-words.ts'
import { parseServerMessage } from './server-message.ts'

const payer = parsePrivateKey(sha256Hex('payer'))
const address = addressOf(payer)

function payment(nonce: number): Transaction {
  const fields = {
    amount: toAmount(1_000_000_000n),
    data: '',
    from: address,
    nonce,
    tokenId: ZERO_TOKEN_ID,
    to: address,
  }
  return { ...fields, signature: signText(signingHash(fields), payer) }
}

function beaconOf(...transactions: readonly Transaction[]): Beacon {
  const content = { keyBlockHash: sha256Hex('key block'), publisher: address, nonce: 1, transactions }
  const text = formatBeacon({ leaderId: '1', microblockHash: microblockHash(content), content })
  const message = parseServerMessage(text)
  if (message.kind !== 'beacon') throw new Error(message.kind)
  return message.beacon
}

const countingVerifier = () => {
  const asked: string[] = []
  const verify: VerifyText = (question) => {
    asked.push(question.signature)
    return verifyText(question)
  }
  return { asked, verify }
}

it('verifies a payment that waits through several beacons once', () => {
  const { asked, verify } = countingVerifier()
  const verified = new Set<Hash>()
  const [first, second] = [payment(1), payment(2)]
  for (const beacon of [beaconOf(first), beaconOf(first, second), beaconOf(second, first)]) {
    expect(checkBeacon(beacon, { address, verify, verified })).toMatchObject({ ok: true })
  }
  expect(asked).toEqual([first.signature, second.signature])
})

it('verifies every payment of every beacon where nothing is remembered', () => {
  const { asked, verify } = countingVerifier()
  const beacon = beaconOf(payment(1), payment(2))
  checkBeacon(beacon, { address, verify })
  checkBeacon(beacon, { address, verify })
  expect(asked).toHaveLength(4)
})

it('refuses a payment again and again, and one that resembles a verified one in all but its signature', () => {
  const verified = new Set<Hash>()
  const good = payment(1)
  checkBeacon(beaconOf(good), { address, verified })
  const forged = { ...good, signature: payment(2).signature as Signature }
  for (const beacon of [beaconOf(forged), beaconOf(good, forged), beaconOf(forged)]) {
    expect(checkBeacon(beacon, { address, verified })).toMatchObject({
      refusal: 'transactionSignatureNotValid',
    })
  }
  expect(verified.size).toBe(1)
})
