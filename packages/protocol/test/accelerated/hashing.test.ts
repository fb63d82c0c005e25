import { createHash, createHmac } from 'node:crypto'
import { hmacHex, sha256Hex } from '@hailstone/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeCrypto } from '../../src/accelerated/node-crypto.ts'
import { pureSha256Hex } from '../../src/hashing.ts'
import { pureHmacHex } from '../../src/hmac.ts'
import { VECTORS } from './vector-count.ts'

describe('G-12: hashing on Node and in plain JavaScript', () => {
  it('is done by OpenSSL here', () => {
    expect(nodeCrypto?.hash('sha256', 'abc', 'hex')).toBe(pureSha256Hex('abc'))
    expect(sha256Hex).not.toBe(pureSha256Hex)
    expect(hmacHex).not.toBe(pureHmacHex)
  })

  it(`agrees on ${VECTORS} texts of any characters, unpaired surrogates among them`, {
    timeout: 600_000,
  }, () => {
    // UTF-16 units: every implementation must hash half of a surrogate pair as the same replacement character.
    const anyText = fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 150 })
      .map((units) => String.fromCharCode(...units))
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: 'binary', maxLength: 150 })), (text) => {
        const bytes = new TextEncoder().encode(text)
        const expected = createHash('sha256').update(bytes).digest('hex')
        expect([sha256Hex(text), pureSha256Hex(text)]).toStrictEqual([expected, expected])
        const keyed = createHmac('sha256', '').update(bytes).digest('hex')
        expect([hmacHex(text), pureHmacHex(text)]).toStrictEqual([keyed, keyed])
      }),
      { numRuns: VECTORS },
    )
  })

  it('agrees on every length around the blocks of SHA-256', () => {
    for (let length = 0; length <= 1000; length++) {
      const text = 'é'.repeat(length % 7) + 'a'.repeat(length)
      expect(sha256Hex(text)).toBe(pureSha256Hex(text))
      expect(hmacHex(text)).toBe(pureHmacHex(text))
    }
  })
})
