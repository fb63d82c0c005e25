import { createLedgerState, type LedgerState } from '@hailstone/ledger'
import type { Address, Hash, KeyBlock, TokenId } from '@hailstone/protocol'
import { hostError } from '@hailstone/protocol'
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

/**
 * Those of the transactions that stand in a macroblock below the height. Asked for in two steps: without statistics,
 * which the embedded engine never gathers, a join reads whole tables of a long chain.
 */
export async function calculatedBelow(
  queries: Queries,
  height: number,
  hashes: readonly Hash[],
): Promise<readonly Hash[]> {
  const copies = await queries
    .selectFrom('block_transaction')
    .select(['hash', 'microblock_hash'])
    .where('hash', 'in', hashes)
    .execute()
  if (copies.length === 0) return []
  const places = [...new Set(copies.map((copy) => copy.microblock_hash))]
  const below = await queries
    .selectFrom('microblock')
    .select('hash')
    .where('hash', 'in', places)
    .where('height', '<', height)
    .execute()
  const isBelow = new Set(below.map(({ hash }) => hash))
  const found = copies.filter((copy) => isBelow.has(copy.microblock_hash))
  return [...new Set(found.map(({ hash }) => hash as Hash))]
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
