/** Decides at which macroblocks an account is read. */
export type ReadingPace = {
  /** A macroblock was calculated. */
  readonly macroblock: () => void
  /** The network was asked for its height and stands where it did. */
  readonly answered: () => void
  /** There is reason to read now. */
  readonly now: () => void
}

/** More than one, or the macroblock that is in time would find that its reading was made up for just before. */
const PATIENCE_IN_BLOCKS = 1.25

/**
 * Reads at every second macroblock, and a good block time after one that was passed over: an account changes more
 * seldom than the chain grows, so this halves the load of all who watch and delays the news by a block at most. It
 * needs no timer: nothing is read but right after the network showed where it stands.
 */
export function readingPace(parameters: {
  readonly now: () => number
  readonly blockTimeMs: number
  readonly read: () => void
}): ReadingPace {
  const { blockTimeMs, read } = parameters
  /** When a macroblock that was passed over is made up for; null when none was. */
  let dueAt: number | null = null
  let isNext = true

  const now = (): void => {
    dueAt = null
    isNext = false
    read()
  }

  return {
    now,
    macroblock: () => {
      if (isNext) return now()
      isNext = true
      dueAt ??= parameters.now() + PATIENCE_IN_BLOCKS * blockTimeMs
    },
    answered: () => {
      if (dueAt !== null && parameters.now() >= dueAt) now()
    },
  }
}
