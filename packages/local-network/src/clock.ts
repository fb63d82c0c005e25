/** Time as the network sees it; a test brings its own. */
export type Clock = {
  /** Unix milliseconds. */
  readonly now: () => number
  /** Milliseconds that only grow, for every age: the time of day may be put back. */
  readonly elapsedMs: () => number
  /** Runs `action` once after the delay; the answer cancels it. */
  readonly after: (delayMs: number, action: () => void) => () => void
}

/** Clock of this machine. */
export const systemClock: Clock = {
  now: Date.now,
  elapsedMs: () => performance.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs)
    return () => clearTimeout(timer)
  },
}

/**
 * Returns true if so much time has passed since a moment, or the moment lies ahead: a clock that was put back makes
 * nobody wait.
 */
export const hasPassed = (
  durationMs: number,
  { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
): boolean => sinceMs > nowMs || nowMs - sinceMs >= durationMs

/** A clock whose hands can be put elsewhere. */
export type AdjustableClock = {
  /** Unix milliseconds, with what it was put forward or back. */
  readonly now: () => number
  /** Returns the shift of the clock in ms; negative if it was put back. */
  readonly offsetMs: () => number
  readonly set: (offsetMs: number) => void
}

/**
 * Creates the clock of the network. Delays are not measured with it: a clock that is put back an hour must not keep
 * miners waiting for an hour.
 */
export function createAdjustableClock({ now }: Pick<Clock, 'now'>): AdjustableClock {
  let offset = 0
  return {
    now: () => now() + offset,
    offsetMs: () => offset,
    set(offsetMs) {
      offset = offsetMs
    },
  }
}
