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

/**
 * A local network, as `startLocalNetwork` returns it, may be spread into the settings: of its members, some of which
 * resemble settings, the miner takes the network.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export function assertMinerNames(parameters: MiningNodeParameters): void {
  const isSpread = 'mineUntilRewarded' in Object(parameters)
  const known = Object.entries(Object(parameters)).filter(([name]) => name in ofNode)
  assertKinds('of a miner', isSpread ? Object.fromEntries(known) : parameters, ofNode)
}

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
