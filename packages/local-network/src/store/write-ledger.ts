import type { BalanceChange, Delegation, LedgerChanges, StakePool, Undelegation } from '@hailstone/ledger'
import { sql } from 'kysely'
import type { Queries } from './queries.ts'
import { upsertAll } from './queries.ts'
import { tokenRow } from './rows.ts'

const balanceRow = ({ account, tokenId, after }: Omit<BalanceChange, 'before'>, height: number | null) => ({
  account,
  token_id: tokenId,
  amount: after,
  changed_at: height,
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

/** The amount before the last change stays in the row, see {@link balancesAt}. */
const previousBalance = {
  amount_before: sql.ref('balance.amount'),
  changed_before: sql.ref('balance.changed_at'),
}

/** Writes every row a macroblock touched, new or changed. @param height of the macroblock; null for a whole ledger */
export async function writeLedgerChanges(
  queries: Queries,
  changes: Omit<LedgerChanges, 'balances' | 'calculated'> & {
    readonly balances: readonly Omit<BalanceChange, 'before'>[]
  },
  height: number | null,
): Promise<void> {
  const balances = changes.balances.map((change) => balanceRow(change, height))
  await upsertAll(queries, 'balance', ['account', 'token_id'], balances, previousBalance)
  await upsertAll(queries, 'token', ['id'], changes.tokens.map(tokenRow))
  await upsertAll(queries, 'stake_pool', ['id'], changes.stakePools.map(poolRow))
  await upsertAll(queries, 'delegation', ['pool_id', 'delegator'], changes.delegations.map(delegationRow))
  await upsertAll(queries, 'undelegation', ['id'], changes.undelegations.map(undelegationRow))
}
