/** Rate limit: a number of permits that refills with time. */
export type Allowance = {
  /** Takes permits, one unless told otherwise; false if there are not as many. */
  readonly take: (count?: number) => boolean
  /** True if no permit is taken, so that the entry can be dropped. */
  readonly isFull: () => boolean
}

/**
 * @param parameters.perSecond how fast it grows
 * @param parameters.most how much can be done at once
 * @param parameters.now milliseconds that never go back
 */
export function createAllowance(parameters: {
  readonly perSecond: number
  readonly most: number
  readonly now: () => number
}): Allowance {
  const { perSecond, most, now } = parameters
  let left = most
  let at = now()
  const grown = (): number => {
    const next = now()
    left = Math.min(most, left + ((next - at) * perSecond) / 1_000)
    at = next
    return left
  }
  return {
    take: (count = 1) => {
      if (grown() < count) return false
      left -= count
      return true
    },
    isFull: () => grown() >= most,
  }
}
