import type { Signature } from './branded-values.ts'

export type { Signature }

/** True for the form that POST /tx checks before verifying: hex digits, at least one. */
export const looksLikeSignature = (text: string): boolean => /^[A-Fa-f0-9]+$/.test(text)
