import { type JsonValue, parseJson } from '@hailstone/protocol'

/** Texts in place of JSON; some are derived from the genuine text. */
const texts = {
  null: () => 'null',
  list: () => '[]',
  number: () => '5',
  text: () => '"text"',
  true: () => 'true',
  errZero: () => '{"err":0}',
  emptyObject: () => '{}',
  empty: () => '',
  html200: () => '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Welcome</body></html>',
  truncated: (genuine) => genuine.slice(0, Math.floor(genuine.length / 2)),
  trailing: (genuine) => `${genuine}}`,
  twice: (genuine) => genuine + genuine,
  deep: () => `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  duplicateKeys: (genuine) => withMembers(genuine, (members) => `${members},${members}`),
  proto: (genuine) => withMembers(genuine, (members) => `"__proto__":{"polluted":1},${members}`),
  byteOrderMark: (genuine) => `\uFEFF${genuine}`,
  nul: (genuine) => `${genuine}\0`,
  loneSurrogate: (genuine) => withMembers(genuine, (members) => `"surrogate":"\\ud800",${members}`),
  hugeNumber: () => '{"amount":1e400,"height":1e400}',
  notANumber: () => '{"amount":NaN,"height":Infinity}',
  methodIsProto: () => '{"ver":4,"method":"__proto__","data":{}}',
} as const satisfies Readonly<Record<string, (genuine: string) => string>>

export type BrokenJsonName = keyof typeof texts

export const brokenJsonNames = Object.keys(texts) as readonly BrokenJsonName[]

/** Changes the members of an object as text; anything but an object becomes one without the genuine members. */
function withMembers(genuine: string, change: (members: string) => string): string {
  const members = /^\s*\{(.+)\}\s*$/s.exec(genuine)?.[1] ?? '"a":1'
  return `{${change(members)}}`
}

export const brokenJson = (name: BrokenJsonName, genuine: string): string => texts[name](genuine)

/** Parses a text; null if it is not JSON, so that its members cannot be changed. */
export function readOrNull(text: string): JsonValue {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}
