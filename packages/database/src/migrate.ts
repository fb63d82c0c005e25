import { hostError } from '@hailstone/protocol'
import { type Kysely, sql } from 'kysely'

/** One step of a schema. Steps are only ever appended. */
export type Migration = {
  readonly version: number
  /** Statements of plain PostgreSQL, divided by semicolons, so that none may stand within one. */
  readonly statements: string
}

/** Another process is doing the same (SQLSTATE: unique violation, duplicate table or type, object in use). */
const MEETING_CODES = ['23505', '42P07', '42710', '40001', '40P01', '55006']

const isMeeting = (error: unknown): boolean =>
  MEETING_CODES.includes(String((error as { readonly code?: unknown } | null)?.code))

async function appliedVersions<Schema>(queries: Kysely<Schema>, table: string): Promise<ReadonlySet<number>> {
  await sql`create table if not exists ${sql.table(table)} (version integer primary key, applied_at timestamptz not null default now())`.execute(
    queries,
  )
  const { rows } = await sql<{ version: number }>`select version from ${sql.table(table)}`.execute(queries)
  return new Set(rows.map(({ version }) => version))
}

/** The version is claimed before its statements run: of two processes, one waits here and then finds it taken. */
function applyMigration<Schema>(
  queries: Kysely<Schema>,
  { version, statements }: Migration,
  table: string,
): Promise<void> {
  return queries.transaction().execute(async (transaction) => {
    await sql`insert into ${sql.table(table)} (version) values (${version})`.execute(transaction)
    for (const statement of statements.split(';').filter((text) => text.trim() !== ''))
      await sql.raw(statement).execute(transaction)
  })
}

async function applyMissing<Schema>(
  queries: Kysely<Schema>,
  migrations: readonly Migration[],
  table: string,
): Promise<void> {
  if (migrations.length === 0) return
  const applied = await appliedVersions(queries, table)
  const newest = Math.max(0, ...migrations.map(({ version }) => version))
  if (Math.max(0, ...applied) > newest)
    throw hostError('STORE_INVALID', { reason: 'a newer version of this software wrote it' })
  for (const migration of migrations)
    if (!applied.has(migration.version)) await applyMigration(queries, migration, table)
}

const MAX_MEETINGS = 10

/**
 * Brings the schema up to date, one transaction for each step; several processes may do so at once.
 *
 * @param migrations all steps; without any, nothing is looked at
 * @param table in which the steps are noted; tables that belong to another program have one of their own
 * @throws {NodeError} `STORE_INVALID`
 */
export async function migrate<Schema>(
  queries: Kysely<Schema>,
  migrations: readonly Migration[],
  table = 'migration',
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyMissing(queries, migrations, table)
    } catch (error) {
      if (!isMeeting(error) || attempt === MAX_MEETINGS) throw error
      await new Promise((resolve) => setTimeout(resolve, 20 * attempt))
    }
  }
}
