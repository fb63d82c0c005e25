/** How much of something may still be done; it grows again with time. */
export type Allowance = {
  /** Whether one more may be done now; if so, it is counted. */
  readonly take: () => boolean
  /** As much as at the beginning: there is no need to remember it. */
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
    take: () => {
      if (grown() < 1) return false
      left -= 1
      return true
    },
    isFull: () => grown() >= most,
  }
}
