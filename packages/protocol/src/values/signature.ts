import type { Brand } from './brand.ts'

/** An ECDSA signature: DER in hex. Ours are lower case, minimal and low-S; the network also takes high-S. */
export type Signature = Brand<string, 'Signature'>

/** The form POST /tx checks before it verifies: hex digits, at least one. */
export const looksLikeSignature = (text: string): boolean => /^[A-Fa-f0-9]+$/.test(text)
