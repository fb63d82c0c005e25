import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** A figure that is kept while blocks come and differs from what it counts; numbers as text. */
export type KeptDifference = {
  readonly subject: string
  readonly address: string | null
  readonly expected: string | null
  /** Null where the row of the figure is missing. */
  readonly found: string | null
}

type Part = RawBuilder<unknown>

/** Compares a figure of accounts. Both sides have the columns `account` and `value`. */
const ofAccounts = (subject: string, kept: Part, counted: Part): Part => sql`
  select coalesce(kept.account, counted.account) as account, ${subject}::text as subject,
    kept.value::text as found, coalesce(counted.value, 0)::text as expected
  from (${kept}) as kept full join (${counted}) as counted on counted.account = kept.account`

/** Compares a figure of days. Both sides have the columns `day` and `value`. */
const ofDays = (subject: string, kept: Part, counted: Part): Part => sql`
  select null::int as account, ${subject}::text || ' of day ' || coalesce(kept.day, counted.day) as subject,
    kept.value::text as found, coalesce(counted.value, 0)::text as expected
  from (${kept}) as kept full join (${counted}) as counted on counted.day = kept.day`

/**
 * Returns the rows of each kept figure beside a count over all rows, as account or null, subject, found, expected. Each one
 * reads the rows once; joined from both sides, so that a kept row that is missing differs too.
 */
const comparisons = (token: number): readonly Part[] => [
  ofAccounts(
    'microblocks of a miner',
    sql`select account, microblocks as value from miner where token = ${token}`,
    sql`select account, count(*) as value from microblock where token = ${token} group by account`,
  ),
  ofAccounts(
    'earned of a miner',
    sql`select account, earned as value from miner where token = ${token}`,
    sql`select account, sum(amount) as value from reward where token = ${token} and kind in (1, 2) group by account`,
  ),
  ofAccounts(
    'miner below the minimum stake',
    sql`select account, is_below::int as value from miner where token = ${token}`,
    sql`select miner.account, (coalesce(holding.amount, 0) < token.minimum_stake)::int as value
      from miner join token on token.id = miner.token
        left join holding on holding.token = miner.token and holding.account = miner.account
      where miner.token = ${token}`,
  ),
  ofAccounts(
    'microblocks of an agent',
    sql`select agent as account, microblocks as value from agent_total where token = ${token}`,
    sql`select agent as account, count(*) as value from microblock
      where token = ${token} and agent is not null group by agent`,
  ),
  ofAccounts(
    'earned of an agent',
    sql`select agent as account, earned as value from agent_total where token = ${token}`,
    sql`select account, sum(amount) as value from reward where token = ${token} and kind = 3 group by account`,
  ),
  ofAccounts(
    'miners of an agent',
    sql`select agent as account, miners as value from agent_total where token = ${token}`,
    sql`select agent as account, count(*) as value from miner
      where token = ${token} and agent is not null group by agent`,
  ),
  ofDays(
    'miners',
    sql`select day, active as value from token_day where token = ${token}`,
    sql`select day, count(distinct account) as value from microblock join block on block.height = microblock.height
      where token = ${token} group by day`,
  ),
  ofDays(
    'rewards',
    sql`select day, mined + miner_half + agent_half + owner_part as value from token_day where token = ${token}`,
    sql`select day, sum(amount) as value from reward join block on block.height = reward.height
      where token = ${token} and kind <> 5 group by day`,
  ),
  sql`select null::int as account, 'miners of 30 days' as subject,
      (select coalesce(sum(d.month_step), 0) from token_day d where d.token = ${token} and d.day <= tip.day)::text as found,
      (select count(distinct m.account) from microblock m join block b on b.height = m.height
        where m.token = ${token} and b.day > tip.day - 30)::text as expected
    from (select max(day) as day from block) as tip`,
  // A token that cannot be mined has no minimum stake, and so no bands.
  sql`select null::int as account, 'holders of all bands' as subject,
      (select coalesce(sum(holders), 0) from stake_band where token = ${token})::text as found,
      (select count(*) from holding where token = ${token})::text as expected
    where exists (select from token where id = ${token} and max_supply is not null)`,
  sql`select null::int as account, 'miners of all bands' as subject,
      (select coalesce(sum(miners), 0) from stake_band where token = ${token})::text as found,
      (select count(*) from miner where token = ${token})::text as expected
    where exists (select from token where id = ${token} and max_supply is not null)`,
]

/** Returns the kept figures of a token that are not what the rows below them add up to. */
export async function keptDifferences(
  queries: Kysely<Schema>,
  token: number,
): Promise<readonly KeptDifference[]> {
  const found: KeptDifference[] = []
  for (const comparison of comparisons(token)) {
    const { rows } = await sql<KeptDifference>`
      select subject, account.address, expected, found from (${comparison}) as kept
        left join account on account.id = kept.account
        where found is distinct from expected order by subject, account.id`.execute(queries)
    found.push(...rows)
  }
  return found
}
