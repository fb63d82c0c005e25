/** Blocks of a day at the public network's fifteen seconds, the unit of expected returns (PROTOCOL 3.5.13). */
export const PUBLIC_BLOCKS_PER_DAY = 5760n

const DAY_MS = 24 * 60 * 60 * 1000

/** Returns the number of blocks that this network closes in a day. */
export const blocksOfOneDay = (blockTimeMs: number): number => Math.ceil(DAY_MS / blockTimeMs)
