import type { Clock } from '../../src/node.ts'
import { onAbort } from '../../src/transport/on-abort.ts'

type Sleeper = { readonly atMs: number; readonly wake: () => void }

/** Time that only passes when everybody sleeps: the earliest sleeper is woken next. */
export type VirtualClock = Clock & {
  /** Lets time pass until something holds. Throws when it does not within the virtual time given. */
  readonly runUntil: (isDone: () => boolean, limitMs: number) => Promise<void>
  /** Something that happens at regular times. */
  readonly every: (periodMs: number, happen: () => void) => void
}

const idle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function virtualClock(): VirtualClock {
  const sleepers: Sleeper[] = []
  let nowMs = 0
  const add = (sleeper: Sleeper): void => {
    const place = sleepers.findIndex(({ atMs }) => atMs > sleeper.atMs)
    sleepers.splice(place === -1 ? sleepers.length : place, 0, sleeper)
  }
  const every = (periodMs: number, happen: () => void): void =>
    add({
      atMs: nowMs + periodMs,
      wake: () => {
        happen()
        every(periodMs, happen)
      },
    })
  return {
    now: () => 1_700_000_000_000 + nowMs,
    monotonicMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const takeBack = onAbort(signal, () => reject(signal?.reason))
        add({
          atMs: nowMs + ms,
          wake: () => {
            takeBack()
            resolve()
          },
        })
      }),
    every,
    runUntil: async (isDone, limitMs) => {
      const endMs = nowMs + limitMs
      for (await idle(); !isDone(); await idle()) {
        const [next] = sleepers
        if (next === undefined || next.atMs > endMs) throw new Error(`not done after ${limitMs} virtual ms`)
        sleepers.shift()
        nowMs = Math.max(nowMs, next.atMs)
        next.wake()
      }
    },
  }
}
