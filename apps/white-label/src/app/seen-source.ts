const TICK_MS = 10_000

/** A value that is read from time to time while somebody listens and the page is seen. */
export type SeenSource<T> = {
  readonly snapshot: () => T
  readonly subscribe: (listener: () => void) => () => void
  readonly publish: (value: T) => void
}

/** Creates a source of a value that is read on its first listener, and from then on while the page is seen. */
export function createSeenSource<T>(
  first: T,
  rules: {
    /** Time between two readings, in ms. */
    readonly everyMs: number
    /** Resolves with the change that a reading makes. A reading that fails leaves the value, which ages. */
    readonly read: () => Promise<(before: T) => T>
    /** Returns what is left of a value at a time. */
    readonly agedAt: (value: T, nowMs: number) => T
  },
): SeenSource<T> {
  const listeners = new Set<() => void>()
  let value = first
  let triedAtMs = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setInterval> | undefined

  function publish(next: T): void {
    if (next === value) return
    value = next
    for (const listener of listeners) listener()
  }

  function tick(): void {
    const now = Date.now()
    publish(rules.agedAt(value, now))
    const sinceMs = now - triedAtMs
    // A clock that was set back ends no wait by itself.
    if (document.hidden || (sinceMs >= 0 && sinceMs < rules.everyMs)) return
    triedAtMs = now
    rules.read().then(
      (change) => publish(change(value)),
      () => undefined,
    )
  }

  return {
    snapshot: () => value,
    publish,
    subscribe: (listener) => {
      listeners.add(listener)
      if (timer === undefined) {
        timer = setInterval(tick, TICK_MS)
        document.addEventListener('visibilitychange', tick)
        tick()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
        document.removeEventListener('visibilitychange', tick)
      }
    },
  }
}
