/** Time as the network sees it; a test brings its own. */
export type Clock = {
  /** Unix milliseconds. */
  readonly now: () => number
  /** Runs `action` once after the delay; the answer cancels it. */
  readonly after: (delayMs: number, action: () => void) => () => void
}

export const systemClock: Clock = {
  now: Date.now,
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs)
    return () => clearTimeout(timer)
  },
}
