import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOf, signText } from '../ecdsa.ts'
import { microblockHash } from '../microblock.ts'
import { signingHash, type Transaction } from '../transaction.ts'
import { toAmount } from '../values/amount.ts'
import { parseHash } from '../values/hash.ts'
import { parsePrivateKey } from '../values/private-key.ts'
import { ZERO_TOKEN_ID } from '../values/token-id.ts'
import { beaconHash, checkBeacon } from './beacon.ts'
import { parseClientMessage } from './client-message.ts'
import { formatBeacon, formatPeer, formatRefusal, formatShortPeer } from './gateway-words.ts'
import { FRAME_LIMIT_BYTES, parseServerMessage } from './server-message.ts'

const key = parsePrivateKey('11'.repeat(32))
const address = addressOf(key)
const sender = parsePrivateKey('22'.repeat(32))

function transactionOf(nonce: number): Transaction {
  const fields = {
    amount: toAmount(5n),
    data: '',
    from: addressOf(sender),
    nonce,
    tokenId: ZERO_TOKEN_ID,
    to: address,
  }
  return { ...fields, signature: signText(signingHash(fields), sender) }
}

function beaconText(transactions: readonly Transaction[]): string {
  const content = { keyBlockHash: parseHash('ab'.repeat(32)), publisher: address, nonce: 1, transactions }
  return formatBeacon({ leaderId: '1', microblockHash: microblockHash(content), content })
}

const read = (text: string) => {
  const message = parseServerMessage(text)
  if (message.kind !== 'beacon') throw new Error(`read as ${message.kind}`)
  return message.beacon
}

