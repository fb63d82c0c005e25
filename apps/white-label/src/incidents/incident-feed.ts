import { type Incident, readIncidents } from '@hailstone/brand/runtime'
import { createSeenSource } from '../app/seen-source.ts'
import { fetchFeed } from './fetch-feed.ts'

const READ_EVERY_MS = 5 * 60_000
const KEPT_MS = 60 * 60_000

export type FeedState = {
  /** Outcome of the last reading; null before the first one. What was read within an hour stays meanwhile. */
  readonly lastReading: 'read' | 'failed' | null
  /** Unix milliseconds of the last reading that succeeded; null for none. */
  readonly readAtMs: number | null
  readonly incidents: readonly Incident[]
  /** Marks of incidents that the person has put away. */
  readonly hidden: readonly string[]
}

/** Feed of incidents of one brand. */
export type IncidentFeed = {
  readonly snapshot: () => FeedState
  /** Reads the feed from time to time while somebody listens and the page is seen. */
  readonly subscribe: (listener: () => void) => () => void
  /** Hides an incident until its title or its impact changes. */
  readonly hide: (incident: Incident) => void
}

type Kept = { readonly readAtMs: number; readonly text: string; readonly hidden: readonly string[] }

const NOTHING: FeedState = { lastReading: null, readAtMs: null, incidents: [], hidden: [] }

/** Returns the mark by which an incident is recognised as the one that was put away. */
export const markOf = ({ id, impact, title }: Incident): string => JSON.stringify([id, impact, title])

const isFresh = (readAtMs: number, nowMs: number): boolean => nowMs >= readAtMs && nowMs - readAtMs <= KEPT_MS

/** Returns what is left of a state at a time: of old incidents the marks alone, by which they are known again. */
export const agedAt = (state: FeedState, nowMs: number): FeedState =>
  state.readAtMs === null || isFresh(state.readAtMs, nowMs)
    ? state
    : { ...NOTHING, lastReading: state.lastReading, hidden: state.hidden }

/** Reads what an earlier page has kept: the marks, and within an hour the text of the feed, which is checked anew. */
export function readKept(
  stored: string | null,
  nowMs: number,
): { readonly state: FeedState; readonly text: string } {
  try {
    const { readAtMs, text, hidden } = JSON.parse(stored ?? 'null') as Kept
    const incidents = isFresh(readAtMs, nowMs) ? readIncidents(text) : null
    const marks = hidden.filter((one) => typeof one === 'string')
    if (incidents === null) return { state: { ...NOTHING, hidden: marks }, text: '' }
    return { state: { ...NOTHING, readAtMs, incidents, hidden: marks }, text }
  } catch {
    // Of another version, or written by something else.
  }
  return { state: NOTHING, text: '' }
}

function storedUnder(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    // Browsers may refuse storage. What was read then lasts as long as the page.
    return null
  }
}

/** Opens the feed at an address. `name` is that of its last reading in the storage of the browser. */
export function openIncidentFeed(url: string, name: string): IncidentFeed {
  const kept = readKept(storedUnder(name), Date.now())
  let { text } = kept

  function keep({ readAtMs, hidden }: FeedState): void {
    try {
      if (readAtMs !== null)
        localStorage.setItem(name, JSON.stringify({ readAtMs, text, hidden } satisfies Kept))
    } catch {
      // Browsers may refuse storage.
    }
  }

  async function read(): Promise<(before: FeedState) => FeedState> {
    const answer = await fetchFeed(url)
    const incidents = answer === null ? null : readIncidents(answer)
    if (answer === null || incidents === null) return (before) => ({ ...before, lastReading: 'failed' })
    const marks = incidents.map(markOf)
    text = answer
    return ({ hidden }) => {
      const state: FeedState = {
        lastReading: 'read',
        readAtMs: Date.now(),
        incidents,
        hidden: hidden.filter((one) => marks.includes(one)),
      }
      keep(state)
      return state
    }
  }

  const { snapshot, subscribe, publish } = createSeenSource(kept.state, {
    everyMs: READ_EVERY_MS,
    read,
    agedAt,
  })
  return {
    snapshot,
    subscribe,
    hide: (incident) => {
      const before = snapshot()
      const state = { ...before, hidden: [...before.hidden, markOf(incident)] }
      keep(state)
      publish(state)
    },
  }
}
