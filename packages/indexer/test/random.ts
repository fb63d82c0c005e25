/** Draws the same numbers for the same seed. */
export type Random = {
  /** A whole number from 0 to one below the limit. */
  readonly below: (limit: number) => number
  readonly pick: <T>(from: readonly T[]) => T
}

/** Returns a generator of the family of xorshift, which is even enough for tests. */
export function randomOf(seed: number): Random {
  let state = (seed + 1) * 2_654_435_761
  const below = (limit: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % limit
  }
  for (let left = 8; left > 0; left--) below(2)
  return {
    below,
    pick: (from) => {
      const found = from[below(from.length)]
      if (found === undefined) throw new Error('nothing to pick from')
      return found
    },
  }
}
