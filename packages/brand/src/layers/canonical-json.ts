import { sha256Hex } from '@hailstone/protocol'

/**
 * Prints JSON with sorted keys and no blanks, so that equal data gives equal text. Undefined members are left out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}

/** Hash of a configuration: SHA-256 of its canonical JSON, 64 hex digits. The app shows it under About. */
export const configHash = (value: unknown): string => sha256Hex(canonicalJson(value))
