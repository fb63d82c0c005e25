import { type BalanceKey, type BalanceReading, createLedgerState, type LedgerState } from '@hailstone/ledger'
import type { Address, Hash, KeyBlock, TokenId } from '@hailstone/protocol'
import { apiError, hostError } from '@hailstone/protocol'
import { givenRows, textArray } from './batched.ts'
import { ask, type Queries } from './queries.ts'
import { type StoredRow, toKeyBlock, toToken } from './rows.ts'

/** Balances that are in memory: all of a network that has no more, else about as many as are in use. */
export const MAX_BALANCES = 100_000
/** Hashes of transactions that are in memory, of a chain that began in this process; about 10 MB. */
const MAX_CALCULATED = 100_000

/**
 * Reads the ledger into memory, where the rules want it, but for what grows with chain and accounts: whatever was ever
 * calculated, see {@link calculatedBelow}, and balances when there are more than `maxBalances`, see {@link balancesAt}.
 */
export async function loadLedger(queries: Queries, maxBalances: number): Promise<LedgerState> {
  const balances = await queries
    .selectFrom('balance')
    .select(['account', 'token_id', 'amount'])
    .limit(maxBalances + 1)
    .execute()
  const tokens = await queries.selectFrom('token').selectAll().execute()
  const pools = await queries.selectFrom('stake_pool').selectAll().execute()
  const delegations = await queries.selectFrom('delegation').selectAll().execute()
  const undelegations = await queries.selectFrom('undelegation').selectAll().execute()
  const calculated = await queries.selectFrom('block_transaction').select('hash').limit(1).executeTakeFirst()
  const content = {
    balances:
      balances.length > maxBalances
        ? ('unknown' as const)
        : balances.map((row) => ({
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
    calculated: calculated === undefined ? [] : ('unknown' as const),
  }
  return createLedgerState(content, { maxBalances, maxCalculated: MAX_CALCULATED })
}

const BALANCES_AT = `
  select given.place::integer as place, found.*
    from ${givenRows({ account: 'text', token_id: 'text' })}
    cross join lateral (
      select amount, changed_at, amount_before, changed_before from balance
        where balance.account = given.account and balance.token_id = given.token_id offset 0
    ) as found`

type FoundBalance = Pick<
  StoredRow<'balance'>,
  'amount' | 'changed_at' | 'amount_before' | 'changed_before'
> & { readonly place: number }

/**
 * Balances as they were before the macroblock at a height, whatever was stored since: a row holds what it was before its
 * last change. Looked up one by one inside of one statement, like {@link calculatedBelow}.
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT` if a row has changed twice since
 */
export async function balancesAt(
  queries: Queries,
  height: number,
  keys: readonly BalanceKey[],
): Promise<readonly BalanceReading[]> {
  const given = [textArray(keys.map(({ account }) => account)), textArray(keys.map(({ tokenId }) => tokenId))]
  const rows = await ask<FoundBalance>(queries, BALANCES_AT, given)
  const found = new Map(rows.map(({ place, ...row }) => [place, row]))
  return keys.map(({ account, tokenId }, at) => {
    const row = found.get(at + 1)
    return { account, tokenId, amount: row && amountAt(row, height) }
  })
}

function amountAt(row: Omit<FoundBalance, 'place'>, height: number): bigint | undefined {
  if (row.changed_at === null || row.changed_at < height) return row.amount
  if (row.changed_before !== null && row.changed_before >= height)
    throw apiError('CHAIN_INCONSISTENT', { height, reason: 'a balance has changed twice since' })
  return row.amount_before ?? undefined
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
  const values = [textArray(hashes), height]
  const rows = await ask<{ readonly hash: string }>(queries, CALCULATED_BELOW, values)
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
