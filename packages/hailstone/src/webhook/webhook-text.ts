import type { WebhookReport } from './open-webhooks.ts'

/** Writes a time of this machine: `22:14:05`, with the date in front if it was on another day. */
function timeText(atMs: number, nowMs: number): string {
  const [at, now] = [new Date(atMs), new Date(nowMs)]
  const time = at.toTimeString().slice(0, 8)
  if (at.toDateString() === now.toDateString()) return time
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}`
}

/** Returns the lines of a live screen about webhooks: none while they are delivered. */
export function webhookWarnings(
  { fault, pending, expired }: Pick<WebhookReport, 'fault' | 'pending' | 'expired'>,
  nowMs: number,
): readonly string[] {
  const since = fault && `webhooks since ${timeText(fault.sinceMs, nowMs)}: ${fault.why}; ${pending} wait`
  return [
    ...(since === null ? [] : [since]),
    ...(expired === 0 ? [] : [`webhooks: ${expired} given up, nobody took them for a day`]),
  ]
}

/** Returns what `hailstone status` says about webhooks: the counts, and the sentence of what goes wrong. */
export function webhookStatus(report: WebhookReport, nowMs: number): readonly string[] {
  const { delivered, pending, failedAttempts, expired, fault } = report
  const counts = `${delivered} delivered, ${pending} wait, ${failedAttempts} attempts failed`
  const lost = expired === 0 ? '' : `, ${expired} given up`
  return [
    counts + lost,
    ...(fault === null ? [] : [`since ${timeText(fault.sinceMs, nowMs)}: ${fault.message}`]),
  ]
}
