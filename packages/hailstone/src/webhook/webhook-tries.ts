/** Failed attempts at an event, and the time over which they were made; kept with the event from process to process. */
export type WebhookTries = {
  readonly failures: number
  /** Milliseconds in which a process tried; those between processes count for little. */
  readonly triedMs: number
  /** Of the last one, in Unix milliseconds. */
  readonly lastAtMs: number
}

export const NEVER_TRIED: WebhookTries = { failures: 0, triedMs: 0, lastAtMs: 0 }

export const EXPIRES_AFTER_MS = 24 * 3_600_000
/** A machine that slept made no attempts meanwhile, though its clock may say so. */
const LEAST_FAILURES = 5
/** What the time from an attempt of another process counts at most. */
const LONGEST_BETWEEN_MS = 60_000

/**
 * Adds a failed attempt.
 *
 * @param parameters.sinceLastMs by a clock that does not jump, since the one before of this process; null for its first
 * @param parameters.nowMs Unix milliseconds by the clock of the machine, which may be wrong
 */
export function withFailure(
  { failures, triedMs, lastAtMs }: WebhookTries,
  { sinceLastMs, nowMs }: { readonly sinceLastMs: number | null; readonly nowMs: number },
): WebhookTries {
  const betweenMs = failures === 0 ? 0 : Math.min(LONGEST_BETWEEN_MS, Math.max(0, nowMs - lastAtMs))
  return { failures: failures + 1, triedMs: triedMs + (sinceLastMs ?? betweenMs), lastAtMs: nowMs }
}

/** True once an event was tried for a day, not counting time in which no process ran. */
export const isGivenUp = ({ failures, triedMs }: WebhookTries): boolean =>
  failures >= LEAST_FAILURES && triedMs >= EXPIRES_AFTER_MS

/** Of an event that was kept without them, or with others: never tried. */
export function triesIn(value: unknown): WebhookTries {
  const { failures, triedMs, lastAtMs } = Object(value) as Record<string, unknown>
  const isTries = [failures, triedMs, lastAtMs].every((one) => Number.isFinite(one) && (one as number) >= 0)
  return isTries ? (value as WebhookTries) : NEVER_TRIED
}
