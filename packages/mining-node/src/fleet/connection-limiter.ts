import type { SessionClock } from '../session/clock.ts'
import type { FleetPool } from './fleet-pool.ts'

/** Begins nodes as they come, a bounded number at a time. */
export type ConnectionLimiter = {
  readonly add: (index: number) => void
  /** Resolves when all that were added have begun, or when it is no longer wanted. */
  readonly done: (isUnwanted: () => boolean) => Promise<void>
}

/** Interval between checks for a free slot, in ms. */
const LOOK_EVERY_MS = 10

/** A thousand handshakes at once would time each other out; those under way are counted, not those that wait. */
export function createConnectionLimiter(
  pool: Pick<FleetPool, 'begin' | 'state'>,
  parallelism: number,
  clock: SessionClock,
): ConnectionLimiter {
  const waiting: number[] = []
  let at = 0
  const launch = (): void => {
    for (let room = parallelism - pool.state().status.connecting; room > 0 && at < waiting.length; room--) {
      pool.begin(waiting[at++] ?? 0)
    }
  }
  return {
    add: (index) => {
      waiting.push(index)
      launch()
    },
    done: async (isUnwanted) => {
      while (at < waiting.length && !isUnwanted()) {
        launch()
        await new Promise<void>((resolve) => void clock.after(LOOK_EVERY_MS, resolve))
      }
    },
  }
}
