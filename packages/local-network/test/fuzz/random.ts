/** Pseudo-random numbers that a seed repeats: mulberry32. */
export type Chance = {
  /** In [0, 1). */
  readonly next: () => number
  /** A whole number in [0, below). */
  readonly below: (below: number) => number
  readonly pick: <T>(list: readonly T[]) => T
  /** True with the probability. */
  readonly isLucky: (probability: number) => boolean
}

export function chance(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    pick: (list) => {
      const item = list[below(list.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    isLucky: (probability) => next() < probability,
  }
}
