import { type Clock, systemTime } from '@hailstone/client'

/** Time as the session needs it: callbacks, because a timer that is cancelled must leave nothing behind. */
export type SessionClock = {
  /** Milliseconds that never go backwards: Unix time at the start, counted on monotonically. */
  readonly now: () => number
  /** Unix milliseconds of the wall clock, which may jump. */
  readonly wallNow: () => number
  /** Calls back once; the returned function ends the wait and may be called at any time. */
  readonly after: (delayMs: number, callback: () => void) => () => void
}

/** Turns the clock of a program into that of its session. */
export function sessionClock(clock?: Clock): SessionClock {
  const time: Clock | typeof systemTime = clock ?? systemTime
  const epochMs = time.now() - time.monotonicMs()
  return {
    now: () => epochMs + time.monotonicMs(),
    wallNow: () => time.now(),
    after: time.after ?? afterBy(time as Clock),
  }
}

const afterBy =
  (clock: Clock): SessionClock['after'] =>
  (delayMs, callback) => {
    const controller = new AbortController()
    const { signal } = controller
    clock.sleep(delayMs, signal).then(
      () => {
        if (!signal.aborted) callback()
      },
      (error: unknown) => {
        if (!signal.aborted) throw error
      },
    )
    return () => controller.abort()
  }
