import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** A figure that is kept while blocks come and differs from what it counts; numbers as text. */
export type KeptDifference = {
  readonly subject: string
  readonly address: string | null
  readonly expected: string | null
  readonly found: string | null
}

type Sum = (token: number) => RawBuilder<unknown>

/** Each kept figure with what it should be, counted over the rows: account or null, subject, found, expected. */
const sums: readonly Sum[] = [
  (token) => sql`select account, 'microblocks of a miner' as subject, kept.microblocks::text as found,
      (select count(*) from microblock m where m.token = kept.token and m.account = kept.account)::text as expected
    from miner kept where kept.token = ${token}`,
  (token) => sql`select account, 'earned of a miner' as subject, kept.earned::text as found,
      (select coalesce(sum(r.amount), 0) from reward r
        where r.token = kept.token and r.account = kept.account and r.kind in (1, 2))::text as expected
    from miner kept where kept.token = ${token}`,
  (
    token,
  ) => sql`select agent as account, 'microblocks of an agent' as subject, kept.microblocks::text as found,
      (select count(*) from microblock m where m.token = kept.token and m.agent = kept.agent)::text as expected
    from agent_total kept where kept.token = ${token}`,
  (token) => sql`select agent as account, 'earned of an agent' as subject, kept.earned::text as found,
      (select coalesce(sum(r.amount), 0) from reward r
        where r.token = kept.token and r.account = kept.agent and r.kind = 3)::text as expected
    from agent_total kept where kept.token = ${token}`,
  (token) => sql`select agent as account, 'miners of an agent' as subject, kept.miners::text as found,
      (select count(*) from miner m where m.token = kept.token and m.agent = kept.agent)::text as expected
    from agent_total kept where kept.token = ${token}`,
  (
    token,
  ) => sql`select null::int as account, 'miners of day ' || kept.day as subject, kept.active::text as found,
      (select count(distinct m.account) from microblock m join block b on b.height = m.height
        where m.token = kept.token and b.day = kept.day)::text as expected
    from token_day kept where kept.token = ${token}`,
  (token) => sql`select null::int as account, 'rewards of day ' || kept.day as subject,
      (kept.mined + kept.miner_half + kept.agent_half + kept.owner_part)::text as found,
      (select coalesce(sum(r.amount), 0) from reward r join block b on b.height = r.height
        where r.token = kept.token and r.kind <> 5 and b.day = kept.day)::text as expected
    from token_day kept where kept.token = ${token}`,
  (token) => sql`select null::int as account, 'miners of 30 days' as subject,
      (select coalesce(sum(d.month_step), 0) from token_day d where d.token = ${token} and d.day <= tip.day)::text as found,
      (select count(distinct m.account) from microblock m join block b on b.height = m.height
        where m.token = ${token} and b.day > tip.day - 30)::text as expected
    from (select max(day) as day from block) as tip`,
  (token) => sql`select null::int as account, 'holders of all bands' as subject,
      (select coalesce(sum(holders), 0) from stake_band where token = ${token})::text as found,
      (select count(*) from holding where token = ${token})::text as expected`,
  (token) => sql`select null::int as account, 'miners of all bands' as subject,
      (select coalesce(sum(miners), 0) from stake_band where token = ${token})::text as found,
      (select count(*) from miner where token = ${token})::text as expected`,
]

/** Returns the kept figures of a token that are not what the rows below them add up to. */
export async function keptDifferences(
  queries: Kysely<Schema>,
  token: number,
): Promise<readonly KeptDifference[]> {
  const found: KeptDifference[] = []
  for (const sum of sums) {
    const { rows } = await sql<KeptDifference>`
      select subject, account.address, expected, found from (${sum(token)}) as kept
        left join account on account.id = kept.account
        where found is distinct from expected order by subject, account.id`.execute(queries)
    found.push(...rows)
  }
  return found
}
