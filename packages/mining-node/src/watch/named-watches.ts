import { assertCursor, assertDelivery } from '../check-arguments.ts'
import {
  type AccountWatch,
  type AccountWatchParameters,
  assembleAccountWatch,
} from '../create-account-watch.ts'
import { namedEvent } from '../nearest-event.ts'
import { assertAccountNames, assertWatchNames } from '../setting-names.ts'
import * as checked from './checked-watches.ts'
import * as oneOfMany from './watch-one-of-many.ts'

// As the checked watches; misspelt names, cursors without a name and invalid counts are refused, too. Pages that are
// not built for development go without: they count every byte.

const named =
  <Parameters extends object, Watching>(watch: (parameters: Parameters) => Watching) =>
  (parameters: Parameters): Watching => {
    assertWatchNames(parameters)
    const { cursor } = Object(parameters)
    assertDelivery(Object(parameters))
    if (cursor !== undefined) assertCursor(Object(cursor))
    return watch(parameters)
  }

/**
 * Follows every reward of an account: own microblocks, referrals, key blocks, stake pools and fees; the
 * role says which. Source: `GET /account_rewards`.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`, `ADDRESS_MALFORMED`
 * @example
 * const watch = watchRewards({ client, address, onReward: ({ amount, role }) => console.log(role, amount) })
 * await watch.stop() // when it is needed no more
 */
export const watchRewards: typeof checked.watchRewards = /* @__PURE__ */ named(checked.watchRewards)

/**
 * Follows the referral rewards of an account, as miner, as agent and as token owner; the role says which.
 * Source: `GET /account_refreward`, so that an account with many other rewards has little to read.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`, `ADDRESS_MALFORMED`
 * @example
 * const watch = watchReferralRewards({ client, address, onReward: ({ amount, role }) => console.log(role, amount) })
 * await watch.stop() // when it is needed no more
 */
export const watchReferralRewards: typeof checked.watchReferralRewards = /* @__PURE__ */ named(
  checked.watchReferralRewards,
)

/**
 * Follows the balance of one token. A failure is reported and repeated; it never turns into a zero. From eight balances
 * of one API on, an account is read when a microblock names it.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`
 * @example
 * const watch = watchBalance({ client, address, onChange: ({ amount, previous }) => console.log(previous, amount) })
 * await watch.stop() // when it is needed no more
 */
export const watchBalance: typeof oneOfMany.watchBalance = /* @__PURE__ */ named(oneOfMany.watchBalance)

/**
 * Follows the height of the chain. All who watch the same API in a process share one poll.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 * @example
 * const watch = watchHeight({ client, onChange: ({ height }) => console.log(height) })
 * await watch.stop() // when it is needed no more
 */
export const watchHeight: typeof checked.watchHeight = /* @__PURE__ */ named(checked.watchHeight)

/**
 * Looks through every microblock for those that name this account as agent and did not pay it. Asks for each
 * microblock of the chain, so it is only worth it for an agent.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`, `ADDRESS_MALFORMED`
 * @example
 * const watch = watchMissedReferrals({ client, address, onMissed: ({ miner, reason }) => console.log(miner, reason) })
 * await watch.stop() // when it is needed no more
 */
export const watchMissedReferrals: typeof checked.watchMissedReferrals = /* @__PURE__ */ named(
  checked.watchMissedReferrals,
)

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
export function createAccountWatch(parameters: AccountWatchParameters): AccountWatch {
  assertAccountNames(parameters)
  return assembleAccountWatch(parameters, namedEvent)
}
