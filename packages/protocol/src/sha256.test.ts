import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bytesToHex, hexToBytes } from './bytes.ts'
import { hmacSha256, sha256 } from './sha256.ts'

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

it('G-12: hashes as OpenSSL does, at every length around the edges of a block', () => {
  for (let length = 0; length <= 300; length++) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 31 + length) & 0xff)
    expect(bytesToHex(sha256(bytes)), `${length} bytes`).toBe(hashOf(bytes))
  }
})

it('G-12: hashes and keyed hashes of random bytes are those of OpenSSL, in however many pieces', () => {
  const bytes = fc.uint8Array({ maxLength: 200 })
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      expect(bytesToHex(sha256(one, other))).toBe(hashOf(Buffer.concat([one, other])))
      const expected = createHmac('sha256', one).update(other).digest('hex')
      expect(bytesToHex(hmacSha256(one, other))).toBe(expected)
    }),
    { numRuns: 3_000 },
  )
})

it('reads hex of either case back, and nothing else', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.boolean(), (bytes, isUpper) => {
      const hex = bytesToHex(bytes)
      expect(hexToBytes(isUpper ? hex.toUpperCase() : hex)).toEqual(bytes)
    }),
  )
  for (const text of ['0', '0g', ' 00', '00 ', '0x00', '00\n', '٠٠']) {
    expect(() => hexToBytes(text), text).toThrow(RangeError)
  }
})
