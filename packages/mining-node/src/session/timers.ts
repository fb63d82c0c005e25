import type { SessionClock } from './clock.ts'
import type { TimerName } from './input.ts'

/** The session's timers by name; at most one of each. */
export type Timers = {
  readonly schedule: (timer: TimerName, delayMs: number) => void
  readonly cancel: (timer: TimerName) => void
  readonly cancelAll: () => void
}

export function createTimers(clock: SessionClock, onFired: (timer: TimerName) => void): Timers {
  const running = new Map<TimerName, () => void>()
  const cancel = (timer: TimerName): void => {
    running.get(timer)?.()
    running.delete(timer)
  }
  return {
    cancel,
    schedule: (timer, delayMs) => {
      cancel(timer)
      const end = clock.after(delayMs, () => {
        running.delete(timer)
        onFired(timer)
      })
      running.set(timer, end)
    },
    cancelAll: () => {
      for (const timer of running.keys()) cancel(timer)
    },
  }
}
