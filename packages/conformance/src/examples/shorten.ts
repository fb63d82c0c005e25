import type { JsonValue } from '@hailstone/protocol'

const MAX_ENTRIES = 3
/** Limit for lists of plain values, such as the bytes of a signature. */
const MAX_PLAIN = 8

const isPlain = (value: JsonValue): boolean => typeof value !== 'object' || value === null

/** Yields the places of a value that are not empty, to compare what entries show. */
function* placesIn(value: JsonValue, at = ''): Iterable<string> {
  if (value === null) return
  if (Array.isArray(value)) for (const item of value) yield* placesIn(item, `${at}[]`)
  else if (typeof value === 'object')
    for (const [name, member] of Object.entries(value)) yield* placesIn(member ?? null, `${at}.${name}`)
  else yield at
}

/** Returns the first entry, and others that show further members. */
function informativeEntries(list: readonly JsonValue[]): readonly JsonValue[] {
  const reported = new Set<string>()
  return list
    .filter((entry) => {
      const news = [...placesIn(entry)].filter((place) => !reported.has(place))
      for (const place of news) reported.add(place)
      return news.length > 0
    })
    .slice(0, MAX_ENTRIES)
}

/** Shortens an example to fit on a page; lists keep their most informative entries. */
export function shorten(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const kept = value.every(isPlain) ? value.slice(0, MAX_PLAIN) : informativeEntries(value)
    return kept.map(shorten)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value as { [name: string]: JsonValue }).map(([name, member]) => [name, shorten(member)]),
  )
}

export const placesOf = (value: JsonValue): ReadonlySet<string> => new Set(placesIn(value))
