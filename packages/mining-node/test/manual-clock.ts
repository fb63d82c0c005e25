import type { Clock } from '@hailstone/client'
import type { SessionClock } from '../src/session/clock.ts'

type Timer = { readonly atMs: number; readonly callback: () => void }

/** Time of a session or a node that passes only when a test says so, however slow the machine is. */
export type ManualClock = SessionClock &
  Clock & {
    /** Lets so many milliseconds pass and calls back, in order, what falls due meanwhile. */
    readonly advance: (ms: number) => void
  }

export function manualClock(): ManualClock {
  const timers = new Set<Timer>()
  let nowMs = Date.UTC(2026, 0, 1)
  const nextUntil = (endMs: number): Timer | undefined =>
    [...timers].filter(({ atMs }) => atMs <= endMs).sort((one, other) => one.atMs - other.atMs)[0]
  const after: SessionClock['after'] = (delayMs, callback) => {
    const timer = { atMs: nowMs + delayMs, callback }
    timers.add(timer)
    return () => void timers.delete(timer)
  }
  return {
    now: () => nowMs,
    wallNow: () => nowMs,
    monotonicMs: () => nowMs,
    after,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const cancel = after(ms, () => {
          signal?.removeEventListener('abort', abort)
          resolve()
        })
        const abort = (): void => {
          cancel()
          reject(signal?.reason)
        }
        signal?.addEventListener('abort', abort, { once: true })
      }),
    advance: (ms) => {
      const endMs = nowMs + ms
      for (let timer = nextUntil(endMs); timer !== undefined; timer = nextUntil(endMs)) {
        timers.delete(timer)
        nowMs = timer.atMs
        timer.callback()
      }
      nowMs = endMs
    },
  }
}
