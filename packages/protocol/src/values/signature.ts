import type { Brand } from './brand.ts'

/** An ECDSA signature in DER and hex. Ours are lower case, minimal and low-S; the network also accepts high-S. */
export type Signature = Brand<string, 'Signature'>

/** True for the form that POST /tx checks before verifying: hex digits, at least one. */
export const looksLikeSignature = (text: string): boolean => /^[A-Fa-f0-9]+$/.test(text)
