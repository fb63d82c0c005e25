/** The middle of all values; with an even number the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

/**
 * The smallest value that at least so many percent of all do not exceed.
 *
 * @throws {RangeError} without values
 */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  const place = Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)
  const value = sorted[place]
  if (value === undefined) throw new RangeError('no values to choose from')
  return value
}

/** A generator that gives the same numbers in [0, 1) for the same seed, so that a report can be computed again. */
export function seededRandomness(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export type Interval = { readonly median: number; readonly low: number; readonly high: number }

const RESAMPLES = 2_000

/**
 * The ratio of two medians with its 95 % interval: the values are drawn again, with replacement, two thousand times.
 *
 * @param over what is compared, of the same unit as `under`
 */
export function ratioInterval(over: readonly number[], under: readonly number[]): Interval {
  const randomness = seededRandomness(over.length * 31 + under.length)
  const drawn = (values: readonly number[]) =>
    values.map(() => values[Math.floor(randomness() * values.length)] ?? 0)
  const ratios = Array.from({ length: RESAMPLES }, () => median(drawn(over)) / median(drawn(under)))
  return {
    median: median(over) / median(under),
    low: percentile(ratios, 2.5),
    high: percentile(ratios, 97.5),
  }
}
