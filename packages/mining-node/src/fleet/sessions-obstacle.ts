import type { HealthVerdict } from '../health/judge-health.ts'

/** Of all nodes, for the fleet to count as connected. */
const READY_SHARE = 0.9

/**
 * Returns the reason, by its sessions, why a fleet is not ready; null if enough of them are hailed.
 *
 * @param parameters.ready nodes with a session
 * @param parameters.heldBack nodes that hold back because of their stake
 * @param parameters.minimum the minimum stake, in words
 */
export function sessionsObstacle(parameters: {
  readonly ready: number
  readonly total: number
  readonly heldBack?: number | undefined
  readonly minimum?: string | undefined
}): HealthVerdict | null {
  const { ready, total, heldBack = 0, minimum = 'the minimum' } = parameters
  if (total === 0) {
    return {
      code: 'NOT_STARTED',
      why: 'No node has begun.',
      nextStep: 'Start the fleet, and look at the keys that were refused.',
    }
  }
  const enough = total * READY_SHARE
  if (ready >= enough) return null
  if (ready + heldBack >= enough) {
    const why = `${heldBack} of ${total} miners hold back: their stake is below ${minimum}.`
    return { code: 'STAKE_TOO_LOW', why, nextStep: 'Top up their balances; mining goes on by itself.' }
  }
  const why = `Only ${ready} of ${total} nodes have a session.`
  return { code: 'TOO_FEW_SESSIONS', why, nextStep: 'Look at problems: the commonest comes first.' }
}
