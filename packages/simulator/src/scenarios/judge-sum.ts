import { type Transaction, transactionHash } from '@hailstone/protocol'
import type { Run } from '../run/run.ts'
import { payer as account } from '../world/accounts.ts'
import { manifoldTokens } from '../world/chain-origin.ts'
import type { World } from './disagreeing-world.ts'
import type { OrderLog } from './order-log.ts'

/**
 * What is signed and not yet executed, with its fees, may not need more than there is, by what one of the nodes knows.
 * Where nodes of different tips answer at one address, nobody can say to which of them a balance belongs: there what
 * one knows of the payments counts with what another one knows of the balance.
 */
export function judgeSum(run: Run, book: OrderLog, world: World, sent: readonly Transaction[]): void {
  const { native, dear } = manifoldTokens
  const ledgers = world.views().map((view) => view.blocks.at(-1)?.ledger ?? view.origin.ledger)
  const needs = ledgers.map(({ isCalculated }) => {
    let sum = 0n
    for (const transaction of sent) {
      const { data: memo, tokenId, amount } = transaction
      if (isCalculated(transactionHash(transaction)) || book.cameToNothing(memo)) continue
      if (tokenId === native.id) sum += amount
      if (tokenId === dear.id) sum += dear.feeValue
    }
    return sum
  })
  const balances = ledgers.map((ledger) => ledger.balance(account.address, native.id) ?? 0n)
  const isBorne = world.real.areMixed
    ? needs.some((need) => balances.some((balance) => need <= balance))
    : needs.some((need, at) => need <= (balances[at] ?? 0n))
  if (!isBorne) run.violate('I1', `${needs[0]} native units are under way, and there are ${balances[0]}`)
}
