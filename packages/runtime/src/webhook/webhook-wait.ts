const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 15 * 60_000

/**
 * Returns the wait before the next attempt, in ms: 1 s, twice as long each time, at most 15 minutes, a fifth more or less.
 *
 * @param attempts those that failed, at least one
 * @param random from 0 to 1
 */
export const webhookWait = (attempts: number, random: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1)) * (0.8 + 0.4 * random)
