import { createPublicKey, verify } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hexToBytes } from './bytes.ts'
import { compactToDer, derToCompact } from './der.ts'
import { addressOf, signText, uncompressedPublicKeyOf, verifyText } from './ecdsa.ts'
import { isNodeError } from './errors/node-error.ts'
import { CURVE_ORDER, parsePrivateKey } from './values/private-key.ts'

const keys = fc
  .bigInt(1n, CURVE_ORDER - 1n)
  .map((value) => parsePrivateKey(value.toString(16).padStart(64, '0')))
const numbers = fc.uint8Array({ minLength: 64, maxLength: 64 })

const spki = (uncompressed: string) =>
  createPublicKey({
    key: Buffer.from(`3056301006072a8648ce3d020106052b8104000a034200${uncompressed}`, 'hex'),
    format: 'der',
    type: 'spki',
  })

describe('DER', () => {
  it('comes back to the same numbers, leading zeros included', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 0, max: 31 }), (compact, zeros) => {
        compact.fill(0, 0, zeros)
        compact[31] = 1
        compact[63] = 1
        expect(derToCompact(compactToDer(compact))).toEqual(compact)
      }),
      { numRuns: 2000 },
    )
  })

  it('refuses every change of one byte of the frame, and every cut', () => {
    const der = compactToDer(Uint8Array.from({ length: 64 }, (_, at) => at + 1))
    const refused = (bytes: Uint8Array) => {
      try {
        derToCompact(bytes)
        return false
      } catch (error) {
        return isNodeError(error, 'SIGNATURE_MALFORMED')
      }
    }
    for (const at of [0, 1, 2, 3]) {
      for (let value = 0; value < 256; value++) {
        const changed = Uint8Array.from(der)
        if (changed[at] === value) continue
        changed[at] = value
        expect(refused(changed), `byte ${at} = ${value}`).toBe(true)
      }
    }
    for (let length = 0; length < der.length; length++) expect(refused(der.subarray(0, length))).toBe(true)
    expect(refused(Uint8Array.from([...der, 0]))).toBe(true)
  })
})

describe('signText', () => {
  it('is deterministic, low-S, and accepted by OpenSSL and by ourselves', () => {
    fc.assert(
      fc.property(keys, fc.string(), (key, text) => {
        const signature = signText(text, key)
        expect(signText(text, key)).toBe(signature)
        const s = BigInt(`0x${Buffer.from(derToCompact(hexToBytes(signature)).subarray(32)).toString('hex')}`)
        expect(s <= CURVE_ORDER / 2n).toBe(true)
        expect(verifyText({ text, signature, address: addressOf(key) })).toBe(true)
        const publicKey = spki(uncompressedPublicKeyOf(key))
        expect(verify('sha256', Buffer.from(text), publicKey, Buffer.from(signature, 'hex'))).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})

describe('verifyText', () => {
  it('answers false, never throws, for nonsense', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (text, signature, address) => {
        expect(verifyText({ text, signature, address })).toBe(false)
      }),
      { numRuns: 500 },
    )
  })
})
