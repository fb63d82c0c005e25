import type { Migration } from '@hailstone/database'
import type { Index } from '@hailstone/indexer'
import type { Population } from '@hailstone/local-network'
import { type Kysely, sql } from 'kysely'
import { openOwnTables } from './own-tables.ts'

/** The steps of the schema. A table of a console that noted no steps is as the first one makes it. */
const migrations: readonly Migration[] = [
  {
    version: 1,
    statements: `
create table if not exists hailstone_console.label (
  address text primary key,
  text text not null,
  kind text not null
)`,
  },
]

/** Creates the table of labels beside an index. */
export async function createLabels(index: Pick<Index, 'queries'>): Promise<void> {
  await openOwnTables(index, { subject: 'label', migrations })
}

/** Labels the payer, the agents and the campaigns of a population, as a partner would. */
export async function labelPopulation<Schema>(
  queries: Kysely<Schema>,
  population: Population,
): Promise<void> {
  const { accounts, agents, campaigns } = population
  const labels: readonly (readonly [address: string, text: string, kind: string])[] = [
    [accounts.treasury.address, 'Treasury', 'payer'],
    [accounts.owner.address, 'Owner', 'own'],
    [accounts.shop.address, 'Shop', 'own'],
    [accounts.exchange.address, 'Exchange', 'other'],
    ...agents.map((agent, at) => [agent, `Agent ${at + 1}`, 'agent'] as const),
    ...campaigns.map(({ agent, name }) => [agent, name, 'campaign'] as const),
  ]
  for (const [address, text, kind] of labels)
    await sql`insert into hailstone_console.label (address, text, kind) values (${address}, ${text}, ${kind})
      on conflict (address) do update set text = excluded.text, kind = excluded.kind`.execute(queries)
}
