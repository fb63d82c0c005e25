/** Limit of tries in a window of time, for each key. */
export type TryLimit = {
  /** Counts a try. Returns 0, or the ms until the next one is free; then nothing is counted. */
  readonly take: (key: string) => number
  /** Removes the newest try. */
  readonly giveBack: (key: string) => void
  /** Removes the tries of a key. */
  readonly clear: (key: string) => void
}

/** Keys in memory if nothing else is said; beyond it the oldest are forgotten, and those without a free try last of all. */
const MAX_KEYS = 10_000

export function createTryLimit(parameters: {
  readonly tries: number
  readonly windowMs: number
  readonly now: () => number
  /** Keys in memory; infinite where each try costs work enough to bound them within the window. @default 10,000 */
  readonly maxKeys?: number | undefined
}): TryLimit {
  const { tries, windowMs, now, maxKeys = MAX_KEYS } = parameters
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
  /** Forgets a key: one with free tries, since a closed one would be open again. */
  function forgetOne(): void {
    const [oldest] = times.keys()
    for (const key of times.keys()) if (recent(key).length < tries) return void times.delete(key)
    if (oldest !== undefined) times.delete(oldest)
  }
  return {
    take(key) {
      const before = recent(key)
      const [oldest] = before
      if (oldest !== undefined && before.length >= tries) return Math.max(1, oldest + windowMs - now())
      times.delete(key)
      forgetOld()
      if (times.size >= maxKeys) forgetOne()
      times.set(key, [...before, now()])
      return 0
    },
    giveBack(key) {
      const left = recent(key).slice(0, -1)
      if (left.length > 0) times.set(key, left)
      // An empty one would take the place of a key that counts.
      else times.delete(key)
    },
    clear: (key) => void times.delete(key),
  }
}
