import type { NodeError } from '@hailstone/protocol'
import { fitForJson } from '../health/fit-for-json.ts'
import { type HealthVerdict, isReadyCode, judgeHealth } from '../health/judge-health.ts'
import { sessionObstacle } from '../health/session-obstacle.ts'
import { minimumStakeText } from '../readiness.ts'
import type { LeaderStatus } from '../store/mining-snapshot.ts'
import type { AccountTotals } from './accounts-state.ts'
import { type FleetHealth, problemsOf, type RefusedKey } from './fleet-health.ts'
import type { OpenFleet } from './open-fleet.ts'
import { EMPTY_POOL } from './pool-state.ts'
import { sessionsObstacle } from './sessions-obstacle.ts'

/** Keys that did not become nodes: all are counted, the first hundred are kept. */
export type RefusedKeys = {
  readonly add: (index: number, error: NodeError) => void
  readonly count: () => number
  readonly first: () => readonly RefusedKey[]
}

const REFUSED_KEYS_SHOWN = 100

export function createRefusedKeys(): RefusedKeys {
  const kept: RefusedKey[] = []
  let count = 0
  return {
    add: (index, error) => {
      count++
      if (kept.length < REFUSED_KEYS_SHOWN) kept.push({ index, error })
    },
    count: () => count,
    first: () => [...kept],
  }
}

/** Puts the one view of a fleet together; null for one that has not begun. */
export function reportFleet(
  fleet: OpenFleet | null,
  parameters: {
    readonly refusedKeys: RefusedKeys
    /** Reason why the fleet cannot start, if there is one. */
    readonly obstacle?: HealthVerdict | null | undefined
    readonly hasApi: boolean
    readonly leaderCheck: LeaderStatus
    readonly blockTimeMs: number
    /** Of the session clock. */
    readonly now: number
  },
): FleetHealth {
  const { refusedKeys, hasApi, leaderCheck, blockTimeMs, now } = parameters
  const counts = fleet?.pool.state() ?? EMPTY_POOL
  const total = fleet?.pool.size() ?? 0
  const seen = fleet?.tip?.height() ?? null
  const tip = seen && { height: seen.height, ageMs: seen.ageMs, isStale: seen.isStale }
  const lastBeaconAgeMs = counts.lastBeaconAt === null ? null : Math.round(now - counts.lastBeaconAt)
  const { status, published, refused } = counts
  const accounts = fleet?.accounts?.totals() ?? null
  const verdict = judgeHealth({
    obstacle: parameters.obstacle ?? obstacleOf(fleet, accounts),
    lastBeaconAgeMs,
    windowMs: blockTimeMs,
    tipAgeMs: hasApi ? (tip?.ageMs ?? null) : 'unused',
    behind: fleet?.tip?.behind(),
    notChosen: fleet?.accounts?.notChosen() ?? null,
  })
  return fitForJson({
    isReady: isReadyCode(verdict.code),
    ...verdict,
    nodes: { total, refused: refusedKeys.count(), ...status },
    publications: { published, refused, ...(fleet?.inclusions() ?? { included: 0, excluded: 0 }) },
    beacons: {
      ...(fleet?.reader.counts() ?? { frames: 0, sharedFrames: 0 }),
      ...(fleet?.beacons.counts() ?? { checked: 0, transactionsHashed: 0, signaturesVerified: 0 }),
    },
    leaderCheck,
    signing: fleet?.signing.counts() ?? { threads: 0, arithmetic: '', waiting: 0, signed: 0 },
    gateways: fleet?.gateways.view() ?? [],
    openSockets: fleet?.guard.open() ?? 0,
    shortage: fleet?.guard.shortage() ?? null,
    tip,
    accounts,
    lastBeaconAgeMs,
    problems: problemsOf(fleet?.views() ?? []),
    refusedKeys: refusedKeys.first(),
  })
}

/** Returns the reason why too few nodes of a fleet have a session; null if enough of them do. */
function obstacleOf(fleet: OpenFleet | null, accounts: AccountTotals | null): HealthVerdict | null {
  if (fleet === null) return sessionsObstacle({ ready: 0, total: 0 })
  const { pool } = fleet
  const { endedBy: reason, status } = pool.state()
  if (reason !== null) return sessionObstacle({ status: 'stopped', reason })
  const doubt = fleet.accounts?.doubt() ?? null
  if (doubt !== null) return sessionObstacle({ status: 'waiting', attempt: 1, delayMs: 0, reason: doubt })
  const { mining, waitingForBeacon } = status
  const minimum = minimumStakeText(accounts?.stakes ?? null)
  const heldBack = accounts?.heldBack
  return sessionsObstacle({ ready: mining + waitingForBeacon, total: pool.size(), heldBack, minimum })
}
