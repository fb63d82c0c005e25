import { setTimeout } from 'node:timers/promises'
import { isNodeError } from '@hailstone/client'
import type { Alerts } from './alerts/alerts.ts'
import type { Follower } from './open-follower.ts'

const POLL_MS = 2000

const NOT_JUDGED = 'Alerts are not judged'

const isLost = (error: unknown): boolean => isNodeError(error) && error.code === 'STORE_INVALID'

/**
 * Reads what is new every two seconds until the signal; a failure is shown on the page and tried again.
 *
 * @param alerts are judged after each look, except by a console whose tables another process writes
 */
export async function follow(
  {
    follower,
    alerts,
    pollMs = POLL_MS,
  }: {
    readonly follower: Follower
    readonly alerts: Pick<Alerts, 'evaluateIfDue'>
    /** @default 2 s */
    readonly pollMs?: number
  },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const isWriter = await follower.catchUp().then(
      () => true,
      (error) => !isLost(error),
    )
    follower.noteAlertsFailure(
      isWriter
        ? await alerts.evaluateIfDue().then(
            () => null,
            (error) => `${NOT_JUDGED}: ${error instanceof Error ? error.message : String(error)}`,
          )
        : `${NOT_JUDGED} here: another process writes the tables.`,
    )
    await setTimeout(pollMs, undefined, { signal }).catch(() => {})
  }
}
