import { type Address, looksLikeSignature, type Signature, type VerifyText } from '@hailstone/protocol'

/** The message that a signer was asked for, and whose key it has. */
type Asked = { readonly text: string; readonly address: Address; readonly verify: VerifyText }

/** Of the answer of a signer the signature alone is used; null if it is not one of the account over the message. */
export function checkedSignature(answer: unknown, { text, address, verify }: Asked): Signature | null {
  try {
    const { signature } = Object(answer) as { readonly signature: Signature }
    if (typeof signature !== 'string' || !looksLikeSignature(signature)) return null
    return verify({ text, signature, address }) ? signature : null
  } catch {
    return null
  }
}

/** Why such an answer is not used. */
export const notSignedBy = (address: Address): string =>
  `the signature is not one of ${address} over this message`
