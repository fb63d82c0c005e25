import { hostError } from '@hailstone/protocol'
import { type Kysely, sql } from 'kysely'
import { migrations } from './migrations.ts'
import type { Schema } from './schema.ts'

/** Another process is doing the same (SQLSTATE: unique violation, duplicate table or type, object in use). */
const MEETING_CODES = ['23505', '42P07', '42710', '40001', '40P01', '55006']

const isMeeting = (error: unknown): boolean =>
  MEETING_CODES.includes(String((error as { readonly code?: unknown } | null)?.code))

async function appliedVersions(queries: Kysely<Schema>): Promise<ReadonlySet<number>> {
  await sql`create table if not exists migration (version integer primary key, applied_at timestamptz not null default now())`.execute(
    queries,
  )
  const { rows } = await sql<{ version: number }>`select version from migration`.execute(queries)
  return new Set(rows.map(({ version }) => version))
}

/** The version is claimed before its statements run: of two processes, one waits here and then finds it taken. */
function applyMigration(queries: Kysely<Schema>, version: number, statements: string): Promise<void> {
  return queries.transaction().execute(async (transaction) => {
    await sql`insert into migration (version) values (${version})`.execute(transaction)
    for (const statement of statements.split(';').filter((text) => text.trim() !== ''))
      await sql.raw(statement).execute(transaction)
  })
}

async function applyMissing(queries: Kysely<Schema>): Promise<void> {
  const applied = await appliedVersions(queries)
  const newest = Math.max(0, ...migrations.map(({ version }) => version))
  if (Math.max(0, ...applied) > newest)
    throw hostError('STORE_INVALID', { reason: 'a newer version of this software wrote it' })
  for (const { version, statements } of migrations)
    if (!applied.has(version)) await applyMigration(queries, version, statements)
}

const MAX_MEETINGS = 10

/**
 * Brings the schema up to date, one transaction for each step; several processes may do so at once.
 *
 * @throws {NodeError} `STORE_INVALID`
 */
export async function migrate(queries: Kysely<Schema>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyMissing(queries)
    } catch (error) {
      if (!isMeeting(error) || attempt === MAX_MEETINGS) throw error
      await new Promise((resolve) => setTimeout(resolve, 20 * attempt))
    }
  }
}
