import { hexToBytes } from '../bytes.ts'
import { derToCompact } from '../der.ts'
import { textError } from '../errors/text-error.ts'
import type { Signature } from './branded-values.ts'

export type { Signature }

/** Two numbers of 33 bytes with their headers, in hex digits. */
const MAX_DIGITS = 144

/** True for the form that POST /tx checks before verifying: hex digits, at least one. */
export const looksLikeSignature = (text: string): boolean =>
  typeof text === 'string' && /^[A-Fa-f0-9]+$/.test(text)

/**
 * Parses a signature in either letter case and returns it in lower case: minimal DER, of which the network takes low and
 * high S. It may still belong to no message.
 *
 * @throws {NodeError} `SIGNATURE_MALFORMED`
 */
export function parseSignature(text: string): Signature {
  if (typeof text !== 'string' || text.length > MAX_DIGITS || !/^(?:[0-9a-f]{2})+$/i.test(text))
    throw textError('SIGNATURE_MALFORMED', { reason: 'it is not at most 144 hex digits in pairs' })
  derToCompact(hexToBytes(text))
  return text.toLowerCase() as Signature
}

/** True if a value is a signature: minimal DER in lower-case hex digits. */
export function isSignature(value: unknown): value is Signature {
  try {
    return parseSignature(value as string) === value
  } catch {
    return false
  }
}
