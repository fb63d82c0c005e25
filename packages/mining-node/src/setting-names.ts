import type { SettingKinds } from '@hailstone/runtime'
import { assertKinds } from './assert-kinds.ts'
import type { AccountWatchParameters } from './create-account-watch.ts'
import type { MiningSessionParameters } from './create-mining-session.ts'
import type { MiningNodeParameters } from './mining-node.ts'
import type { FollowRewardsParameters } from './watchers/reward-watch.ts'
import type { WatchBalanceParameters } from './watchers/watch-balance.ts'
import type { WatchMissedReferralsParameters } from './watchers/watch-missed-referrals.ts'

const session: SettingKinds<Omit<MiningSessionParameters, 'onEvent' | 'onError'>> = {
  wallet: true,
  signLater: 'function',
  signingTimeoutMs: 'number',
  network: true,
  gatewayUrl: true,
  gatewayUrls: 'list',
  bootNodeUrls: 'list',
  requireEncryption: 'boolean',
  tokenId: true,
  referralAgent: true,
  onDuplicateKey: true,
  verifyLeader: 'function',
  dangerouslySkipLeaderCheck: 'boolean',
  requireLeaderSignature: 'boolean',
  clock: true,
  randomness: 'function',
  frameLimitBytes: 'number',
  openChannel: 'function',
  verify: 'function',
}

const ofNode: SettingKinds<MiningNodeParameters> = {
  ...session,
  client: true,
  apiUrl: true,
  mineBelowStake: 'boolean',
  cursors: true,
  followReferrals: 'function',
  blockTimeMs: 'number',
  pollIntervalMs: 'number',
  logger: true,
}

const ofSession: SettingKinds<MiningSessionParameters> = {
  ...session,
  onEvent: 'function',
  onError: 'function',
}

/** @throws {NodeError} `ARGUMENT_INVALID` */
export const assertMinerNames = (parameters: MiningNodeParameters): void =>
  assertKinds('of a miner', parameters, ofNode)

/** @throws {NodeError} `ARGUMENT_INVALID` */
export const assertSessionNames = (parameters: MiningSessionParameters): void =>
  assertKinds('of a miner', parameters, ofSession)

const ofAccount: SettingKinds<AccountWatchParameters> = {
  client: true,
  address: true,
  tokenId: true,
  referralAgent: true,
  cursors: true,
  followReferrals: 'function',
  blockTimeMs: 'number',
  pollIntervalMs: 'number',
}

/** @throws {NodeError} `ARGUMENT_INVALID` */
export const assertAccountNames = (parameters: AccountWatchParameters): void =>
  assertKinds('of a watch', parameters, ofAccount)

type WatchParameters = Partial<
  FollowRewardsParameters & WatchBalanceParameters & WatchMissedReferralsParameters
>

const ofWatch: SettingKinds<WatchParameters> = {
  pollIntervalMs: 'number',
  blockTimeMs: 'number',
  client: true,
  address: true,
  tokenId: true,
  from: true,
  openKeyBlock: 'function',
  cursor: true,
  onReward: 'function',
  onReverted: 'function',
  onUndelivered: 'function',
  maxAttempts: 'number',
  onChange: 'function',
  onMissed: 'function',
  onRead: 'function',
  onError: 'function',
}

/**
 * Checks the names of any watch's parameters: one that another kind of watch has is left alone.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export const assertWatchNames = (parameters: object): void => assertKinds('of a watch', parameters, ofWatch)
