import type { Address } from '../values/address.ts'
import type { PrivateKey } from '../values/private-key.ts'
import type { Signature } from '../values/signature.ts'

/** Returns true if a signature of a text is valid for an address. Never throws: malformed input is `false`. */
export type VerifyText = (parameters: {
  readonly text: string
  readonly signature: string
  readonly address: string
}) => boolean

/**
 * The three operations on the curve. Every implementation gives the same answers byte for byte: signatures are
 * deterministic (RFC 6979), low-S and minimal DER; high-S is accepted.
 */
export type Ecdsa = {
  /** Name of the implementation, for people: `noble`, or the package that was found. */
  readonly name: string
  readonly addressOf: (privateKey: PrivateKey) => Address
  readonly signText: (text: string, privateKey: PrivateKey) => Signature
  readonly verifyText: VerifyText
}
