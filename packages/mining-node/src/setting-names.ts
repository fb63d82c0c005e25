import { assertNames, type NamesOf } from './assert-names.ts'
import type { AccountWatchParameters } from './create-account-watch.ts'
import type { MiningSessionParameters } from './create-mining-session.ts'
import type { MiningNodeParameters } from './mining-node.ts'
import type { FollowRewardsParameters } from './watchers/follow-history.ts'
import type { WatchBalanceParameters } from './watchers/watch-balance.ts'
import type { WatchMissedReferralsParameters } from './watchers/watch-missed-referrals.ts'

const session: NamesOf<Omit<MiningSessionParameters, 'onEvent'>> = {
  wallet: true,
  signLater: true,
  signingTimeoutMs: true,
  network: true,
  gatewayUrl: true,
  gatewayUrls: true,
  bootNodeUrls: true,
  requireEncryption: true,
  tokenId: true,
  referralAgent: true,
  onDuplicateKey: true,
  verifyLeader: true,
  dangerouslySkipLeaderCheck: true,
  requireLeaderSignature: true,
  clock: true,
  randomness: true,
  frameLimitBytes: true,
  openChannel: true,
  verify: true,
}

const ofNode: NamesOf<MiningNodeParameters> = {
  ...session,
  client: true,
  apiUrl: true,
  mineBelowStake: true,
  cursors: true,
  followReferrals: true,
  blockTimeMs: true,
  pollIntervalMs: true,
  logger: true,
}

const ofSession: NamesOf<MiningSessionParameters> = { ...session, onEvent: true }

/** @throws {NodeError} `ARGUMENT_INVALID` */
export const assertMinerNames = (parameters: MiningNodeParameters): void =>
  assertNames('of a miner', parameters, ofNode)

/** @throws {NodeError} `ARGUMENT_INVALID` */
export const assertSessionNames = (parameters: MiningSessionParameters): void =>
  assertNames('of a miner', parameters, ofSession)

const ofAccount: NamesOf<AccountWatchParameters> = {
  client: true,
  address: true,
  tokenId: true,
  referralAgent: true,
  cursors: true,
  followReferrals: true,
  blockTimeMs: true,
  pollIntervalMs: true,
}

/** @throws {NodeError} `ARGUMENT_INVALID` */
export const assertAccountNames = (parameters: AccountWatchParameters): void =>
  assertNames('of a watch', parameters, ofAccount)

type WatchParameters = Partial<
  FollowRewardsParameters & WatchBalanceParameters & WatchMissedReferralsParameters
>

const ofWatch: NamesOf<WatchParameters> = {
  pollIntervalMs: true,
  blockTimeMs: true,
  client: true,
  address: true,
  tokenId: true,
  from: true,
  openKeyBlock: true,
  cursor: true,
  onReward: true,
  onReverted: true,
  onUndelivered: true,
  maxAttempts: true,
  onChange: true,
  onMissed: true,
  onRead: true,
  onError: true,
}

/**
 * Checks the names of any watch's parameters: one that another kind of watch has is left alone.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export const assertWatchNames = (parameters: object): void => assertNames('of a watch', parameters, ofWatch)
