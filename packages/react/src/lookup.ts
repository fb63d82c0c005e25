import { type Claim, isProved, type Proof, repeated } from '@hailstone/runtime'
import { answered } from './answered.ts'
import { type Failure, failureOf, type Reading } from './reading.ts'

/** A repeated request whose last answer is shared by many components. */
export type Lookup<T> = {
  readonly snapshot: () => Reading<T>
  /** Repeats the request while there is at least one listener. Returns the unsubscribe function. */
  readonly subscribe: (listener: () => void) => () => void
  /** Requests now. */
  readonly refresh: () => void
}

const MIN_PAUSE_MS = 2_000
/** An answer that there is nothing, from a node that may be behind or have just started. */
const NOTHING_THERE: Proof = { answers: 3 }

/**
 * Repeats a request every `everyMs` while there are listeners; sooner after a failure. The answer null counts when it was
 * repeated; until then `nothingYet` says why there is no value.
 */
export function createLookup<T>(parameters: {
  readonly ask: () => Promise<T>
  readonly everyMs: number
  readonly nothingYet: string
}): Lookup<T> {
  const { ask, everyMs, nothingYet } = parameters
  const listeners = new Set<() => void>()
  let reading: Reading<T> = { status: 'loading' }
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  /** By a clock that nobody sets. */
  let readAt = 0
  let isAsking = false
  let nothing: Claim | null = null

  function publish(next: Reading<T>): void {
    reading = next
    for (const listener of [...listeners]) listener()
  }

  function schedule(delayMs: number): void {
    clearTimeout(timer)
    timer = listeners.size === 0 ? undefined : setTimeout(refresh, delayMs)
  }

  async function askOnce(): Promise<void> {
    try {
      const value = await answered(ask())
      nothing = value === null ? repeated(nothing, { source: '', atMs: 0 }) : null
      if (value === null && !isProved(nothing, NOTHING_THERE)) throw new Error(nothingYet)
      failures = 0
      readAt = performance.now()
      publish({ status: 'ready', value, readAtMs: Date.now() })
      schedule(everyMs)
    } catch (error) {
      failures++
      publish(failedReading(reading, failureOf(error)))
      schedule(Math.min(everyMs, MIN_PAUSE_MS * 2 ** Math.min(failures, 6)))
    } finally {
      isAsking = false
    }
  }

  function refresh(): void {
    if (isAsking) return
    isAsking = true
    void askOnce()
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    const age = reading.status === 'ready' ? performance.now() - readAt : everyMs
    if (listeners.size === 1) {
      if (age >= everyMs) refresh()
      else schedule(everyMs - age)
    }
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) clearTimeout(timer)
    }
  }
  return { snapshot: () => reading, subscribe, refresh }
}

/** Returns the reading after a failure: `stale` if a value was read before, else `failed`. */
function failedReading<T>(before: Reading<T>, failure: Failure): Reading<T> {
  if (before.status === 'loading' || before.status === 'failed') return { status: 'failed', ...failure }
  const { value, readAtMs } = before
  return { status: 'stale', value, readAtMs, ...failure }
}
