import type { SessionState } from '../session/state.ts'
import type { MiningSnapshot, RewardTotal } from '../store/mining-snapshot.ts'
import { type Metric, type Sample, samplesOf } from './metrics-text.ts'
import type { NodeHealth } from './node-health.ts'
import { processMetrics } from './process-metrics.ts'

const STATUSES: readonly SessionState['status'][] = [
  'idle',
  'connecting',
  'waitingForBeacon',
  'mining',
  'waiting',
  'stopped',
]

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000)

/** The numbers of one miner. Amounts are units of the token; a value that is not known is left out. */
export function nodeMetrics(parameters: {
  readonly snapshot: MiningSnapshot
  readonly health: NodeHealth
  readonly uptimeMs: number
}): readonly Metric[] {
  const { snapshot, health, uptimeMs } = parameters
  const { state, publications, height, balance, api, rewards, tokenId } = snapshot
  const { excluded = 0 } = publications
  const gauge = (name: string, help: string, value: number | bigint | null | undefined): Metric => ({
    name: `hailstone_${name}`,
    type: 'gauge',
    help,
    samples: samplesOf(value),
  })
  const counter = (name: string, help: string, value: number): Metric => ({
    name: `hailstone_${name}_total`,
    type: 'counter',
    help,
    samples: samplesOf(value),
  })
  return [
    gauge('ready', '1 when connected, signing and sure of the height.', health.isReady ? 1 : 0),
    {
      name: 'hailstone_session_status',
      type: 'gauge',
      help: '1 for the present status of the session.',
      samples: STATUSES.map((status) => ({ labels: { status }, value: status === state.status ? 1 : 0 })),
    },
    counter('published', 'Microblocks signed since the start.', publications.published),
    counter('included', 'Of those, found in calculated macroblocks.', publications.included + excluded),
    counter('excluded', 'Of those, taken back by a reorganisation.', excluded),
    counter('beacons_refused', 'Beacons that were not signed.', publications.refused),
    gauge(
      'last_verified_beacon_age_seconds',
      'Since the newest verified beacon.',
      seconds(health.lastBeaconAgeMs),
    ),
    gauge('height', 'Height of the open key block.', height?.value),
    gauge(
      'height_age_seconds',
      'Age of the newest block of the API.',
      typeof health.tipAgeMs === 'number' ? health.tipAgeMs / 1000 : null,
    ),
    gauge(
      'api_up',
      '1 when the API answers.',
      api.status === 'unused' ? null : Number(api.status === 'reachable'),
    ),
    gauge('balance_units', 'Balance in the mined token.', balance?.amount),
    gauge('balance_age_seconds', 'Since the balance was read.', seconds(health.balanceAgeMs)),
    ...rewardMetrics(rewards, (total) => total.tokenId ?? tokenId),
    ...processMetrics(uptimeMs),
  ]
}

const NOTHING = { own: 0n, referral: 0n }

/**
 * The counters of rewards, which only grow: what came, and what of it was taken back.
 *
 * @param tokenOf names the token of a total
 */
export function rewardMetrics(
  rewards: readonly RewardTotal[],
  tokenOf: (total: RewardTotal) => string,
): readonly Metric[] {
  const samples = (unitsOf: (total: RewardTotal, kind: 'own' | 'referral') => bigint): readonly Sample[] =>
    rewards.flatMap((total) =>
      (['own', 'referral'] as const).map((kind) => ({
        labels: { token: tokenOf(total), kind },
        value: unitsOf(total, kind),
      })),
    )
  const revertedOf = ({ reverted = NOTHING }: RewardTotal) => reverted
  return [
    {
      name: 'hailstone_rewards_units_total',
      type: 'counter',
      help: 'Units earned since the start, also those that a reorganisation took back.',
      samples: samples((total, kind) => total[kind] + revertedOf(total)[kind]),
    },
    {
      name: 'hailstone_rewards_reverted_units_total',
      type: 'counter',
      help: 'Of those, units that a reorganisation took back.',
      samples: samples((total, kind) => revertedOf(total)[kind]),
    },
  ]
}
