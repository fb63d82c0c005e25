/** Longest pause while the API does not answer. */
const CEILING_MS = 15_000

/**
 * Milliseconds to the next attempt: the interval while all is well, doubling with jitter while it is not.
 *
 * @param parameters.failures in a row
 * @param parameters.random uniform in [0, 1)
 */
export function pollDelayMs(parameters: {
  readonly intervalMs: number
  readonly failures: number
  readonly random: number
}): number {
  const { intervalMs, failures, random } = parameters
  if (failures === 0) return intervalMs
  const spreadMs = Math.min(Math.max(CEILING_MS, intervalMs), intervalMs * 2 ** failures)
  return spreadMs * (0.5 + random / 2)
}
