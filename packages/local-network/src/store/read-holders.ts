import type { Address } from '@hailstone/protocol'
import { sql } from 'kysely'
import { anyText } from './batched.ts'
import type { ChainStore, HolderBalance } from './chain-store.ts'
import type { Queries } from './queries.ts'

/** Selects the units of each account at stake pools, rewards included. */
const delegatedUnits = (queries: Queries) =>
  queries
    .selectFrom('delegation')
    .select(['delegator', sql<bigint>`sum(amount + reward)`.as('units')])
    .groupBy('delegator')
    .as('delegated')

async function richestAccounts(
  queries: Queries,
  parameters: Parameters<ChainStore['richestAccounts']>[0],
): Promise<readonly HolderBalance[]> {
  const { tokenId, offset, limit, withDelegated } = parameters
  const held = queries.selectFrom('balance').where('token_id', '=', tokenId.toLowerCase())
  const rows = withDelegated
    ? held
        .leftJoin(delegatedUnits(queries), 'delegated.delegator', 'balance.account')
        .select(['account', sql<bigint>`amount + coalesce(delegated.units, 0)`.as('units')])
    : held.select(['account', 'amount as units'])
  return rows.orderBy('units', 'desc').orderBy('account').offset(offset).limit(limit).execute()
}

async function holders(queries: Queries, tokenId: string) {
  const row = await queries
    .selectFrom('balance')
    .select(({ fn }) => [fn.countAll<bigint>().as('count'), fn.sum<bigint | null>('amount').as('units')])
    .where('token_id', '=', tokenId.toLowerCase())
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), units: row.units ?? 0n }
}

async function accountCount(queries: Queries): Promise<number> {
  const row = await queries
    .selectFrom('balance')
    .select(sql<bigint>`count(distinct account)`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

async function holderCounts(queries: Queries): Promise<ReadonlyMap<string, number>> {
  const rows = await queries
    .selectFrom('balance')
    .select(['token_id', ({ fn }) => fn.countAll<bigint>().as('count')])
    .groupBy('token_id')
    .execute()
  return new Map(rows.map((row) => [row.token_id, Number(row.count)]))
}

async function accountsHolding(queries: Queries, tokenId: string, least: bigint): Promise<number> {
  const row = await queries
    .selectFrom('balance')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('token_id', '=', tokenId.toLowerCase())
    .where('amount', '>=', least)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

async function tokenPublishers(
  queries: Queries,
  tokenId: string,
  sinceHeight: number,
): Promise<readonly Address[]> {
  const rows = await queries
    .selectFrom('microblock')
    .select('publisher')
    .distinct()
    .where('height', '>=', sinceHeight)
    .where('token_id', '=', tokenId.toLowerCase())
    .execute()
  return rows.map(({ publisher }) => publisher as Address)
}

async function balancesIn(
  queries: Queries,
  tokenId: string,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  if (accounts.length === 0) return new Map()
  const rows = await queries
    .selectFrom('balance')
    .select(['account', 'amount'])
    .where('token_id', '=', tokenId.toLowerCase())
    .where('account', '=', anyText(accounts))
    .execute()
  return new Map(rows.map((row) => [row.account, row.amount]))
}

type HolderReads = Pick<
  ChainStore,
  | 'richestAccounts'
  | 'holders'
  | 'accountCount'
  | 'holderCounts'
  | 'accountsHolding'
  | 'tokenPublishers'
  | 'balancesIn'
>

export const holderReads = (queries: Queries): HolderReads => ({
  richestAccounts: (parameters) => richestAccounts(queries, parameters),
  holders: (tokenId) => holders(queries, tokenId),
  accountCount: () => accountCount(queries),
  holderCounts: () => holderCounts(queries),
  accountsHolding: (tokenId, least) => accountsHolding(queries, tokenId, least),
  tokenPublishers: (tokenId, sinceHeight) => tokenPublishers(queries, tokenId, sinceHeight),
  balancesIn: (tokenId, accounts) => balancesIn(queries, tokenId, accounts),
})
