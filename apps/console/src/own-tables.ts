import { type Migration, migrate } from '@hailstone/database'
import type { Index } from '@hailstone/indexer'
import { type Kysely, sql } from 'kysely'

/** Schema of the partner's own tables, beside those of the index, which come from the chain alone. */
const SCHEMA = 'hailstone_console'

/** One subject of own tables, e.g. `people`, with the steps of its schema; they are only ever appended to. */
export type OwnTables = { readonly subject: string; readonly migrations: readonly Migration[] }

/** Brings the tables of a subject up to date and returns their queries. */
export async function openOwnTables<Tables>(
  { queries }: Pick<Index, 'queries'>,
  { subject, migrations }: OwnTables,
): Promise<Kysely<Tables>> {
  await sql`create schema if not exists ${sql.id(SCHEMA)}`.execute(queries)
  await migrate(queries, migrations, `${SCHEMA}.${subject}_migration`)
  return queries.withSchema(SCHEMA) as unknown as Kysely<Tables>
}
