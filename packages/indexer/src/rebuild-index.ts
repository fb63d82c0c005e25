import type { Client } from '@hailstone/client'
import { connectPostgres, migrate, openDatabase } from '@hailstone/database'
import type { TokenId } from '@hailstone/protocol'
import { type Kysely, sql } from 'kysely'
import { migrations } from './migrations.ts'
import {
  dropRemains,
  EMBEDDED_SCHEMA,
  INDEX_SCHEMA,
  type Index,
  type IndexPlace,
  openIndex,
} from './open-index.ts'
import { assertNothingDepends, copyRights, dropSchema, nextOf, takePlace } from './replace-schema.ts'
import { assertCurrent, openWriter } from './run-indexer.ts'
import type { Schema } from './schema.ts'
import { holderOf } from './store/cursor.ts'

export type RebuildParameters = {
  readonly place: IndexPlace
  readonly client: Client
  readonly tokenIds: readonly TokenId[]
  readonly signal?: AbortSignal | undefined
}

/**
 * Builds an index anew beside the one that is there, and puts it into its place when it has reached the newest block.
 * Until then readers see the old one. Tables in other schemas of the database, such as those of a console, stay as they
 * are. Readers keep their rights, which are given before the walk, so that one that cannot be given ends it there. A
 * rebuild that fails leaves nothing. Returns the height.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, also with the names of what depends on the tables from other schemas;
 *   `HEIGHT_UNAVAILABLE`, and what indexing throws
 */
export async function rebuildIndex(parameters: RebuildParameters): Promise<number> {
  const { folder, database, schema = INDEX_SCHEMA } = parameters.place
  if (database !== undefined) return rebuildOnServer(parameters, database, schema)
  if (folder !== undefined) return rebuildInFolder(parameters, folder)
  await using index = await openIndex()
  return await fill(parameters, index)
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

/** Drops what a rebuild that failed has made, unless one that began later has made it anew. */
async function dropFailed(queries: Kysely<Schema>, schema: string): Promise<void> {
  const next = nextOf(schema)
  // Without tables, or without a server, there is no holder.
  const holder = await holderOf(queries.withSchema(next)).catch(() => null)
  if (holder === null) await dropSchema(queries, next).catch(() => {})
}

async function rebuildOnServer(parameters: RebuildParameters, url: string, schema: string): Promise<number> {
  const { queries, close } = connectPostgres<Schema>({ url, applicationName: 'hailstone-indexer' })
  try {
    await assertNothingDepends(queries, schema)
    await dropSchema(queries, nextOf(schema))
    try {
      await using index = await openIndex({ database: url, schema: nextOf(schema) })
      await copyRights(queries, schema)
      const height = await fill(parameters, index)
      await takePlace(queries, schema)
      return height
    } catch (error) {
      await dropFailed(queries, schema)
      throw error
    }
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
    await dropRemains(queries, folder)
    await assertNothingDepends(queries, EMBEDDED_SCHEMA)
    await sql`create schema ${sql.id(next)}`.execute(queries)
    try {
      await sql`set search_path to ${sql.id(next)}`.execute(queries)
      await migrate(queries, migrations)
      await copyRights(queries, EMBEDDED_SCHEMA)
      const height = await fill(parameters, { queries, isExclusive: true })
      await takePlace(queries, EMBEDDED_SCHEMA)
      return height
    } catch (error) {
      await dropFailed(queries, EMBEDDED_SCHEMA)
      throw error
    }
  } finally {
    await close()
  }
}
