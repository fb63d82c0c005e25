import type { CursorStore } from './cursors/cursor-store.ts'
import { keptValue } from './cursors/kept-value.ts'
import type { SessionClock } from './session/clock.ts'

/** Time at which a session of this key on this machine was last alive. It tells a restart from a second device. */
export type OwnRecord = {
  /** In the time of the session's clock; nothing when it is not known. */
  readonly lastAliveAt: () => Promise<number | undefined>
  /** Notes that the session is alive, at most every ten seconds. */
  readonly alive: () => void
  readonly settled: () => Promise<unknown>
}

const NOTED_EVERY_MS = 10_000
/** Longest wait for a store that does not answer. */
const WAITS_MS = 2_000

/** A store that fails costs a false alarm after a restart, and nothing else. */
export function openOwnRecord(parameters: {
  readonly store: CursorStore
  readonly name: string
  readonly clock: SessionClock
}): OwnRecord {
  const { clock } = parameters
  const { read, write } = keptValue<number>(parameters)
  const none = (): null => null
  const inTime = async <T>(work: Promise<T>): Promise<T | null> => {
    let cancel = (): void => undefined
    const late = new Promise<null>((resolve) => {
      cancel = clock.after(WAITS_MS, () => resolve(null))
    })
    return Promise.race([work, late]).finally(() => cancel())
  }
  let notedAt = Number.NEGATIVE_INFINITY
  let writing: Promise<unknown> = Promise.resolve()
  return {
    lastAliveAt: async () => {
      const aliveAtMs = await inTime(read().catch(none))
      return aliveAtMs === null ? undefined : clock.now() - Math.max(0, clock.wallNow() - aliveAtMs)
    },
    alive: () => {
      if (clock.now() - notedAt < NOTED_EVERY_MS) return
      notedAt = clock.now()
      const aliveAtMs = clock.wallNow()
      writing = writing.then(() => write(aliveAtMs)).catch(none)
    },
    settled: () => inTime(writing),
  }
}
