import type { HealthVerdict } from '../health/judge-health.ts'

/** Of all nodes, for the fleet to count as connected. */
const READY_SHARE = 0.9

/** What keeps a fleet from being ready, seen from its sessions; null when enough of them are hailed. */
export function sessionsObstacle(ready: number, total: number): HealthVerdict | null {
  if (total === 0) {
    return {
      code: 'NOT_STARTED',
      why: 'No node has begun.',
      nextStep: 'Start the fleet, and look at the keys that were refused.',
    }
  }
  if (ready >= total * READY_SHARE) return null
  const why = `Only ${ready} of ${total} nodes have a session.`
  return { code: 'TOO_FEW_SESSIONS', why, nextStep: 'Look at problems: the commonest comes first.' }
}
