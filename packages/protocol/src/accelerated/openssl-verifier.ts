import { hexToBytes, utf8ToBytes } from '../bytes.ts'
import { derToCompact, lenientHexToBytes } from '../der.ts'
import { looksLikeAddress } from '../values/address.ts'
import type { VerifyText } from './ecdsa.ts'
import type { NodeCrypto, OpensslKey } from './node-crypto.ts'

/** SubjectPublicKeyInfo of a compressed secp256k1 point, up to the point itself (RFC 5480). */
const POINT_PREFIX = '3036301006072a8648ce3d020106052b8104000a032200'

/** An opened key takes about 1.5 KB. */
const KEYS_KEPT = 4096

/** Opening a key costs half as much as verifying with it, and the same accounts come again and again. */
function createKeyCache(openssl: NodeCrypto): (address: string) => OpensslKey {
  const keys = new Map<string, OpensslKey>()
  return (address) => {
    const key =
      keys.get(address) ??
      openssl.createPublicKey({ key: hexToBytes(POINT_PREFIX + address), format: 'der', type: 'spki' })
    // Deleted and set again, so the first key of the map is the one that was not used for longest.
    keys.delete(address)
    keys.set(address, key)
    const [oldest] = keys.keys()
    if (keys.size > KEYS_KEPT && oldest !== undefined) keys.delete(oldest)
    return key
  }
}

/**
 * Verifies as the pure code does, eight times faster: DER is read by the same strict rules, the arithmetic is
 * OpenSSL's. High-S is accepted, as on the network (PROTOCOL 2.3).
 */
export function createOpensslVerifier(openssl: NodeCrypto): VerifyText {
  const keyOf = createKeyCache(openssl)
  return ({ text, signature, address }) => {
    if (!looksLikeAddress(address)) return false
    try {
      const compact = derToCompact(lenientHexToBytes(signature))
      const key = keyOf(address.toLowerCase())
      return openssl.verify('sha256', utf8ToBytes(text), { key, dsaEncoding: 'ieee-p1363' }, compact)
    } catch {
      // No signature by its form, or no point of the curve.
      return false
    }
  }
}
