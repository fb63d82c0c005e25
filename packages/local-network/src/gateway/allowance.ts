/**
 * Frames that a connection may send: so many at once, and so many per second after that. For row A-7; plug-ins of Fastify
 * see an upgrade, and no frame after it.
 */
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
  if (perSecond === Number.POSITIVE_INFINITY) return { spend: () => 0 }
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

/** Allowances by key, which a miner does not get anew by connecting again. */
export type KeyAllowances = {
  /** Spends units of a key, as `Allowance` does. */
  readonly spend: (key: string, units: number) => number
}

/** Keys of which the allowance is known; those that were used least lately are forgotten. */
const MAX_KEYS = 16_384

export function createKeyAllowances(parameters: Parameters<typeof createAllowance>[0]): KeyAllowances {
  const allowances = new Map<string, Allowance>()
  return {
    spend(key, units) {
      const allowance = allowances.get(key) ?? createAllowance(parameters)
      // A map keeps the order of insertion: what was used last is at its end.
      allowances.delete(key)
      allowances.set(key, allowance)
      const [oldest] = allowances.size > MAX_KEYS ? allowances.keys() : []
      if (oldest !== undefined) allowances.delete(oldest)
      return allowance.spend(units)
    },
  }
}
