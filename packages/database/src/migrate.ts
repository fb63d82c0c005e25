import { hostError } from '@hailstone/protocol'
import { type Kysely, sql } from 'kysely'
import { assertOwnDatabase, assertOwner, hasSteps, markOwner, type Owner } from './owner.ts'

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

/** Table in which steps are noted, and the program that it belongs to. */
type Steps = { readonly table: string; readonly owner?: Owner | undefined }

/** Returns the steps that were applied, or null if their table does not exist. */
async function appliedVersions<Schema>(
  queries: Kysely<Schema>,
  { table, owner }: Steps,
): Promise<ReadonlySet<number> | null> {
  const isThere =
    owner === undefined ? await hasSteps(queries, table) : await assertOwner(queries, owner, table)
  if (!isThere) return null
  const { rows } = await sql<{ version: number }>`select version from ${sql.table(table)}`.execute(queries)
  return new Set(rows.map(({ version }) => version))
}

/** Fails if the table exists: of two programs that begin at once, the second one looks again at whose it is. */
async function createSteps<Schema>(transaction: Kysely<Schema>, { table, owner }: Steps): Promise<void> {
  await sql`create table ${sql.table(table)} (version integer primary key, applied_at timestamptz not null default now())`.execute(
    transaction,
  )
  if (owner !== undefined) await markOwner(transaction, owner, table)
}

/** The version is claimed before its statements run: of two processes, one waits here and then finds it taken. */
async function applyMigration<Schema>(
  transaction: Kysely<Schema>,
  { version, statements }: Migration,
  table: string,
): Promise<void> {
  await sql`insert into ${sql.table(table)} (version) values (${version})`.execute(transaction)
  for (const statement of statements.split(';').filter((text) => text.trim() !== ''))
    await sql.raw(statement).execute(transaction)
}

/** The table of the steps is made with the first step: where that one fails, nothing says that the place is ours. */
async function applyMissing<Schema>(
  queries: Kysely<Schema>,
  migrations: readonly Migration[],
  steps: Steps,
): Promise<void> {
  const { owner } = steps
  if (migrations.length === 0) return
  let applied = await appliedVersions(queries, steps)
  if (applied === null && owner?.needsOwnDatabase === true) await assertOwnDatabase(queries, owner)
  const newest = Math.max(0, ...migrations.map(({ version }) => version))
  if (Math.max(0, ...(applied ?? [])) > newest)
    throw hostError('STORE_INVALID', { reason: 'a newer version of this software wrote it' })
  for (const migration of migrations) {
    if (applied?.has(migration.version) === true) continue
    await queries.transaction().execute(async (transaction) => {
      if (applied === null) await createSteps(transaction, steps)
      await applyMigration(transaction, migration, steps.table)
    })
    applied ??= new Set()
  }
}

const MAX_MEETINGS = 10

/** A table or type of that name exists (SQLSTATE); after all attempts no other process of ours is making it. */
const IN_THE_WAY = ['42P07', '42710']

const inTheWay = (error: unknown): unknown => {
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  if (!IN_THE_WAY.includes(code ?? '')) return error
  const reason = `something of another program is in the way (${message}); choose another schema or database`
  return hostError('STORE_INVALID', { reason }, { cause: error })
}

/**
 * Brings the schema up to date, one transaction for each step; several processes may do so at once.
 *
 * @param migrations all steps; without any, nothing is looked at
 * @param table in which the steps are noted; tables that belong to another program have one of their own
 * @param owner program that the tables belong to; it is kept with them, and those of another one are refused
 * @throws {NodeError} `STORE_INVALID`
 */
export async function migrate<Schema>(
  queries: Kysely<Schema>,
  migrations: readonly Migration[],
  table = 'migration',
  owner?: Owner,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyMissing(queries, migrations, { table, owner })
    } catch (error) {
      if (!isMeeting(error)) throw error
      if (attempt === MAX_MEETINGS) throw inTheWay(error)
      await new Promise((resolve) => setTimeout(resolve, 20 * attempt))
    }
  }
}
