/** Balance of zero, as against less than the minimum. */
export const EMPTY_BAND = -9
const LOWEST_BAND = -8
const HIGHEST_BAND = 40

const bits = (units: bigint): number => units.toString(2).length

/** Returns the power of two of the minimum stake that a balance reaches; below it, bands are negative. */
export function stakeBand(amount: bigint, minimumStake: bigint): number {
  if (amount <= 0n) return EMPTY_BAND
  const minimum = minimumStake > 0n ? minimumStake : 1n
  if (amount >= minimum) return Math.min(bits(amount / minimum) - 1, HIGHEST_BAND)
  let band = -1
  while (band > LOWEST_BAND && amount << BigInt(-band) < minimum) band--
  return band
}
