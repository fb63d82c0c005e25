export type { ClientPort, MinerPort, PaymentsPort, WatchPort } from './mining-ports.ts'
export { MiningProvider, type MiningProviderProps } from './mining-provider.ts'
export { type Failure, lastValue, type Reading } from './reading.ts'
export {
  createRewardHistory,
  type RewardHistory,
  type RewardHistoryState,
  totalSince,
} from './reward-history.ts'
export type { KnownLines, TimeTotal } from './reward-lines.ts'
export {
  createRewardPages,
  type NewestReading,
  type RewardPages,
  type RewardReading,
} from './reward-pages.ts'
export { createRewardReader, type RewardLine, type RewardRow } from './reward-row.ts'
export { type BalanceValue, useBalance } from './use-balance.ts'
export { type Miner, useMiner } from './use-miner.ts'
export { usePayments } from './use-payments.ts'
export { type AgentCondition, type Referral, useReferral } from './use-referral.ts'
export { type Rewards, useRewards } from './use-rewards.ts'
export { type Send, type SendState, useSend } from './use-send.ts'
export { useSnapshot } from './use-snapshot.ts'
export { useToken } from './use-token.ts'