describe('parseServerMessage', () => {
  it('reads what a gateway writes', () => {
    expect(checkBeacon(read(beaconText([transactionOf(1), transactionOf(2)])), { address }).ok).toBe(true)
    expect(parseServerMessage(formatRefusal('ERR_X'))).toEqual({ kind: 'error', code: 'ERR_X' })
    expect(parseServerMessage(formatPeer({ host: '10.0.0.1', port: 3000 }))).toEqual({
      kind: 'peer',
      host: '10.0.0.1',
      port: 3000,
    })
  })

  it('reads what a boot node writes, with and without version and method', () => {
    const peer = { kind: 'peer', host: '192.0.2.7', port: 3000 }
    const data = '{"ip":"192.0.2.7","port":"3000"}'
    expect(parseServerMessage(formatShortPeer({ host: '192.0.2.7', port: 3000 }))).toEqual(peer)
    for (const start of ['', '"method":"peer",', '"ver":4,', '"ver":4,"method":"peer",'])
      expect(parseServerMessage(`{${start}"data":${data}}`)).toEqual(peer)
    for (const start of ['"ver":3,', '"ver":"4",', '"ver":null,', '"method":"hail",', '"method":7,'])
      expect(parseServerMessage(`{${start}"data":${data}}`).kind).toBe('malformed')
    for (const bad of ['{"data":{}}', '{"data":[]}', '{"data":null}', '{}', '{"data":{"ip":"a b","port":1}}'])
      expect(parseServerMessage(bad).kind).toBe('malformed')
    for (const port of ['0', '65536', '"1e99999"', '-1', '3.5'])
      expect(parseServerMessage(`{"data":{"ip":"192.0.2.7","port":${port}}}`).kind).toBe('malformed')
  })

  it('takes what is no JSON object for a fault of the gateway, and an unknown method for none', () => {
    for (const text of ['', 'null', '[]', '{"ver":4', '['.repeat(5000), '1'.repeat(100_000)])
      expect(parseServerMessage(text).kind).toBe('malformed')
    expect(parseServerMessage('{"ver":4,"method":"new_in_version_5"}').kind).toBe('ignored')
  })

  it('reads the largest beacon of the public networks with twice as many transactions, each character escaped', () => {
    const transactions = Array.from({ length: 100 }, (_, nonce) => ({
      ...transactionOf(nonce),
      data: '\u0001'.repeat(512),
    }))
    const text = beaconText(transactions)
    expect(text.length).toBeGreaterThan(300_000)
    expect(text.length).toBeLessThan(FRAME_LIMIT_BYTES)
    expect(read(text).content.transactions).toHaveLength(100)
  })

  it('P-5: reads a beacon of a thousand ordinary payments', () => {
    const payment = transactionOf(1)
    const transactions = Array.from({ length: 1_000 }, (_, nonce) => ({ ...payment, nonce }))
    const text = beaconText(transactions)
    expect(text.length).toBeLessThan(FRAME_LIMIT_BYTES)
    expect(read(text).content.transactions).toHaveLength(1_000)
  })

  it('G-11: reads no beacon of many more transactions than a thousand, however short they are', () => {
    const [begin = '', end = ''] = beaconText([]).split('[]')
    const beaconOf = (count: number): string => `${begin}[${Array(count).fill('{}').join()}]${end}`
    const message = parseServerMessage(beaconOf(100_000))
    expect(message.kind === 'malformed' && message.reason).toContain('too many values')
  })

  it('knows the number 4 in its other form', () => {
    const text = formatPeer({ host: 'x', port: 1 }).replace('"ver":4', '"ver":4.0')
    expect(parseServerMessage(text).kind).toBe('peer')
  })

  it.each([
    'null',
    '[]',
    '5',
    '{}',
    '{"ver":4,"method":"on_leader_beacon"}',
    '{"ver":4,"method":"on_leader_beacon","data":null}',
    '{"ver":4,"method":"on_leader_beacon","data":{"mblock_data":{"txs":5}}}',
    '{"ver":4,"method":"on_leader_beacon","data":{"leader_id":1,"m_hash":"00","mblock_data":{"txs":[null]}}}',
    '{"ver":4,"method":"__proto__","data":{}}',
    '{"ver":4,"method":"peer","data":{"ip":"a b","port":1}}',
    '{"ver":4,"method":"peer","data":{"ip":"x","port":70000}}',
    '{"ver":4,"err":{}}',
    '{"ver":"4","method":"peer","data":{"ip":"x","port":1}}',
    '['.repeat(5000),
  ])('takes %j for nothing to act on', (text) => {
    expect(['ignored', 'malformed']).toContain(parseServerMessage(text).kind)
  })

  it('never throws and never offers a beacon to sign when a byte of it was changed', () => {
    const text = beaconText([transactionOf(7)])
    fc.assert(
      fc.property(
        fc.nat(text.length - 1),
        fc.constantFrom(...'0123456789abcdefgz{}[]",:-'),
        (at, character) => {
          const changed = text.slice(0, at) + character + text.slice(at + 1)
          if (changed === text) return
          const message = parseServerMessage(changed)
          if (message.kind !== 'beacon') return
          const check = checkBeacon(message.beacon, { address })
          // The hash does not cover the leader's id and the names of unknown members.
          if (check.ok) expect(beaconHash(message.beacon)).toBe(beaconHash(read(text)))
        },
      ),
      { numRuns: 1500 },
    )
  })
})

describe('checkBeacon', () => {
  const refusalOf = (text: string, mine = address) => {
    const check = checkBeacon(read(text), { address: mine })
    return check.ok ? 'signed' : check.refusal
  }

  it('names the reason of a refusal', () => {
    const text = beaconText([transactionOf(1)])
    expect(refusalOf(text, addressOf(sender))).toBe('addressedToAnotherPublisher')
    expect(refusalOf(beaconText([]))).toBe('noTransactions')
    expect(refusalOf(text.replace('"amount":"5"', '"amount":"6"'))).toBe('statedTransactionHashDiffers')
    expect(refusalOf(text.replace(/"m_hash":"../, '"m_hash":"zz'.replace('zz', '00')))).toBe(
      'microblockHashDiffers',
    )
    const forged = { ...transactionOf(1), signature: transactionOf(2).signature }
    expect(refusalOf(beaconText([forged]))).toBe('transactionSignatureNotValid')
  })
})

describe('parseClientMessage', () => {
  it('never throws, whatever a stranger sends', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        expect(['hail', 'publish', 'other', 'nonsense']).toContain(parseClientMessage(text).kind)
      }),
      { numRuns: 1000 },
    )
  })
})
