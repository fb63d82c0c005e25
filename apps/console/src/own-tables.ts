import { type Migration, migrate, type Owner } from '@hailstone/database'
import type { Index } from '@hailstone/indexer'
import { type Kysely, sql } from 'kysely'

/** Schema of the partner's own tables, beside those of the index, which come from the chain alone. */
const SCHEMA = 'hailstone_console'

/** A subject of an older version is recognised by the names of its schema and of its steps. */
const owner: Owner = { program: 'hailstone-console', tables: [] }

/** One subject of own tables, e.g. `people`, with the steps of its schema; they are only ever appended to. */
export type OwnTables = { readonly subject: string; readonly migrations: readonly Migration[] }

/** Brings the tables of a subject up to date and returns their queries. */
export async function openOwnTables<Tables>(
  { queries }: Pick<Index, 'queries'>,
  { subject, migrations }: OwnTables,
): Promise<Kysely<Tables>> {
  await sql`create schema if not exists ${sql.id(SCHEMA)}`.execute(queries)
  await migrate(queries, migrations, `${SCHEMA}.${subject}_migration`, owner)
  return queries.withSchema(SCHEMA) as unknown as Kysely<Tables>
}
