import type { BalanceChange, Delegation, LedgerChanges, StakePool, Undelegation } from '@hailstone/ledger'
import type { Queries } from './queries.ts'
import { upsertAll } from './queries.ts'
import { tokenRow } from './rows.ts'

const balanceRow = ({ account, tokenId, after }: Omit<BalanceChange, 'before'>) => ({
  account,
  token_id: tokenId,
  amount: after,
})

const poolRow = ({ id, owner, feeBps, name }: StakePool) => ({ id, owner, fee_bps: feeBps, name })

const delegationRow = ({ poolId, delegator, amount, reward }: Delegation) => ({
  pool_id: poolId,
  delegator,
  amount,
  reward,
})

const undelegationRow = ({ id, poolId, delegator, amount, height, isClaimed }: Undelegation) => ({
  id,
  pool_id: poolId,
  delegator,
  amount,
  height,
  is_claimed: isClaimed,
})

/** Writes every row a macroblock touched, new or changed. */
export async function writeLedgerChanges(
  queries: Queries,
  changes: Omit<LedgerChanges, 'balances' | 'calculated'> & {
    readonly balances: readonly Omit<BalanceChange, 'before'>[]
  },
): Promise<void> {
  await upsertAll(queries, 'balance', ['account', 'token_id'], changes.balances.map(balanceRow))
  await upsertAll(queries, 'token', ['id'], changes.tokens.map(tokenRow))
  await upsertAll(queries, 'stake_pool', ['id'], changes.stakePools.map(poolRow))
  await upsertAll(queries, 'delegation', ['pool_id', 'delegator'], changes.delegations.map(delegationRow))
  await upsertAll(queries, 'undelegation', ['id'], changes.undelegations.map(undelegationRow))
}
