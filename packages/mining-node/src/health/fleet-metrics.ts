import type { FleetHealth } from '../fleet/fleet-health.ts'
import { type Metric, samplesOf } from './metrics-text.ts'
import { rewardMetrics } from './node-metrics.ts'
import { processMetrics } from './process-metrics.ts'

/** The numbers of a fleet, never those of a single node: ten thousand labels help nobody. */
export function fleetMetrics(health: FleetHealth, uptimeMs: number): readonly Metric[] {
  const { nodes, publications, beacons, signing, gateways, tip, accounts, lastBeaconAgeMs } = health
  const { excluded = 0 } = publications
  const metric = (
    type: Metric['type'],
    name: string,
    help: string,
    value: number | null | undefined,
  ): Metric => ({ name: `hailstone_${name}`, type, help, samples: samplesOf(value) })
  const { total, refused, ...statuses } = nodes
  return [
    metric(
      'gauge',
      'ready',
      '1 when 9 of 10 nodes are connected, signing and sure of the height.',
      Number(health.isReady),
    ),
    metric('gauge', 'fleet_nodes', 'Nodes of the fleet.', total),
    metric('gauge', 'fleet_keys_refused', 'Keys that did not become a node.', refused),
    {
      name: 'hailstone_fleet_nodes_by_status',
      type: 'gauge',
      help: 'Nodes in each status.',
      samples: Object.entries(statuses).map(([status, value]) => ({ labels: { status }, value })),
    },
    {
      name: 'hailstone_fleet_nodes_by_gateway',
      type: 'gauge',
      help: 'Nodes at each gateway.',
      samples: gateways.map(({ url, nodes: value }) => ({ labels: { gateway: url }, value })),
    },
    metric('counter', 'published_total', 'Microblocks signed since the start.', publications.published),
    metric(
      'counter',
      'included_total',
      'Of those, found in calculated macroblocks.',
      publications.included + excluded,
    ),
    metric('counter', 'excluded_total', 'Of those, taken back by a reorganisation.', excluded),
    metric('counter', 'beacons_refused_total', 'Beacons that were not signed.', publications.refused),
    metric(
      'counter',
      'signatures_verified_total',
      'Transactions verified, each once for all nodes.',
      beacons.signaturesVerified,
    ),
    metric('counter', 'signed_total', 'Messages signed.', signing.signed),
    metric('gauge', 'signing_waiting', 'Messages that wait to be signed.', signing.waiting),
    metric('gauge', 'open_sockets', 'Sockets to gateways.', health.openSockets),
    metric(
      'gauge',
      'last_verified_beacon_age_seconds',
      'Since the newest verified beacon.',
      lastBeaconAgeMs === null ? null : lastBeaconAgeMs / 1000,
    ),
    metric('gauge', 'height', 'Height of the open key block.', tip?.height),
    metric(
      'gauge',
      'height_age_seconds',
      'Age of the newest block of the API.',
      tip === null ? null : tip.ageMs / 1000,
    ),
    ...rewardMetrics(accounts?.rewards ?? [], ({ tokenId }) => tokenId ?? ''),
    {
      name: 'hailstone_balance_units',
      type: 'gauge',
      help: 'Sum of the balances that were read, in the mined token.',
      samples: accounts === null || accounts.read === 0 ? [] : [{ value: accounts.balance }],
    },
    metric('gauge', 'fleet_accounts_read', 'Accounts whose balance was read.', accounts?.read),
    metric(
      'gauge',
      'fleet_accounts_below_stake',
      'Of those, with less than the minimum stake.',
      accounts?.belowStake,
    ),
    ...processMetrics(uptimeMs),
  ]
}
