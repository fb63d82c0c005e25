import type { Clock } from '../../src/node.ts'

/** A clock on which sleeping is what makes time pass; nothing waits in reality. */
export function manualClock(): Clock & {
  readonly slept: readonly number[]
  readonly pass: (ms: number) => void
} {
  const slept: number[] = []
  let nowMs = 0
  return {
    slept,
    now: () => 1_700_000_000_000 + nowMs,
    monotonicMs: () => nowMs,
    pass: (ms) => {
      nowMs += ms
    },
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      slept.push(ms)
      nowMs += ms
    },
  }
}
