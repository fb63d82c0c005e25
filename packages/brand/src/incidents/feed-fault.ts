import { incidentOf, isRecord, titleOf } from './read-incidents.ts'

/** Returns why the app would not read a feed of incidents, as a phrase for its publisher; null if it reads it. */
export function feedFault(text: string): string | null {
  let feed: unknown
  try {
    feed = JSON.parse(text)
  } catch {
    return `no JSON: it begins with ${JSON.stringify(text.slice(0, 20))}`
  }
  if (!isRecord(feed) || !Array.isArray(feed.incidents)) return 'no list "incidents" at the top'
  const at = feed.incidents.findIndex((entry) => incidentOf(entry) === undefined)
  return at < 0 ? null : `incidents[${at}] ${entryFault(feed.incidents[at])}`
}

function entryFault(entry: unknown): string {
  if (!isRecord(entry)) return 'is not an object'
  const { id } = entry
  if (typeof id !== 'string' || id === '' || id.length > 100) return 'has no id of 1 to 100 characters'
  if (titleOf(entry) === null) return 'has no title'
  const impact = typeof entry.impact === 'string' ? JSON.stringify(entry.impact) : 'no text'
  return `has ${impact} as impact; known are none, maintenance, minor, major and critical`
}
