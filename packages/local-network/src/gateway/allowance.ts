/** Frames that a connection may send: so many at once, and so many per second after that. */
export type Allowance = {
  /** Spends units. Returns the time in ms until the balance is positive again, 0 if it is. */
  readonly spend: (units: number) => number
}

export function createAllowance(parameters: {
  readonly perSecond: number
  readonly atOnce: number
  /** @default performance.now */
  readonly now?: (() => number) | undefined
}): Allowance {
  const { perSecond, atOnce, now = () => performance.now() } = parameters
  let balance = atOnce
  let asOf = now()
  return {
    spend(units) {
      const at = now()
      balance = Math.min(atOnce, balance + ((at - asOf) / 1000) * perSecond) - units
      asOf = at
      return balance >= 0 ? 0 : Math.ceil((-balance / perSecond) * 1000)
    },
  }
}
