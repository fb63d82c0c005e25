import type { PinnedCore } from '@hailstone/client'
import type { ChainLink } from './read-chain.ts'

/** When an answer came, by the clock and by the chain. */
export type Moment = {
  /** Of the newest macroblock. */
  readonly height: number
  /** Unix milliseconds of its key block. */
  readonly timeMs: number
  /** Milliseconds of a clock that does not jump. */
  readonly atMs: number
}

export const momentOf = ({ clock }: PinnedCore, at: ChainLink | null): Moment => ({
  height: at?.height ?? 0,
  timeMs: at?.timeMs ?? 0,
  atMs: clock.monotonicMs(),
})

/**
 * Milliseconds from one moment to a later one, by the clock or by the key blocks, whichever is less. A node that is behind
 * catches up in this time; it does not while all nodes stand still, or while macroblocks of minutes are read at once.
 */
export const passedMs = (since: Moment, now: Moment): number =>
  Math.max(0, Math.min(now.atMs - since.atMs, now.timeMs - since.timeMs))
