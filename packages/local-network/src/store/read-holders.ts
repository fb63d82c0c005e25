import type { Address } from '@hailstone/protocol'
import { sql } from 'kysely'
import { anyText } from './batched.ts'
import type { Queries } from './queries.ts'
import type { Reads } from './reads.ts'

/** Selects the units of each account at stake pools, rewards included. */
const delegatedUnits = (queries: Queries) =>
  queries
    .selectFrom('delegation')
    .select(['delegator', sql<bigint>`sum(amount + reward)`.as('units')])
    .groupBy('delegator')
    .as('delegated')

export const holderReads = {
  async richestAccounts(queries, { tokenId, offset, limit, withDelegated }) {
    const held = queries.selectFrom('balance').where('token_id', '=', tokenId.toLowerCase())
    const rows = withDelegated
      ? held
          .leftJoin(delegatedUnits(queries), 'delegated.delegator', 'balance.account')
          .select(['account', sql<bigint>`amount + coalesce(delegated.units, 0)`.as('units')])
      : held.select(['account', 'amount as units'])
    return rows.orderBy('units', 'desc').orderBy('account').offset(offset).limit(limit).execute()
  },
  async holders(queries, tokenId) {
    const row = await queries
      .selectFrom('balance')
      .select(({ fn }) => [fn.countAll<bigint>().as('count'), fn.sum<bigint | null>('amount').as('units')])
      .where('token_id', '=', tokenId.toLowerCase())
      .executeTakeFirstOrThrow()
    return { count: Number(row.count), units: row.units ?? 0n }
  },
  async accountCount(queries) {
    const row = await queries
      .selectFrom('balance')
      .select(sql<bigint>`count(distinct account)`.as('count'))
      .executeTakeFirstOrThrow()
    return Number(row.count)
  },
  async holderCounts(queries) {
    const rows = await queries
      .selectFrom('balance')
      .select(['token_id', ({ fn }) => fn.countAll<bigint>().as('count')])
      .groupBy('token_id')
      .execute()
    return new Map(rows.map((row) => [row.token_id, Number(row.count)]))
  },
  async accountsHolding(queries, tokenId, least) {
    const row = await queries
      .selectFrom('balance')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .where('token_id', '=', tokenId.toLowerCase())
      .where('amount', '>=', least)
      .executeTakeFirstOrThrow()
    return Number(row.count)
  },
  async tokenPublishers(queries, tokenId, sinceHeight) {
    const rows = await queries
      .selectFrom('microblock')
      .select('publisher')
      .distinct()
      .where('height', '>=', sinceHeight)
      .where('token_id', '=', tokenId.toLowerCase())
      .execute()
    return rows.map(({ publisher }) => publisher as Address)
  },
  async balancesIn(queries, tokenId, accounts) {
    if (accounts.length === 0) return new Map()
    const rows = await queries
      .selectFrom('balance')
      .select(['account', 'amount'])
      .where('token_id', '=', tokenId.toLowerCase())
      .where('account', '=', anyText(accounts))
      .execute()
    return new Map(rows.map((row) => [row.account, row.amount]))
  },
} satisfies Reads
