import type { SupplyFact, TransferFact } from '../facts.ts'
import type { BlockState } from './block-state.ts'
import { addToSupply, dayOf, hourOf } from './figures.ts'
import { moveHolding } from './move-holding.ts'

/** Applies a transaction of an indexed token, or units that a contract created or destroyed. */
export function applyChange(state: BlockState, change: TransferFact | SupplyFact): void {
  if (change.kind === 'transfer') applyTransfer(state, change)
  else applySupply(state, change)
}

function applySupply(state: BlockState, { token, account, units }: SupplyFact): void {
  addToSupply(state, token, units)
  moveHolding(state, token, state.accountOf(account), units)
}

/** Statuses are given: only a confirmed transfer moves anything (PROTOCOL 2.9). */
function applyTransfer(state: BlockState, transfer: TransferFact): void {
  const { added, accountOf, day } = state
  const { token, amount, fee, status, hash, data } = transfer
  const [sender, receiver] = [accountOf(transfer.from), accountOf(transfer.to)]
  const ordinal = added.transfer.length
  const { height } = state.facts
  added.transfer.push({ height, ordinal, token, sender, receiver, amount, fee, status, hash, data })
  if (status === 3) {
    moveHolding(state, token, sender, -amount)
    const rules = state.tokens.get(token)
    if (rules !== undefined && rules.feeType !== 2) moveHolding(state, token, accountOf(rules.owner), fee)
    moveHolding(state, token, receiver, amount - fee)
  }
  if (status === 1) return
  for (const figures of [hourOf(state, token), dayOf(state, token, day)]) {
    figures.fees += fee
    if (status === 3) figures.transfers++
    if (status === 2) figures.rejected++
  }
}
