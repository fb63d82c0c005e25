import type { Address, Hash, KeyBlock, TokenId } from '@hailstone/protocol'
import { hostError } from '@hailstone/protocol'
import { createLedgerState, type LedgerState } from '../ledger/index.ts'
import type { Queries } from './queries.ts'
import { toKeyBlock, toToken } from './rows.ts'

/** Reads the whole ledger into memory, where the rules want it. */
export async function loadLedger(queries: Queries): Promise<LedgerState> {
  const balances = await queries.selectFrom('balance').selectAll().execute()
  const tokens = await queries.selectFrom('token').selectAll().execute()
  const pools = await queries.selectFrom('stake_pool').selectAll().execute()
  const delegations = await queries.selectFrom('delegation').selectAll().execute()
  const undelegations = await queries.selectFrom('undelegation').selectAll().execute()
  const calculated = await queries.selectFrom('block_transaction').select('hash').distinct().execute()
  return createLedgerState({
    balances: balances.map((row) => ({
      account: row.account as Address,
      tokenId: row.token_id as TokenId,
      amount: row.amount,
    })),
    tokens: tokens.map((row) => {
      const { transferCount: _, ...token } = toToken(row)
      return token
    }),
    stakePools: pools.map((row) => ({
      id: row.id as Hash,
      owner: row.owner as Address,
      feeBps: row.fee_bps,
      name: row.name,
    })),
    delegations: delegations.map((row) => ({
      poolId: row.pool_id as Hash,
      delegator: row.delegator as Address,
      amount: row.amount,
      reward: row.reward,
    })),
    undelegations: undelegations.map((row) => ({
      id: row.id as Hash,
      poolId: row.pool_id as Hash,
      delegator: row.delegator as Address,
      amount: row.amount,
      height: row.height,
      isClaimed: row.is_claimed,
    })),
    calculated: calculated.map(({ hash }) => hash as Hash),
  })
}

export async function readTail(queries: Queries): Promise<KeyBlock> {
  const row = await queries
    .selectFrom('key_block')
    .selectAll()
    .orderBy('height', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) throw hostError('STORE_INVALID', { reason: 'it has no key block' })
  return toKeyBlock(row)
}
