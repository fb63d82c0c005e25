type Sizes = {
  /** For `npm test`: the smallest size at which the claim still means something. */
  readonly test: number
  /** For `npm run test:gates`: what every change has to pass before it lands. */
  readonly gates: number
  /** For `npm run test:night`. @default that of the gates */
  readonly night?: number
}

const tier = process.env.HAILSTONE_TIER

/**
 * True in `npm run test:gates` and `npm run test:night`: for what is too slow for every run of `npm test`, such as
 * browsers.
 */
export const isGatesTier: boolean = tier === 'gates' || tier === 'night'

/** True in those tiers, and where the environment variable asks for a size of its own. */
export const isGatesTierOr = (variable: string): boolean => isGatesTier || process.env[variable] !== undefined

function sizeOfTier({ test, gates, night = gates }: Sizes): number {
  if (tier === 'night') return night
  return tier === 'gates' ? gates : test
}

/**
 * Returns how large a gate is: the number in the environment variable if it is set, else the size of the tier that
 * runs. GATES.md names the variables.
 */
export const gateSize = (variable: string, sizes: Sizes): number =>
  Number(process.env[variable] ?? sizeOfTier(sizes))
