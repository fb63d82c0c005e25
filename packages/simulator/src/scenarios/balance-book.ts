import type { WatchedBalance } from '../real.ts'
import type { Run } from '../run/run.ts'
import { miner, nativeTokenId } from '../world/accounts.ts'
import type { ClosedBlock, SimulatedChain } from '../world/simulated-chain.ts'
import { onceOfEachKind } from './once-of-each-kind.ts'

/** The balances that a program was told of an account that only earns. */
export type BalanceBook = {
  readonly closed: (block: ClosedBlock) => void
  /** @param forks that there were so far */
  readonly changed: (balance: WatchedBalance, forks: number) => void
  readonly isComplete: (chain: SimulatedChain) => boolean
  readonly judge: (chain: SimulatedChain) => void
}

/**
 * @param parameters.isMixed requests go to any node. Where all requests of one reading go to the same one, nobody can tell a
 *   node that is behind from a payment.
 */
export function createBalanceBook(run: Run, { isMixed }: { readonly isMixed: boolean }): BalanceBook {
  const everHeld = new Set<bigint>([0n])
  let last: bigint | null = null
  let falls = 0
  const violate = onceOfEachKind(run, 'balance: ')

  const now = (chain: SimulatedChain): bigint => chain.ledger().balance(miner.address, nativeTokenId) ?? 0n

  return {
    closed: ({ ledger }) => void everHeld.add(ledger.balance(miner.address, nativeTokenId) ?? 0n),
    changed: ({ amount, isKnown, previous }, forks) => {
      run.note('balance', `is ${amount}`)
      // The first answer may be that of a node that is starting: it knows no account, and says so.
      if (!isKnown) return
      if (!everHeld.has(amount)) violate('made up', `${amount} never was`)
      // Each fork can take something back once. A program that starts again may begin with a node that is behind.
      if (isMixed && previous !== null && amount < previous && ++falls > forks)
        violate('falls', `from ${previous} to ${amount}, and the account only earns`)
      last = amount
    },
    isComplete: (chain) => last === now(chain),
    judge: (chain) => {
      if (last !== now(chain)) violate('lost', `it is ${now(chain)}, the last that was told is ${last}`)
    },
  }
}
