import { NodeError } from '../errors/node-error.ts'
import type { Brand } from './brand.ts'

/** A secret: 64 lower-case hex digits, 1 … n-1. Never log it or put it into an error. */
export type PrivateKey = Brand<string, 'PrivateKey'>

/** Order of the secp256k1 group. */
export const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** True for hex digits. Avoids regular expressions: `RegExp.input` would expose the secret to the whole program. */
const isHex = (text: string): boolean => [...text].every((digit) => '0123456789abcdefABCDEF'.includes(digit))

const refused = (reason: string): NodeError => new NodeError('PRIVATE_KEY_MALFORMED', { reason })

/**
 * Parses a private key: 64 hex digits, or 66 with two leading zeros as some tools export it. Anything else is
 * refused, never padded or cut.
 *
 * @throws {NodeError} `PRIVATE_KEY_MALFORMED` with the reason; it never repeats the text
 */
export function parsePrivateKey(text: string): PrivateKey {
  if (typeof text !== 'string') throw refused('it should be text')
  if (text.startsWith('0x') || text.startsWith('0X'))
    throw refused('it begins with 0x; a key here is 64 hex digits without it')
  const digits = text.length === 66 && text.startsWith('00') ? text.slice(2) : text
  if (digits.length !== 64) throw refused(`it should have 64 hex digits, not ${text.length} characters`)
  if (!isHex(digits)) throw refused('it should have hex digits only')
  const value = BigInt(`0x${digits}`)
  if (value === 0n || value >= CURVE_ORDER) throw refused('it is outside the range of the curve')
  return digits.toLowerCase() as PrivateKey
}

/** True if a value is a private key: 64 lower-case hex digits, 1 … n-1. */
export function isPrivateKey(value: unknown): value is PrivateKey {
  try {
    return parsePrivateKey(value as string) === value
  } catch {
    return false
  }
}
