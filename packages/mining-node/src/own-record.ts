import type { SessionClock } from './session/clock.ts'
import type { CursorStore } from './watchers/cursor-store.ts'

/** When a session of a key on this machine was last alive: a restart is told from a second device by it. */
export type OwnRecord = {
  /** In the time of the session's clock; nothing when it is not known. */
  readonly lastAliveAt: () => Promise<number | undefined>
  /** Notes that the session is alive, at most every ten seconds. */
  readonly alive: () => void
  readonly settled: () => Promise<void>
}

const NOTED_EVERY_MS = 10_000

/** A store that fails costs a false alarm after a restart, and nothing else. */
export function openOwnRecord(parameters: {
  readonly store: CursorStore
  readonly name: string
  readonly clock: SessionClock
}): OwnRecord {
  const { store, name, clock } = parameters
  const wallNow = clock.wallNow ?? clock.now
  let notedAt = Number.NEGATIVE_INFINITY
  let writing: Promise<void> = Promise.resolve()
  return {
    lastAliveAt: async () => {
      const text = await store.read(name).catch(() => null)
      const [, aliveAtMs] = /"aliveAtMs":(\d+)/.exec(String(text)) ?? []
      const agoMs = wallNow() - Number(aliveAtMs)
      return aliveAtMs === undefined ? undefined : clock.now() - Math.max(0, agoMs)
    },
    alive: () => {
      if (wallNow() - notedAt < NOTED_EVERY_MS) return
      notedAt = wallNow()
      const text = `{"version":1,"aliveAtMs":${Math.round(notedAt)}}`
      writing = writing.then(() => store.write(name, text)).catch(() => undefined)
    },
    settled: () => writing,
  }
}
