import type { ExtensionElement } from './extension-field.ts'
import { FIELD_PRIME } from './field.ts'

/** Parses a canonical decimal below p: no sign, no leading zero, no more digits than p has. Else null. */
function coefficient(text: unknown): bigint | null {
  if (typeof text !== 'string' || !/^(?:0|[1-9]\d{0,153})$/.test(text)) return null
  const value = BigInt(text)
  return value < FIELD_PRIME ? value : null
}

/** Parses coefficients, highest first; null if one is not canonical or the leading one is zero. */
function elementOf(texts: readonly unknown[]): ExtensionElement | null {
  const values = texts.map(coefficient)
  const [first, second] = values
  if (first === null || second === null || first === 0n) return null
  if (values.length > 2) return null
  return second === undefined ? { c1: 0n, c0: first ?? 0n } : { c1: first ?? 0n, c0: second }
}

/** Parses an element of a signature: `[c1, c0]`, `[c0]` for a constant, `[]` for zero (PROTOCOL 8.1). */
export const listElement = (list: unknown): ExtensionElement | null =>
  Array.isArray(list) && list.length <= 2 ? elementOf(list) : null

/** Parses an element of a master public key: `1 c1 c0`, `0 c0` for a constant, `0 0` for zero (PROTOCOL 8.1). */
export function textElement(text: unknown): ExtensionElement | null {
  if (typeof text !== 'string' || text.length > 320) return null
  if (text === '0 0') return { c1: 0n, c0: 0n }
  const [degree, ...texts] = text.split(' ')
  return degree === String(texts.length - 1) ? elementOf(texts) : null
}
