import type { SessionClock } from './clock.ts'
import type { TimerName } from './input.ts'

/** The session's timers by name; at most one of each. */
export type Timers = {
  readonly schedule: (timer: TimerName, delayMs: number) => void
  readonly cancelAll: () => void
}

export function createTimers(clock: SessionClock, onFired: (timer: TimerName) => void): Timers {
  const ends = new Map<TimerName, () => void>()
  return {
    schedule: (timer, delayMs) => {
      ends.get(timer)?.()
      ends.set(
        timer,
        clock.after(delayMs, () => onFired(timer)),
      )
    },
    cancelAll: () => {
      for (const end of ends.values()) end()
    },
  }
}
