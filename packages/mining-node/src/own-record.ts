import type { CursorStore } from './watchers/cursor-store.ts'
import { keptValue } from './watchers/kept-value.ts'

/** When a session of a key on this machine was last alive: a restart is told from a second device by it. */
export type OwnRecord = {
  /** Unix milliseconds; null when it is not known. */
  readonly lastAliveMs: () => Promise<number | null>
  /** Notes that the session is alive, at most every ten seconds. */
  readonly alive: () => void
  readonly settled: () => Promise<unknown>
}

const NOTED_EVERY_MS = 10_000

/** A store that fails costs a false alarm after a restart, and nothing else. */
export function openOwnRecord(parameters: {
  readonly store: CursorStore
  readonly name: string
  readonly now: () => number
}): OwnRecord {
  const { now } = parameters
  const { read, write } = keptValue<number>(parameters)
  const none = (): null => null
  let notedAt = Number.NEGATIVE_INFINITY
  let writing: Promise<unknown> = Promise.resolve()
  return {
    lastAliveMs: () => read().catch(none),
    alive: () => {
      if (now() - notedAt < NOTED_EVERY_MS) return
      notedAt = now()
      writing = writing.then(() => write(notedAt)).catch(none)
    },
    settled: () => writing,
  }
}
