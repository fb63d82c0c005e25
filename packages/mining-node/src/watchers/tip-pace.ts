import type { ClientCore } from '@hailstone/client'
import type { ChainLink } from './read-chain.ts'
import { POLL_INTERVAL_MS } from './watch-handle.ts'

/** Decides when the height is asked for next. */
export type TipPace = {
  /**
   * Takes in an answered poll.
   *
   * @param parameters.links the newest calculated macroblocks, oldest first
   */
  readonly answered: (parameters: { readonly height: number; readonly links: readonly ChainLink[] }) => void
  /** A new key block was seen elsewhere. Returns the ms after which to ask. */
  readonly expect: () => number
  /** Milliseconds to the next poll. */
  readonly pauseMs: () => number
}

/** Macroblocks whose times are compared. */
const MEASURED = 8
/** Longest pause before a macroblock is due: an API that went away is noticed within this time. */
const LONGEST_PAUSE_MS = 30_000
/** Longest pause while a macroblock is late. */
const LONGEST_LATE_MS = 15_000
const SHORTEST_STEP_MS = 100

/**
 * Times polls by the chain: the next question comes when the next macroblock is due, by the times in the last eight key
 * blocks; up to a sixteenth of the block time and 1 s sooner or later, by chance, so that those who watch do not ask all
 * at once, and an early question without news shows how late the others were. It comes after 30 s at the latest. While a macroblock is late the pauses are a quarter of its delay, from an eighth of
 * the block time (at least 100 ms, at most 2 s) to 15 s. Until the block time is known, and while the newest macroblock
 * is not calculated, polls are 2 s apart.
 *
 * The clocks of chain and machine are compared, not trusted: the smallest difference between the time of a key block and
 * its first sight counts as the offset of the two, and a macroblock is never due later than one block time after the
 * last one was seen.
 */
export function createTipPace({ clock, randomness }: Pick<ClientCore, 'clock' | 'randomness'>): TipPace {
  const now = clock.monotonicMs
  /** The open key block, and when its height was first seen. */
  let open: { readonly height: number; readonly seenAt: number } | null = null
  /** First sight minus time of the last key blocks. */
  let offsets: readonly number[] = []
  let stepMs = POLL_INTERVAL_MS
  /** Null while no block time is known. */
  let dueAt: number | null = null

  function answered({ height, links }: Parameters<TipPace['answered']>[0]): void {
    const newest = links.at(-1)
    const before = open
    if (newest?.height === height - 1 && before?.height === height && dueAt !== null) return
    const isNext = before?.height === height - 1
    if (before?.height !== height) open = { height, seenAt: now() }
    dueAt = null
    if (newest?.height !== height - 1 || open === null) return
    if (isNext) offsets = [...offsets, before.seenAt - newest.timeMs].slice(1 - MEASURED)
    const blockMs = blockTimeOf(links)
    if (blockMs === null) return
    stepMs = Math.min(POLL_INTERVAL_MS, Math.max(SHORTEST_STEP_MS, blockMs / 8))
    const expected = newest.timeMs + 2 * blockMs + Math.min(...offsets)
    const earliest = open.seenAt + (isNext ? blockMs / 2 : 0)
    dueAt = Math.min(open.seenAt + blockMs, Math.max(earliest, expected))
  }

  function pauseMs(): number {
    if (dueAt === null) return POLL_INTERVAL_MS
    const aheadMs = dueAt - now()
    if (aheadMs > 0) return Math.min(LONGEST_PAUSE_MS, Math.max(0, aheadMs + (randomness() - 0.5) * stepMs))
    return Math.max(stepMs, Math.min(LONGEST_LATE_MS, -aheadMs / 4)) * (0.75 + randomness() / 4)
  }

  return {
    answered,
    pauseMs,
    expect: () => {
      if (dueAt !== null) dueAt = Math.min(dueAt, now())
      return randomness() * stepMs
    },
  }
}

/** Returns the lower quartile of the times between macroblocks in ms: some chains are irregular. */
function blockTimeOf(links: readonly ChainLink[]): number | null {
  const recent = links.slice(-MEASURED - 1)
  const times = recent.slice(1).map(({ height, timeMs }, at) => {
    const below = recent[at] as ChainLink
    return (timeMs - below.timeMs) / (height - below.height)
  })
  return times.sort((one, other) => one - other)[(times.length - 1) >> 2] ?? null
}
