import { createHash } from 'node:crypto'
import { bench, describe } from 'vitest'
import { addressOf, signText } from './ecdsa.ts'
import { pureSha256Hex, sha256Hex } from './hashing.ts'
import { type Transaction, transactionHash } from './transaction.ts'
import { toAmount } from './values/amount.ts'
import { parsePrivateKey } from './values/private-key.ts'
import { ZERO_TOKEN_ID } from './values/token-id.ts'

/** CPU time of this process in ms, as in RELIABILITY P-3. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const options = { now: cpuMs, time: 1000, warmupTime: 300 }

const text = 'a'.repeat(66)
const key = parsePrivateKey(sha256Hex('bench key'))
const address = addressOf(key)
const transaction: Transaction = {
  amount: toAmount(123_456_789n),
  data: 'memo',
  from: address,
  nonce: 987_654_321,
  tokenId: ZERO_TOKEN_ID,
  to: address,
  signature: signText('text', key),
}

describe('SHA-256 of an address, in CPU time', () => {
  bench('one-shot OpenSSL, the default on Node', () => void sha256Hex(text), options)
  bench('plain JavaScript, as in browsers', () => void pureSha256Hex(text), options)
  bench('createHash', () => void createHash('sha256').update(text).digest('hex'), options)
})

describe('P-3: the hash of a transaction (8 hashes), in CPU time', () => {
  bench('transactionHash', () => void transactionHash(transaction), options)

  const { amount, data, from, nonce, signature, tokenId, to } = transaction
  const texts = [String(amount), data, from, String(nonce), signature, tokenId, to]
  const inJavaScript = () => pureSha256Hex(texts.map((field) => pureSha256Hex(field.toLowerCase())).join(''))
  bench('the same in plain JavaScript, as in browsers', () => void inJavaScript(), options)
})
