import { hexToBytes, utf8ToBytes } from '../bytes.ts'
import { compactOfMinimal, lenientHexToBytes } from '../der.ts'
import { looksLikeAddress } from '../values/address.ts'
import type { VerifyText } from './ecdsa.ts'
import type { NodeCrypto, OpensslKey } from './node-crypto.ts'

/** SubjectPublicKeyInfo of a compressed secp256k1 point, up to the point itself (RFC 5480). */
const POINT_PREFIX = '3036301006072a8648ce3d020106052b8104000a032200'

/** Number of cached keys; an imported key takes about 1.5 kB. */
const KEYS_KEPT = 4096

/** Caches imported keys: importing one costs half as much as a verification, and the same accounts recur. */
function createKeyCache(openssl: NodeCrypto): (address: string) => OpensslKey {
  const keys = new Map<string, OpensslKey>()
  return (address) => {
    const key =
      keys.get(address) ??
      openssl.createPublicKey({ key: hexToBytes(POINT_PREFIX + address), format: 'der', type: 'spki' })
    // Deleted and set again, so that the first key of the map is the least recently used.
    keys.delete(address)
    keys.set(address, key)
    const [oldest] = keys.keys()
    if (keys.size > KEYS_KEPT && oldest !== undefined) keys.delete(oldest)
    return key
  }
}

/**
 * Verifies like the pure implementation, eight times faster: DER is parsed by the same strict rules, OpenSSL does the
 * arithmetic. High-S is accepted, as on the network (PROTOCOL 2.3).
 */
export function createOpensslVerifier(openssl: NodeCrypto): VerifyText {
  const keyOf = createKeyCache(openssl)
  return ({ text, signature, address }) => {
    if (!looksLikeAddress(address)) return false
    try {
      const compact = compactOfMinimal(lenientHexToBytes(signature))
      if (compact === null) return false
      const key = keyOf(address.toLowerCase())
      return openssl.verify('sha256', utf8ToBytes(text), { key, dsaEncoding: 'ieee-p1363' }, compact)
    } catch {
      // Malformed signature, or a point off the curve.
      return false
    }
  }
}
