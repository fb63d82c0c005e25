/**
 * Returns a limit of tries in a window of time, for each key. A call counts a try and returns 0, or the ms until the next
 * one is free; then nothing is counted. Keys are forgotten after the window; strangers must not be able to invent them.
 */
export function createTryLimit(parameters: {
  readonly tries: number
  readonly windowMs: number
  readonly now: () => number
}): (key: string) => number {
  const { tries, windowMs, now } = parameters
  const times = new Map<string, readonly number[]>()
  const recent = (key: string): readonly number[] =>
    (times.get(key) ?? []).filter((time) => time > now() - windowMs)
  /** Forgets what is older than the window; the keys are in the order of their newest tries. */
  function forgetOld(): void {
    for (const key of times.keys()) {
      if (recent(key).length > 0) return
      times.delete(key)
    }
  }
  return (key) => {
    const before = recent(key)
    const [oldest] = before
    if (oldest !== undefined && before.length >= tries) return Math.max(1, oldest + windowMs - now())
    times.delete(key)
    forgetOld()
    times.set(key, [...before, now()])
    return 0
  }
}
