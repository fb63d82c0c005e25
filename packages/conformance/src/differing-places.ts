import { type JsonValue, stringifyJson } from '@hailstone/protocol'

type Value = JsonValue | undefined

/** A difference of two values with its path, such as `.blocks[4].reward`; undefined means absent. */
export type DifferingPlace = { readonly path: string; readonly expected: Value; readonly found: Value }

/** Returns the parts of a list or object by their path step; undefined for plain values. */
function partsOf(value: Value): ReadonlyMap<string, JsonValue> | undefined {
  if (Array.isArray(value)) return new Map(value.map((item: JsonValue, at) => [`[${at}]`, item]))
  if (typeof value !== 'object' || value === null) return undefined
  const members = Object.entries(value as { readonly [name: string]: Value })
  return new Map(members.flatMap(([name, member]) => (member === undefined ? [] : [[`.${name}`, member]])))
}

const isSame = (expected: Value, found: Value): boolean =>
  (expected === undefined) === (found === undefined) && stringifyJson(expected) === stringifyJson(found)

/** Compares two values in parallel. The order of members is ignored, that of lists is not. */
export function* differingPlaces(expected: Value, found: Value, path = ''): Generator<DifferingPlace> {
  const [left, right] = [partsOf(expected), partsOf(found)]
  if (left === undefined || right === undefined || Array.isArray(expected) !== Array.isArray(found)) {
    if (!isSame(expected, found)) yield { path, expected, found }
    return
  }
  for (const step of new Set([...left.keys(), ...right.keys()]))
    yield* differingPlaces(left.get(step), right.get(step), path + step)
}
