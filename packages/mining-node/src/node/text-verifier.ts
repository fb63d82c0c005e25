import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { derToCompact, lenientHexToBytes, type VerifyText, verifyText } from '@hailstone/protocol'

/** SubjectPublicKeyInfo (RFC 5480) of a compressed secp256k1 point, up to the point. */
const POINT_PREFIX = '3036301006072a8648ce3d020106052b8104000a032200'
const KEYS_KEPT = 1_000

/**
 * Verifies exactly what the protocol's `verifyText` does, ten times faster: the strict reading of DER is the
 * protocol's, the arithmetic is OpenSSL's. High-S is accepted, as on the network (PROTOCOL 2.3).
 */
export function createTextVerifier(): VerifyText {
  const keys = new Map<string, KeyObject>()
  const keyOf = (address: string): KeyObject => {
    const known = keys.get(address)
    if (known !== undefined) return known
    const [oldest] = keys.keys()
    if (keys.size >= KEYS_KEPT && oldest !== undefined) keys.delete(oldest)
    const key = createPublicKey({
      key: Buffer.from(POINT_PREFIX + address, 'hex'),
      format: 'der',
      type: 'spki',
    })
    keys.set(address, key)
    return key
  }
  return ({ text, signature, address }) => {
    try {
      const compact = derToCompact(lenientHexToBytes(signature))
      return verify(
        'sha256',
        Buffer.from(text, 'utf8'),
        { key: keyOf(address), dsaEncoding: 'ieee-p1363' },
        compact,
      )
    } catch {
      // No signature, or no point of the curve: the pure code has the last word on what is malformed.
      return verifyText({ text, signature, address })
    }
  }
}
