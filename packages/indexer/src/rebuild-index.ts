import type { Client } from '@hailstone/client'
import { connectPostgres, migrate, openDatabase } from '@hailstone/database'
import type { TokenId } from '@hailstone/protocol'
import { type Kysely, sql } from 'kysely'
import { migrations } from './migrations.ts'
import { EMBEDDED_SCHEMA, INDEX_SCHEMA, type Index, type IndexPlace, openIndex } from './open-index.ts'
import { assertCurrent, openWriter } from './run-indexer.ts'
import type { Schema } from './schema.ts'

export type RebuildParameters = {
  readonly place: IndexPlace
  readonly client: Client
  readonly tokenIds: readonly TokenId[]
  readonly signal?: AbortSignal | undefined
}

/**
 * Builds an index anew beside the one that is there, and puts it into its place when it has reached the newest block.
 * Until then readers see the old one. Tables in other schemas of the database, such as those of a console, stay as they
 * are. Returns the height.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `HEIGHT_UNAVAILABLE`, and what indexing throws
 */
export async function rebuildIndex(parameters: RebuildParameters): Promise<number> {
  const { folder, database, schema = INDEX_SCHEMA } = parameters.place
  if (database !== undefined) return rebuildOnServer(parameters, database, schema)
  if (folder !== undefined) return rebuildInFolder(parameters, folder)
  return fillPlace(parameters, {})
}

/** Fills an index and returns its height. */
async function fill(
  { client, tokenIds, signal }: RebuildParameters,
  index: Pick<Index, 'queries' | 'isExclusive'>,
): Promise<number> {
  await using writer = await openWriter({ index, client, tokenIds, signal, leaseMs: 0 })
  const progress = await writer.step()
  assertCurrent(progress)
  return progress.height
}

async function fillPlace(parameters: RebuildParameters, place: IndexPlace): Promise<number> {
  await using index = await openIndex(place)
  return await fill(parameters, index)
}

const nextOf = (schema: string): string => `${schema}_next`

const dropSchema = (queries: Kysely<Schema>, schema: string): Promise<unknown> =>
  sql`drop schema if exists ${sql.id(schema)} cascade`.execute(queries)

/** One transaction renames both schemas, so that no reader finds none. Readers keep their rights. */
async function takePlace(queries: Kysely<Schema>, schema: string): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ grantee: string; name: string }>`
      select grantee, table_name as name from information_schema.role_table_grants
        where table_schema = ${schema} and privilege_type = 'SELECT' and grantee <> grantor`.execute(
      transaction,
    )
    await dropSchema(transaction, schema)
    await sql`alter schema ${sql.id(nextOf(schema))} rename to ${sql.id(schema)}`.execute(transaction)
    for (const grantee of new Set(rows.map((row) => row.grantee)))
      await sql`grant usage on schema ${sql.id(schema)} to ${sql.id(grantee)}`.execute(transaction)
    for (const { grantee, name } of rows) {
      const isThere = await sql`select to_regclass(${`${schema}.${name}`}) as found`.execute(transaction)
      if ((isThere.rows[0] as { readonly found: unknown } | undefined)?.found === null) continue
      await sql`grant select on ${sql.table(`${schema}.${name}`)} to ${sql.id(grantee)}`.execute(transaction)
    }
  })
}

async function rebuildOnServer(parameters: RebuildParameters, url: string, schema: string): Promise<number> {
  const { queries, close } = connectPostgres<Schema>({ url, applicationName: 'hailstone-indexer' })
  try {
    await dropSchema(queries, nextOf(schema))
    const height = await fillPlace(parameters, { database: url, schema: nextOf(schema) })
    await takePlace(queries, schema)
    return height
  } finally {
    await close()
  }
}

/** The same in a folder, whose only connection looks into the new schema meanwhile. */
async function rebuildInFolder(parameters: RebuildParameters, folder: string): Promise<number> {
  const next = nextOf(EMBEDDED_SCHEMA)
  // Without migrations the old tables are left as they are, whichever version wrote them.
  const { queries, close } = await openDatabase<Schema>({ folder, migrations: [] })
  try {
    await dropSchema(queries, next)
    await sql`create schema ${sql.id(next)}`.execute(queries)
    await sql`set search_path to ${sql.id(next)}`.execute(queries)
    await migrate(queries, migrations)
    const height = await fill(parameters, { queries, isExclusive: true })
    await takePlace(queries, EMBEDDED_SCHEMA)
    return height
  } finally {
    await close()
  }
}
