import * as secp256k1 from '@noble/secp256k1'
import { afterAll, bench, describe } from 'vitest'
import { findAcceleratedEcdsa } from './accelerated/find-accelerated-ecdsa.ts'
import { addressOf, defaultEcdsa, signText, verifyText, verifyTextPurely } from './ecdsa.ts'
import { sha256Hex } from './hashing.ts'
import { parsePrivateKey } from './values/private-key.ts'

/**
 * CPU time of this process in ms, as in RELIABILITY P-1 and P-2. Less sensitive to a busy machine than elapsed time.
 */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const options = { now: cpuMs, time: 1500, warmupTime: 300 }

const key = parsePrivateKey(sha256Hex('bench key'))
const text = sha256Hex('bench text')
const address = addressOf(key)
const signature = signText(text, key)
const question = { text, signature, address }
const candidates = [
  defaultEcdsa,
  await findAcceleratedEcdsa({ packages: ['secp256k1'] }),
  await findAcceleratedEcdsa({ packages: ['tiny-secp256k1'] }),
].flatMap((ecdsa) => ecdsa ?? [])

// A contestant with a wrong answer does not count.
afterAll(() => {
  if (!candidates.every((ecdsa) => ecdsa.signText(text, key) === signature && ecdsa.verifyText(question))) {
    throw new Error('an implementation gives another answer')
  }
})

describe('P-1: signing one hash, in CPU time', () => {
  const bytes = new TextEncoder().encode(text)
  const keyBytes = Uint8Array.from(Buffer.from(key, 'hex'))
  bench('@noble/secp256k1 alone', () => void secp256k1.sign(bytes, keyBytes), options)
  for (const ecdsa of candidates) bench(ecdsa.name, () => void ecdsa.signText(text, key), options)
})

describe('P-2: verifying one signature, in CPU time', () => {
  bench('plain JavaScript, as in browsers', () => void verifyTextPurely(question), options)
  bench('OpenSSL, the default on Node', () => void verifyText(question), options)
  for (const ecdsa of candidates.slice(1)) {
    bench(ecdsa.name, () => void ecdsa.verifyText(question), options)
  }
})

describe('opening an account, in CPU time', () => {
  for (const ecdsa of candidates) bench(ecdsa.name, () => void ecdsa.addressOf(key), options)
})
