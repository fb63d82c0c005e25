export {
  type ClientCore,
  type Clock,
  createWallet,
  type Logger,
  type Network,
  type Wallet,
  walletFromPrivateKey,
} from '@hailstone/client'
export {
  type Address,
  type Amount,
  decodeReferralCode,
  type ErrorCode,
  encodeReferralCode,
  formatAmount,
  type Hash,
  isAddress,
  isNodeError,
  NodeError,
  parseAddress,
  parseTokenId,
  type TokenId,
} from '@hailstone/protocol'
export type { MiningSession, MiningSessionParameters } from './create-mining-session.ts'
export type { CursorStore } from './cursors/cursor-store.ts'
export type { MiningEvent, MiningEvents, OnMiningEvent } from './events.ts'
export type { MiningNode, MiningNodeParameters } from './mining-node.ts'
export type { MiningState } from './mining-state.ts'
export type { MiningWarning, StakeFacts } from './readiness.ts'
export type { BeaconRefusalInfo, RefusalReason } from './session/beacon-verdict.ts'
export type { Channel, ChannelHandlers, OpenChannel } from './session/channel.ts'
export type { SessionEvent } from './session/effect.ts'
export type { GatewayView } from './session/gateway-views.ts'
export type { SessionState, StopReason, WaitReason } from './session/state.ts'
export type { MiningSnapshot, Reading, RewardTotal } from './store/mining-snapshot.ts'
export type { TipHeight } from './watchers/chain-tip.ts'
export type { Delivery, RewardListener, UndeliveredReward } from './watchers/deliver.ts'
export type { Reward, RewardRole } from './watchers/reward.ts'
export type { RewardWatch, WatchRewardsParameters } from './watchers/reward-watch.ts'
export type { WatchBalanceParameters, WatchedBalance } from './watchers/watch-balance.ts'
export type { Watch } from './watchers/watch-handle.ts'
export type { MissedReferral, WatchMissedReferrals } from './watchers/watch-missed-referrals.ts'
