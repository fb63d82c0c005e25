import { sha256Hex } from '@hailstone/protocol'

/** JSON with sorted keys and no blanks: equal data gives equal text. Members that are undefined are left out. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}

/** Identifies a configuration: SHA-256 of its canonical JSON, 64 hex digits. The app shows it under About. */
export const configHash = (value: unknown): string => sha256Hex(canonicalJson(value))
