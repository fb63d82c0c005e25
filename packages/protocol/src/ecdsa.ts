import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as secp256k1 from '@noble/secp256k1'
import { compactToDer, derToCompact } from './der.ts'
import type { Address } from './values/address.ts'
import type { PrivateKey } from './values/private-key.ts'
import type { Signature } from './values/signature.ts'

secp256k1.hashes.sha256 = sha256
secp256k1.hashes.hmacSha256 = (key, message) => hmac(sha256, key, message)

/** Whether a signature of a text belongs to an address. Never throws: nonsense is `false`. */
export type VerifyText = (parameters: {
  readonly text: string
  readonly signature: string
  readonly address: string
}) => boolean

/** The address of a private key: its compressed public key in hex. */
export const addressOf = (privateKey: PrivateKey): Address =>
  bytesToHex(secp256k1.getPublicKey(hexToBytes(privateKey), true)) as Address

/** The uncompressed public key (65 bytes in hex), for tools that want it. */
export const uncompressedPublicKeyOf = (privateKey: PrivateKey): string =>
  bytesToHex(secp256k1.getPublicKey(hexToBytes(privateKey), false))

/**
 * Signs the UTF-8 bytes of a text: ECDSA over SHA-256, deterministic (RFC 6979), low-S, minimal DER.
 * Internal to typed messages; the packages offer no "sign anything".
 */
export const signText = (text: string, privateKey: PrivateKey): Signature =>
  bytesToHex(compactToDer(secp256k1.sign(utf8ToBytes(text), hexToBytes(privateKey)))) as Signature

/**
 * Hex as the network decodes it: pairs are read up to the first that is not hex, an odd last digit is
 * dropped (PROTOCOL 2.3).
 */
export function lenientHexToBytes(hex: string): Uint8Array {
  const pairs = /^(?:[0-9a-fA-F]{2})*/.exec(hex)?.[0] ?? ''
  return hexToBytes(pairs.toLowerCase())
}

/** Verifies as the network does: minimal DER, high-S allowed (PROTOCOL 2.3). */
export const verifyText: VerifyText = ({ text, signature, address }) => {
  try {
    const compact = derToCompact(lenientHexToBytes(signature))
    return secp256k1.verify(compact, utf8ToBytes(text), hexToBytes(address), { lowS: false })
  } catch {
    return false
  }
}
