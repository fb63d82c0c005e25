import type { Clock } from '@hailstone/client'
import type { ChainLink } from './read-chain.ts'

/** Decides when the height is asked for next. */
export type TipPace = {
  /**
   * Takes in an answered poll.
   *
   * @param links the newest calculated macroblocks, oldest first
   * @param isAsked false where the height was taken from a macroblock
   */
  readonly answered: (height: number, links: readonly ChainLink[], isAsked: boolean) => void
  /** A new key block was seen elsewhere: the next poll is due. */
  readonly expect: () => void
  readonly isDue: () => boolean
  /** True if the next macroblock should be there, by its time or since `expect` was called, and no further one. */
  readonly isOneExpected: () => boolean
}

/** Macroblocks whose times are compared. */
const MEASURED = 8
/** Longest pause before a macroblock is due: an API that went away is noticed within this time. */
const LONGEST_PAUSE_MS = 30_000
/** Longest pause while a macroblock is late. */
const LONGEST_LATE_MS = 15_000
/** Age beyond one block time, in ms, at which a key block that is seen first shows that a node is behind or a clock wrong. */
const SKEW_MS = 5_000
/** Heights in a row that are taken from macroblocks, and not asked for, where key blocks are that old. */
const UNASKED_LIMIT = 4

/**
 * Times polls by the chain: the next one is due when the next macroblock should be there, by the times in the last eight
 * key blocks, and after 30 s at the latest. While a macroblock is late the pauses are a quarter of its delay, from one poll
 * interval to 15 s. Until the block time is known, and while the newest macroblock is not calculated, a poll is due at each
 * interval. Each process has intervals of its own, so that those who watch do not ask all at once.
 *
 * The clocks of chain and machine are compared, not trusted: the smallest difference between the time of a key block and
 * its first sight counts as the offset of the two, and a macroblock is due between a half and a whole block time after the
 * last one was seen. By that alone, an API that was behind at the beginning stays behind: each macroblock is there when it
 * is due, and none of them is the newest. Where key blocks are not new by the machine's clock, every fifth height is therefore
 * asked for.
 */
export function createTipPace({ monotonicMs: now, now: wallNow }: Clock): TipPace {
  /** The open key block, and when its height was first seen. */
  let open = -1
  let seenAt = 0
  let wallSeenMs = 0
  /** True if the key block before it was new at its first sight, by the machine's clock. */
  let wasNew = false
  /** Heights since one was asked for. */
  let unasked = 0
  /** First sight minus time of the last key blocks. */
  let offsets: readonly number[] = []
  let nextAt = 0
  /** When the next macroblock should be there, and from when on the one after it may be, too. */
  let firstAt = 0
  let secondAt = 0

  return {
    isDue: () => now() >= nextAt,
    isOneExpected: () =>
      (nextAt === 0 || now() >= firstAt) && now() < secondAt && (wasNew || unasked < UNASKED_LIMIT),
    expect: () => {
      nextAt = 0
    },
    answered: (height, links, isAsked) => {
      unasked = isAsked ? 0 : unasked + 1
      const newest = links.at(-1)
      const isSettled = newest?.height === height - 1
      const at = now()
      const blockMs = blockTimeOf(links)
      if (isSettled && open === height - 1) {
        offsets = [...offsets, seenAt - newest.timeMs].slice(-MEASURED)
        wasNew = Math.abs(wallSeenMs - newest.timeMs) <= (blockMs ?? 0) + SKEW_MS
      }
      if (open !== height) {
        seenAt = at
        wallSeenMs = wallNow()
      }
      open = height
      if (!isSettled || blockMs === undefined) {
        nextAt = 0
        secondAt = 0
      } else {
        const expected = newest.timeMs + 2 * blockMs + Math.min(...offsets)
        firstAt = seenAt + Math.min(blockMs, Math.max(blockMs / 2, expected - seenAt))
        // Where the last one was late, the one after it may be there already.
        secondAt = Math.min(firstAt, expected) + blockMs / 2
        nextAt = Math.min(
          at + LONGEST_PAUSE_MS,
          Math.max(firstAt, at + Math.min(LONGEST_LATE_MS, (at - firstAt) / 4)),
        )
      }
    },
  }
}

/** Returns the lower quartile of the times between macroblocks in ms: some chains are irregular. */
function blockTimeOf(links: readonly ChainLink[]): number | undefined {
  const recent = links.slice(-MEASURED - 1)
  const times = recent.slice(1).map(({ timeMs }, at) => timeMs - (recent[at]?.timeMs ?? 0))
  return times.sort((one, other) => one - other)[(times.length - 1) >> 2]
}
