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

/** Without pending transactions nobody is offered a microblock (PROTOCOL 5.7): two accounts pay one another. */
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
      const waiting = mempool.countWaiting(isSettled, wanted)
      for (let made = waiting; made < wanted; made++) pay()
    },
  }
}
