/** Times of the last use of the app, as one tab has seen them. */
export type Idle = {
  /** Milliseconds since the last use in any tab. */
  readonly ms: number
  /** Clocks of the last look, in ms. */
  readonly steadyMs: number
  readonly wallMs: number
  /** Time of the last use in any tab, in Unix milliseconds, as stored for all tabs; null before the first use. */
  readonly stamp: string | null
}

export type Clocks = Omit<Idle, 'ms'>

/**
 * Returns the idle time after another look at the clocks. A wall clock that is set back takes nothing from it. One that
 * goes forward counts, because the steady clock of some systems stands still while they sleep. A stamp that has changed
 * tells of a use in another tab, at most as long ago as the last look.
 */
export function laterIdle(before: Idle, now: Clocks): Idle {
  const passedMs = Math.max(0, now.steadyMs - before.steadyMs, now.wallMs - before.wallMs)
  const ageMs = now.wallMs - Number(now.stamp)
  const isUsed = now.stamp !== before.stamp && now.stamp !== null
  const usedMs = ageMs >= 0 && ageMs < passedMs ? ageMs : passedMs
  return { ...now, ms: isUsed ? usedMs : before.ms + passedMs }
}
