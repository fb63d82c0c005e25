import { assertWatching, assertWatchingAccount } from '../check-arguments.ts'
import {
  type AccountWatch,
  type AccountWatchParameters,
  assembleAccountWatch,
} from '../create-account-watch.ts'
import type { AccountReading } from '../watchers/account-reading.ts'
import type { RewardWatch, WatchRewardsParameters } from '../watchers/reward-watch.ts'
import * as unchecked from '../watchers/unchecked.ts'
import type { WatchBalanceParameters } from '../watchers/watch-balance.ts'
import type { Watch } from '../watchers/watch-handle.ts'
import type { WatchHeightParameters } from '../watchers/watch-height.ts'
import {
  watchMissedReferrals as lookForMissed,
  type WatchMissedReferralsParameters,
} from '../watchers/watch-missed-referrals.ts'

// The watches of a program that no compiler may have checked.

/**
 * Follows every reward of an account: own microblocks, referrals, key blocks, stake pools and fees; the
 * role says which. Source: `GET /account_rewards`.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`, `ADDRESS_MALFORMED`
 * @example
 * const watch = watchRewards({ client, address, onReward: ({ amount, role }) => console.log(role, amount) })
 * await watch.stop() // when it is needed no more
 */
export function watchRewards(parameters: WatchRewardsParameters): RewardWatch {
  const address = assertWatchingAccount(parameters, 'onReward')
  return unchecked.watchRewards({ ...parameters, address })
}

/**
 * Follows the referral rewards of an account, as miner, as agent and as token owner; the role says which.
 * Source: `GET /account_refreward`, so that an account with many other rewards has little to read.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`, `ADDRESS_MALFORMED`
 * @example
 * const watch = watchReferralRewards({ client, address, onReward: ({ amount, role }) => console.log(role, amount) })
 * await watch.stop() // when it is needed no more
 */
export function watchReferralRewards(parameters: WatchRewardsParameters): RewardWatch {
  const address = assertWatchingAccount(parameters, 'onReward')
  return unchecked.watchReferralRewards({ ...parameters, address })
}

/**
 * Follows the balance of one token. A failure is reported and repeated; it never turns into a zero.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`, `ADDRESS_MALFORMED`
 * @example
 * const watch = watchBalance({ client, address, onChange: ({ amount, previous }) => console.log(previous, amount) })
 * await watch.stop() // when it is needed no more
 */
export function watchBalance(parameters: WatchBalanceParameters): AccountReading {
  const address = assertWatchingAccount(parameters, 'onChange')
  return unchecked.watchBalance({ ...parameters, address })
}

/**
 * Follows the height of the chain. All who watch the same API in a process share one poll.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 * @example
 * const watch = watchHeight({ client, onChange: ({ height }) => console.log(height) })
 * await watch.stop() // when it is needed no more
 */
export function watchHeight(parameters: WatchHeightParameters): Watch {
  assertWatching(parameters, 'onChange')
  return unchecked.watchHeight(parameters)
}

/**
 * Looks through every microblock for those that name this account as agent and did not pay it. Asks for each
 * microblock of the chain, so it is only worth it for an agent.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`, `ADDRESS_MALFORMED`
 * @example
 * const watch = watchMissedReferrals({ client, address, onMissed: ({ miner, reason }) => console.log(miner, reason) })
 * await watch.stop() // when it is needed no more
 */
export function watchMissedReferrals(parameters: WatchMissedReferralsParameters): Watch {
  const address = assertWatchingAccount(parameters, 'onMissed')
  return lookForMissed({ ...parameters, address })
}

/**
 * Follows height, balance, rewards and stakes of an account, with the snapshot and the events of a mining node
 * whose state stays `idle`. It does nothing before `watch`.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`, `ARGUMENT_INVALID`
 * @example
 * const watch = createAccountWatch({ address, client })
 * watch.on('balanceChanged', ({ amount }) => console.log(amount))
 * await watch.watch()
 */
export const createAccountWatch = (parameters: AccountWatchParameters): AccountWatch =>
  assembleAccountWatch(parameters)
