import * as secp256k1 from '@noble/secp256k1'
import { createPlatformVerifier } from '#platform'
import type { Ecdsa, VerifyText } from './accelerated/ecdsa.ts'
import { bytesToHex, hexToBytes, utf8ToBytes } from './bytes.ts'
import { compactOfMinimal, compactToDer, lenientHexToBytes } from './der.ts'
import { assertArgument } from './errors/assert-argument.ts'
import { hmacSha256, sha256 } from './sha256.ts'
import { type Address, looksLikeAddress } from './values/address.ts'
import { type PrivateKey, parsePrivateKey } from './values/private-key.ts'
import type { Signature } from './values/signature.ts'

secp256k1.hashes.sha256 = (message) => sha256(message)
secp256k1.hashes.hmacSha256 = hmacSha256

/** Callers without a compiler would meet an error of the curve, which may repeat what they passed. */
const keyBytes = (privateKey: PrivateKey): Uint8Array => hexToBytes(parsePrivateKey(privateKey))

/**
 * Returns the address of a private key: its compressed public key in hex.
 *
 * @throws {NodeError} `PRIVATE_KEY_MALFORMED`
 */
export const addressOf = (privateKey: PrivateKey): Address =>
  bytesToHex(secp256k1.getPublicKey(keyBytes(privateKey), true)) as Address

/**
 * Returns the uncompressed public key, 65 bytes in hex, for other tools.
 *
 * @throws {NodeError} `PRIVATE_KEY_MALFORMED`
 */
export const uncompressedPublicKeyOf = (privateKey: PrivateKey): string =>
  bytesToHex(secp256k1.getPublicKey(keyBytes(privateKey), false))

/**
 * Signs the UTF-8 bytes of a text: ECDSA over SHA-256, deterministic (RFC 6979), low-S, minimal DER. Used by typed
 * messages only; the packages do not export a function that signs arbitrary text.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`, `PRIVATE_KEY_MALFORMED`
 */
export function signText(text: string, privateKey: PrivateKey): Signature {
  assertArgument(typeof text === 'string', 'text', 'a text', text)
  return bytesToHex(compactToDer(secp256k1.sign(utf8ToBytes(text), keyBytes(privateKey)))) as Signature
}

/** Verifies in plain JavaScript: used by browsers, and the reference for the other implementations. */
export const verifyTextPurely: VerifyText = ({ text, signature, address }) => {
  if (!looksLikeAddress(address)) return false
  try {
    const compact = compactOfMinimal(lenientHexToBytes(signature))
    if (compact === null) return false
    return secp256k1.verify(compact, utf8ToBytes(text), hexToBytes(address), { lowS: false })
  } catch {
    return false
  }
}

let chosenVerifier: VerifyText | undefined

/**
 * Verifies like the network: minimal DER, high-S accepted (PROTOCOL 2.3). Uses OpenSSL on Node and plain JavaScript
 * elsewhere, with the same results.
 */
export const verifyText: VerifyText = (question) => {
  chosenVerifier ??= createPlatformVerifier() ?? verifyTextPurely
  return chosenVerifier(question)
}

/** The implementation without optional packages. */
export const defaultEcdsa: Ecdsa = /* @__PURE__ */ Object.freeze({
  name: 'noble',
  addressOf,
  signText,
  verifyText,
})
