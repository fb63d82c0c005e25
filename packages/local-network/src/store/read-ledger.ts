import { createLedgerState, type LedgerState } from '@hailstone/ledger'
import type { Address, Hash, KeyBlock, TokenId } from '@hailstone/protocol'
import { hostError } from '@hailstone/protocol'
import { CompiledQuery } from 'kysely'
import { textArray } from './batched.ts'
import type { Queries } from './queries.ts'
import { toKeyBlock, toToken } from './rows.ts'

/**
 * Reads the ledger into memory, where the rules want it: what accounts have, which does not grow with the chain. What
 * was ever calculated does, and is left where it is, see {@link calculatedBelow}.
 */
export async function loadLedger(queries: Queries): Promise<LedgerState> {
  const balances = await queries.selectFrom('balance').selectAll().execute()
  const tokens = await queries.selectFrom('token').selectAll().execute()
  const pools = await queries.selectFrom('stake_pool').selectAll().execute()
  const delegations = await queries.selectFrom('delegation').selectAll().execute()
  const undelegations = await queries.selectFrom('undelegation').selectAll().execute()
  const calculated = await queries.selectFrom('block_transaction').select('hash').limit(1).executeTakeFirst()
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
    calculated: calculated === undefined ? [] : 'unknown',
  })
}

const CALCULATED_BELOW = `
  select given.hash from unnest($1::text[]) as given (hash) where exists (
    select 1 from block_transaction
    where block_transaction.hash = given.hash and exists (
      select 1 from microblock where microblock.hash = block_transaction.microblock_hash and height < $2 offset 0
    ) offset 0
  )`

/**
 * Those of the transactions that stand in a macroblock below the height. Looked up one by one inside of one statement:
 * without statistics, which the embedded engine never gathers, a join reads whole tables of a long chain.
 */
export async function calculatedBelow(
  queries: Queries,
  height: number,
  hashes: readonly Hash[],
): Promise<readonly Hash[]> {
  const question = CompiledQuery.raw(CALCULATED_BELOW, [textArray(hashes), height])
  const { rows } = await queries.executeQuery(question as CompiledQuery<{ readonly hash: string }>)
  return rows.map(({ hash }) => hash as Hash)
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
