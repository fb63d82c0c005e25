import type { Address } from '../values/address.ts'
import type { PrivateKey } from '../values/private-key.ts'
import type { Signature } from '../values/signature.ts'

/** Whether a signature of a text belongs to an address. Never throws: nonsense is `false`. */
export type VerifyText = (parameters: {
  readonly text: string
  readonly signature: string
  readonly address: string
}) => boolean

/**
 * The three things that are done on the curve. Every implementation gives the same answers to the same questions,
 * byte for byte: signatures are deterministic (RFC 6979), low-S and minimal DER, high-S is accepted.
 */
export type Ecdsa = {
  /** What does the arithmetic, for people: `noble`, or the name of the package that was found. */
  readonly name: string
  readonly addressOf: (privateKey: PrivateKey) => Address
  readonly signText: (text: string, privateKey: PrivateKey) => Signature
  readonly verifyText: VerifyText
}
