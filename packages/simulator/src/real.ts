/** The public parts of the library that the simulator runs or replaces. */
export {
  type Client,
  type ClientCore,
  createClient,
  createFailoverTransport,
  createPayments,
  type JournalStore,
  openFileJournal,
  type PaymentHandle,
  type PaymentInfo,
  type PaymentSigner,
  type Payments,
  type PayParameters,
  type Transport,
} from '@hailstone/client'
export {
  type CursorStore,
  createMiningNode,
  type MiningNode,
  type MiningSnapshot,
  type MissedReferral,
  type OpenChannel,
  type Reward,
  type RewardWatch,
  type Watch,
  type WatchedBalance,
  watchBalance,
  watchRewards,
} from '@hailstone/mining-node'
export {
  createFleet,
  type Fleet,
  type FleetEvent,
  type NamedFleetReward,
  watchFleetRewards,
} from '@hailstone/mining-node/fleet'
export { fleetMetrics, type HealthWatch, nodeMetrics, watchNodeHealth } from '@hailstone/mining-node/health'
export { watchHeight, watchMissedReferrals, watchReferralRewards } from '@hailstone/mining-node/watch'
