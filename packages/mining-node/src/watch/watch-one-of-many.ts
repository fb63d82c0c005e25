import { assertWatchingAccount } from '../check-arguments.ts'
import type { AccountReading } from '../watchers/account-reading.ts'
import { joinNamedAccounts } from '../watchers/named-accounts.ts'
import * as unchecked from '../watchers/unchecked.ts'
import type { WatchBalanceParameters } from '../watchers/watch-balance.ts'
import { watchHandle } from '../watchers/watch-handle.ts'

/**
 * Follows the balance of one token. A failure is reported and repeated; it never turns into a zero. From eight balances
 * of one API on, an account is read when a microblock names it.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`, `ADDRESS_MALFORMED`
 * @example
 * const watch = watchBalance({ client, address, onChange: ({ amount, previous }) => console.log(previous, amount) })
 * await watch.stop() // when it is needed no more
 */
export function watchBalance(parameters: WatchBalanceParameters): AccountReading {
  const address = assertWatchingAccount(parameters, 'onChange')
  const { isConcerned, leave } = joinNamedAccounts(parameters.client, address)
  const { readNow, stop } = unchecked.watchBalance({ ...parameters, address, isConcerned })
  return { ...watchHandle(stop, leave), readNow }
}
