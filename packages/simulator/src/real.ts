/** The public parts of the library that the simulator runs or replaces. */
export {
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
  type OpenChannel,
  type Reward,
  type Watch,
  type WatchedBalance,
  watchBalance,
  watchRewards,
} from '@hailstone/mining-node'
export { watchHeight, watchMissedReferrals, watchReferralRewards } from '@hailstone/mining-node/watch'
