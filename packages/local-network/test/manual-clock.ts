import type { Clock } from '../src/clock.ts'

/** A clock that stands still until it is told to move. */
export type ManualClock = Clock & {
  /** Runs whatever falls due on the way, in its order. */
  readonly advance: (byMs: number) => Promise<void>
  /** Timers that are set. */
  readonly timers: () => number
}

export function manualClock(startMs = 1_700_000_000_000): ManualClock {
  let now = startMs
  const timers = new Map<object, { readonly at: number; readonly action: () => void }>()
  const due = (until: number) =>
    [...timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at)[0]
  return {
    now: () => now,
    elapsedMs: () => now,
    after(delayMs, action) {
      const key = {}
      timers.set(key, { at: now + delayMs, action })
      return () => timers.delete(key)
    },
    async advance(byMs) {
      const end = now + byMs
      for (let next = due(end); next !== undefined; next = due(end)) {
        timers.delete(next[0])
        now = Math.max(now, next[1].at)
        next[1].action()
        // Lets the promises of the action run before time goes on.
        await new Promise((resolve) => setImmediate(resolve))
      }
      now = end
    },
    timers: () => timers.size,
  }
}
