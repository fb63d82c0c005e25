/** Random numbers of one run: the same seed gives the same draws in the same order. */
export type Chance = {
  /** Uniform in [0, 1), with 53 bits. */
  readonly next: () => number
  readonly is: (probability: number) => boolean
  /** Returns an integer from `from` to `to`, both included. */
  readonly whole: (from: number, to: number) => number
  /** Milliseconds in [from, to), in whole microseconds for readable traces. */
  readonly ms: (from: number, to: number) => number
  readonly pick: <T>(items: readonly [T, ...T[]]) => T
  /** Number of draws so far, for the trace. */
  readonly drawn: () => number
}

/** Mulberry32, two draws per number. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  let drawn = 0
  const bits = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  // Neighbouring seeds begin alike.
  for (let turn = 0; turn < 4; turn++) bits()
  const next = (): number => {
    drawn++
    return ((bits() >>> 5) * 2 ** 26 + (bits() >>> 6)) / 2 ** 53
  }
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    whole,
    is: (probability) => next() < probability,
    ms: (from, to) => Math.floor((from + next() * (to - from)) * 1_000) / 1_000,
    pick: (items) => items[whole(0, items.length - 1)] ?? items[0],
    drawn: () => drawn,
  }
}
