import { bytesToHex, hexToBytes } from '../bytes.ts'
import { compactOfMinimal, compactToDer, lenientHexToBytes } from '../der.ts'
import { sha256Hex } from '../hashing.ts'
import { type Address, looksLikeAddress } from '../values/address.ts'
import type { PrivateKey } from '../values/private-key.ts'
import type { Signature } from '../values/signature.ts'
import type { Ecdsa } from './ecdsa.ts'

/** Arithmetic on secp256k1 that a package provides. Digests and keys have 32 bytes, signatures 64 (r‖s). */
export type Curve = {
  /** Returns the compressed point, 33 bytes. */
  readonly publicKeyOf: (privateKey: Uint8Array) => Uint8Array
  /** Deterministic (RFC 6979) and low-S. */
  readonly sign: (digest: Uint8Array, privateKey: Uint8Array) => Uint8Array
  /** High-S is accepted. May modify `signature`; may throw for numbers out of range or points off the curve. */
  readonly verify: (signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array) => boolean
}

const digestOf = (text: string): Uint8Array => hexToBytes(sha256Hex(text))

/** Wraps a curve implementation in the network's formats, strict DER and hex. */
export function ecdsaOfCurve({ name, curve }: { readonly name: string; readonly curve: Curve }): Ecdsa {
  const addressOf = (privateKey: PrivateKey): Address =>
    bytesToHex(curve.publicKeyOf(hexToBytes(privateKey))) as Address

  const signText = (text: string, privateKey: PrivateKey): Signature =>
    bytesToHex(compactToDer(curve.sign(digestOf(text), hexToBytes(privateKey)))) as Signature

  const verifyText: Ecdsa['verifyText'] = ({ text, signature, address }) => {
    if (!looksLikeAddress(address)) return false
    try {
      const compact = compactOfMinimal(lenientHexToBytes(signature))
      if (compact === null) return false
      return curve.verify(compact, digestOf(text), hexToBytes(address))
    } catch {
      return false
    }
  }

  return Object.freeze({ name, addressOf, signText, verifyText })
}
