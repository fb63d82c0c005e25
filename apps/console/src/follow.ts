import { setTimeout } from 'node:timers/promises'
import type { Alerts } from './alerts/alerts.ts'
import type { Follower } from './open-follower.ts'

const POLL_MS = 2000

/**
 * Reads what is new every two seconds until the signal; a failure is shown on the page and tried again.
 *
 * @param alerts are judged after each look
 */
export async function follow(
  { follower, alerts }: { readonly follower: Follower; readonly alerts: Pick<Alerts, 'evaluateIfDue'> },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await follower.catchUp().catch(() => {})
    await alerts.evaluateIfDue().catch(() => {})
    await setTimeout(POLL_MS, undefined, { signal }).catch(() => {})
  }
}
