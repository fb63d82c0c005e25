import { readFile } from 'node:fs/promises'
import { createClient } from '@hailstone/client'
import { connectPostgres } from '@hailstone/database'
import { type Kysely, sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { describePostgres } from '../../local-network/test/engines.ts'
import { INDEX_SCHEMA, openIndex } from '../src/open-index.ts'
import { openWriter } from '../src/run-indexer.ts'
import { closeRandom } from './population.ts'
import { randomOf } from './random.ts'
import { openTestChain } from './test-chain.ts'

const textOf = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8')

type Row = Readonly<Record<string, unknown>>

describePostgres('the promised views', (server) => {
  let database: string
  let tokenId: string

  /** Runs a question as the role that TABLES.md creates. */
  async function asAnalyst<T>(work: (queries: Kysely<object>) => Promise<T>): Promise<T> {
    const url = new URL(database)
    url.username = 'analyst'
    const { queries, close } = connectPostgres<object>({ url: url.href, applicationName: 'views' })
    try {
      return await work(queries)
    } finally {
      await close()
    }
  }

  const rowsOf = (text: string): Promise<readonly Row[]> =>
    asAnalyst(async (queries) => (await sql<Row>`${sql.raw(text)}`.execute(queries)).rows)

  beforeAll(async () => {
    const random = randomOf(9)
    await using chain = await openTestChain('views')
    for (let left = 12; left > 0; left--) await closeRandom(chain, random)
    await using client = createClient({ apiUrl: chain.apiUrl })
    database = await server().createDatabase()
    tokenId = chain.token.id
    await using index = await openIndex({ database })
    await using writer = await openWriter({ index, client, tokenIds: [chain.token.id] })
    await writer.step()
    const [, statements = ''] = /```sql\n(create role[^`]*)```/.exec(await textOf('../TABLES.md')) ?? []
    for (const statement of statements.split(';').filter((one) => one.trim() !== ''))
      await sql`${sql.raw(statement)}`.execute(index.queries)
  })

  it('are those of TABLES.md, with columns that only ever become more', async () => {
    const columns =
      await rowsOf(`select table_name as name, string_agg(column_name, ' ' order by ordinal_position) as columns
      from information_schema.columns where table_schema = '${INDEX_SCHEMA}' and table_name like '%\\_v1' group by 1 order by 1`)
    const documented = [...(await textOf('../TABLES.md')).matchAll(/^\| `(\w+_v1)`/gm)].map(
      ([, name]) => name,
    )
    expect(columns.map(({ name }) => name)).toEqual([...documented].sort())
    expect(Object.fromEntries(columns.map((row) => [row.name, row.columns]))).toMatchInlineSnapshot(`
      {
        "agent_day_v1": "token_id agent day microblocks earned lost new_miners",
        "agent_v1": "token_id agent miners microblocks earned lost first_day last_day",
        "cohort_v1": "token_id week age miners",
        "cursor_v1": "height hash time day api_height status note seen_at",
        "day_v1": "token_id day active new returned active_7_days active_30_days churned blocks microblocks mined referred miner_half agent_half owner_part lost transfers fees rejected",
        "holding_v1": "token_id address amount",
        "hour_v1": "token_id hour active microblocks mined referred transfers fees rejected",
        "microblock_v1": "token_id height time hash publisher agent stake",
        "miner_v1": "token_id address first_height first_day last_height last_day last_hour active_days microblocks earned agent agent_since balance",
        "reward_v1": "token_id height time address kind amount expected",
        "stake_band_v1": "token_id band holders miners",
        "token_v1": "token_id symbol caption decimals owner fee_type fee_value fee_minimum max_supply block_reward minimum_stake referrer_stake referral_share_bps created_height total_supply",
        "transfer_v1": "token_id height time hash sender receiver amount fee status data",
        "unexplained_v1": "token_id height time address subject shown computed",
      }
    `)
  })

  it('are read by a role that can change nothing', async () => {
    for (const view of [
      'cursor',
      'token',
      'miner',
      'holding',
      'microblock',
      'reward',
      'transfer',
      'day',
      'hour',
    ])
      expect([view, (await rowsOf(`select * from ${view}_v1`)).length > 0]).toEqual([view, true])
    for (const statement of [
      'update cursor set height = 0',
      'insert into unexplained values (1, 1, 1, 1, 1, 1, 1)',
      'delete from undo',
      'truncate miner',
      'drop view miner_v1',
      `create table ${INDEX_SCHEMA}.mine (id integer)`,
    ])
      await expect(rowsOf(statement), statement).rejects.toThrow(/permission denied|must be owner/)
  })

  it('agree with one another', async () => {
    const [sums] = await rowsOf(`select
      (select sum(microblocks) from miner_v1) as by_miner, (select sum(microblocks) from day_v1) as by_day,
      (select sum(microblocks) from hour_v1) as by_hour, (select count(*) from microblock_v1) as by_row,
      (select sum(mined + referred) from day_v1) as paid,
      (select sum(amount) from reward_v1 where kind <> 'odd unit') as rewards,
      (select sum(mined + referred) from hour_v1) as paid_by_hour`)
    expect(sums?.by_row).toBeGreaterThan(10n)
    expect([sums?.by_miner, sums?.by_day, sums?.by_hour].map(BigInt as never)).toEqual(
      Array.from({ length: 3 }, () => sums?.by_row),
    )
    expect([sums?.paid, sums?.paid_by_hour]).toEqual([sums?.rewards, sums?.rewards])
  })

  it('answer every question of the Grafana file', async () => {
    const dashboard = JSON.parse(await textOf('../grafana/dashboard.json')) as {
      readonly panels: readonly {
        readonly title: string
        readonly targets?: readonly { readonly rawSql: string }[]
      }[]
      readonly templating: { readonly list: readonly { readonly type: string; readonly query: string }[] }
    }
    const questions = dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ rawSql }) => [title, rawSql] as const),
    )
    const variables = dashboard.templating.list.filter(({ type, query }) => type === 'query' && query !== '')
    expect(questions.length).toBeGreaterThan(5)
    expect(await rowsOf(variables[0]?.query ?? '')).toEqual([
      { __text: expect.any(String), __value: tokenId },
    ])
    for (const [title, text] of questions) {
      // What Grafana writes in their place.
      const filled = text
        .replaceAll(/\$\{token\}/g, tokenId)
        .replace(/\$__timeFilter\(([^)]*)\)/g, `$1 between '2000-01-01' and '2100-01-01'`)
      const [found] = await rowsOf(`select count(*)::int as rows from (${filled}) as panel`)
      expect([title, Number(found?.rows) > 0]).toEqual([title, !text.includes('unexplained_v1')])
    }
  })
})
