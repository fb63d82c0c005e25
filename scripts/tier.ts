import process from 'node:process'

const tiers = ['test', 'gates', 'night'] as const
export type Tier = (typeof tiers)[number]

/** Tier that runs: of `npm test`, `npm run test:gates` or `npm run test:night`; undefined for files started by hand. */
export const tier: Tier | undefined = tiers.find((one) => one === process.env.HAILSTONE_TIER)
