import type { Clock } from '@hailstone/client'

/** Time that passes when a test says so; everything due on the way happens in its order. */
export type SteppedClock = Clock & {
  readonly advance: (byMs: number) => Promise<void>
  /** Returns the number of sleepers. */
  readonly sleeping: () => number
}

type Sleeper = { readonly at: number; readonly wake: () => void }

/** Lets every promise that can go on go on. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function steppedClock(): SteppedClock {
  const sleepers = new Set<Sleeper>()
  let nowMs = 0
  const earliest = (until: number): Sleeper | undefined =>
    [...sleepers].filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0]
  return {
    now: () => 1_700_000_000_000 + nowMs,
    monotonicMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const end = (): void => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', cancel)
        }
        const cancel = (): void => {
          end()
          reject(signal?.reason)
        }
        const sleeper = {
          at: nowMs + ms,
          wake: () => {
            end()
            resolve()
          },
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', cancel)
      }),
    sleeping: () => sleepers.size,
    advance: async (byMs) => {
      const end = nowMs + byMs
      await settle()
      for (let next = earliest(end); next !== undefined; next = earliest(end)) {
        sleepers.delete(next)
        nowMs = Math.max(nowMs, next.at)
        next.wake()
        await settle()
      }
      nowMs = end
    },
  }
}
