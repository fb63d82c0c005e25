import { type JsonValue, stringifyJson } from '@hailstone/protocol'
import type { Outcome } from './check.ts'
import { differingPlaces } from './differing-places.ts'

export type Case = { readonly [key: string]: JsonValue | undefined }

const isObject = (value: JsonValue | undefined): value is Case =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns an object; an empty one for other values. */
export const asObject = (value: JsonValue | undefined): Case => (isObject(value) ? value : {})

/** Returns a list; an empty one for other values. */
export const asList = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? value : []

/** Returns a text, or the decimal text of an integer. */
export const asText = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : String(value)

export const casesOf = (file: JsonValue): readonly Case[] => asList(asObject(file).cases).map(asObject)

/** True if the file has cases and each one has all the members. */
export const everyCaseHas = (file: JsonValue, ...members: readonly string[]): boolean => {
  const cases = casesOf(file)
  return cases.length > 0 && cases.every((given) => members.every((name) => given[name] !== undefined))
}

export const nameOf = (given: Case): string => asText(given.name) || 'unnamed case'

/** Returns the first place at which expected and found value differ, or null. */
export function difference(what: string, expected: unknown, found: unknown): string | null {
  const [first, ...others] = differingPlaces((expected ?? null) as JsonValue, (found ?? null) as JsonValue)
  if (first === undefined) return null
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return `${what}${first.path}: expected ${shown(first.expected)}, found ${shown(first.found)}${more}`
}

function shown(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  const text = stringifyJson(value)
  return text.length > 240 ? `${text.slice(0, 237)}…` : text
}

/** Compares one case. The reason of a failure is the first difference or the thrown error. */
export function judge(name: string, compare: () => readonly (string | null)[]): Outcome {
  try {
    const differences = compare().filter((found) => found !== null)
    return differences.length === 0
      ? { name, verdict: 'passed' }
      : { name, verdict: 'failed', reason: differences.join('; ') }
  } catch (error) {
    return { name, verdict: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
}
