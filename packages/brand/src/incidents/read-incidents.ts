/** Trouble of the network that the publisher of the app reports. */
export type Incident = {
  readonly id: string
  /** Plain text of the publisher, in any language. */
  readonly title: string
  readonly impact: 'minor' | 'major'
  /** Unix milliseconds; null if the feed does not tell. */
  readonly startedAtMs: number | null
  /** Page about it, https; null for none. */
  readonly url: string | null
}

const MAX_INCIDENTS = 5
const TITLE_CHARACTERS = 200
const ID_CHARACTERS = 100

/** Impacts of both forms; null where nobody is concerned. */
const impacts: ReadonlyMap<unknown, Incident['impact'] | null> = new Map([
  ['none', null],
  ['maintenance', null],
  ['minor', 'minor'],
  ['major', 'major'],
  ['critical', 'major'],
] as const)
const over: ReadonlySet<unknown> = new Set(['resolved', 'completed', 'postmortem'])

// Control, invisible and direction-changing characters.
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu

/** Largest feed that is read, in bytes. */
export const FEED_BYTES = 50_000
/** Time for a feed to arrive whole, in ms. */
export const FEED_MS = 10_000

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the title of an incident as plain text; null if it has none. */
export function titleOf({ title, name }: Readonly<Record<string, unknown>>): string | null {
  const given = title ?? name
  if (typeof given !== 'string') return null
  const plain = given.replace(unprintable, ' ').trim()
  return plain === '' ? null : [...plain].slice(0, TITLE_CHARACTERS).join('')
}

function pageOf(value: unknown): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null
  const { protocol, username, password, href } = new URL(value)
  return protocol === 'https:' && username === '' && password === '' ? href : null
}

function timeOf(value: unknown): number | null {
  const timeMs = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(timeMs) ? null : timeMs
}

/** Reads one incident; null if nobody is concerned by it any more, undefined if its form is not known. */
export function incidentOf(entry: unknown): Incident | null | undefined {
  if (!isRecord(entry)) return undefined
  const impact = impacts.get(entry.impact)
  const title = titleOf(entry)
  const { id } = entry
  if (impact === undefined || title === null) return undefined
  if (typeof id !== 'string' || id === '' || id.length > ID_CHARACTERS) return undefined
  if (impact === null || over.has(entry.status)) return null
  const startedAtMs = timeOf(entry.startedAt ?? entry.started_at ?? entry.created_at)
  return { id, title, impact, startedAtMs, url: pageOf(entry.url ?? entry.shortlink) }
}

/**
 * Reads a feed of incidents: the `summary.json` of a status page, or `{ incidents: [{ id, title, impact, startedAt,
 * url }] }`. Serious ones come first.
 *
 * @returns null if the text is anything else
 */
export function readIncidents(text: string): readonly Incident[] | null {
  let feed: unknown
  try {
    feed = JSON.parse(text)
  } catch {
    return null
  }
  if (!isRecord(feed) || !Array.isArray(feed.incidents)) return null
  const read = feed.incidents.map(incidentOf)
  if (read.includes(undefined)) return null
  const current = read.filter((one) => one !== null && one !== undefined)
  const ofImpact = (impact: Incident['impact']) => current.filter((one) => one.impact === impact)
  return [...ofImpact('major'), ...ofImpact('minor')].slice(0, MAX_INCIDENTS)
}
