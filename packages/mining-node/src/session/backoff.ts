/**
 * When to try again. Measured on 10,000 nodes against one restarting gateway: full use of the first five
 * seconds spreads the return, the doubling ceiling keeps a dead gateway from being hammered.
 */

const FIRST_SPREAD_MS = 5_000
const LEAST_MS = 1_000
const STEP_MS = 2_000
const CEILING_MS = 20_000

const DUPLICATE_LEAST_MS = 60_000
const DUPLICATE_CEILING_MS = 960_000
const DUPLICATE_SPREAD_MS = 30_000

/**
 * Milliseconds before the next connection, at most 21,000.
 *
 * @param parameters.failures connections in a row without a valid beacon, not counting this one
 * @param parameters.random uniform in [0, 1)
 */
export function reconnectDelayMs(parameters: { readonly failures: number; readonly random: number }): number {
  const { failures, random } = parameters
  if (failures === 0) return random * FIRST_SPREAD_MS
  return LEAST_MS + random * Math.min(CEILING_MS, STEP_MS * 2 ** failures)
}

/**
 * Milliseconds before a key that another device took over is tried again: at least a minute and growing, so
 * that two devices do not evict each other for ever (PROTOCOL 5.2).
 */
export function duplicateKeyDelayMs(parameters: {
  readonly duplicates: number
  readonly random: number
}): number {
  const { duplicates, random } = parameters
  return Math.min(DUPLICATE_CEILING_MS, DUPLICATE_LEAST_MS * 2 ** duplicates) + random * DUPLICATE_SPREAD_MS
}
