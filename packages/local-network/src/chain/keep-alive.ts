import type { DevelopmentAccount } from '@hailstone/ledger'
import { type Amount, type Hash, type Token, toAmount } from '@hailstone/protocol'
import type { Mempool } from './mempool.ts'
import type { Random } from './selection.ts'
import { signPayment } from './sign-payment.ts'
import type { SignedTransactions } from './signed-transactions.ts'

/** Sees to it that there is something to mine. */
export type KeepAlive = {
  /** Makes payments until as many transactions wait that no microblock of the open macroblock holds. */
  readonly topUp: (wanted: number, isSettled: (hash: Hash) => boolean) => void
}

/** Offers after which a transaction that is in no microblock does not count as something to mine. */
const OFFERS_LIMIT = 3
/** Transactions that do not count, at most: where miners answer nothing, the pool must not grow without end. */
const MAX_STUCK = 8

/**
 * Without pending transactions nobody is offered a microblock (PROTOCOL 5.7): two accounts pay one another.
 *
 * A miner whose answers crossed the next beacons was ignored (PROTOCOL 5.8, rule 3), and does not sign the same
 * microblocks again when they are offered again. If it is the only miner of the native token, it needs another
 * transaction, or the macroblock stays open for ever. So what was offered several times in vain does not count.
 */
export function createKeepAlive(parameters: {
  readonly accounts: readonly [DevelopmentAccount, DevelopmentAccount]
  readonly nativeToken: Token
  readonly mempool: Mempool
  readonly signed: Pick<SignedTransactions, 'note'>
  readonly random: Random
}): KeepAlive {
  const { accounts, nativeToken, mempool, signed, random } = parameters
  // What the receiver gets equals the fee, so each account sees the other's payments arrive.
  const amount: Amount = toAmount(2n * nativeToken.feeValue)
  let [from, to] = accounts
  const pay = (): void => {
    const payment = signPayment({ from, to: to.address, amount, tokenId: nativeToken.id, random })
    signed.note(payment.transaction)
    mempool.add(payment.transaction, payment.hash)
    ;[from, to] = [to, from]
  }
  return {
    topUp(wanted, isSettled) {
      let stuck = 0
      const isStuck = (hash: Hash): boolean =>
        (mempool.get(hash)?.offeredCount ?? 0) >= OFFERS_LIMIT && ++stuck <= MAX_STUCK
      const waiting = mempool.countWaiting((hash) => isSettled(hash) || isStuck(hash), wanted)
      for (let made = waiting; made < wanted; made++) pay()
    },
  }
}
