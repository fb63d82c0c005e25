import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@hailstone/client'
import { connectPostgres, lockDataFolder } from '@hailstone/database'
import type { TokenId } from '@hailstone/protocol'
import { sql } from 'kysely'
import { INDEX_SCHEMA, type IndexPlace, openIndex } from './open-index.ts'
import { assertCurrent, openWriter } from './run-indexer.ts'

export type RebuildParameters = {
  readonly place: IndexPlace
  readonly client: Client
  readonly tokenIds: readonly TokenId[]
  readonly signal?: AbortSignal | undefined
}

/**
 * Builds an index anew beside the one that is there, and puts it into its place when it has reached the newest block.
 * Until then readers see the old one. Returns the height.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `HEIGHT_UNAVAILABLE`, and what indexing throws
 */
export async function rebuildIndex(parameters: RebuildParameters): Promise<number> {
  const { folder, database, schema = INDEX_SCHEMA } = parameters.place
  if (database !== undefined) return rebuildOnServer(parameters, database, schema)
  if (folder !== undefined) return rebuildInFolder(parameters, folder)
  return fill(parameters, {})
}

/** Fills the index of a place and returns its height. */
async function fill({ client, tokenIds, signal }: RebuildParameters, place: IndexPlace): Promise<number> {
  await using index = await openIndex(place)
  await using writer = await openWriter({ index, client, tokenIds, signal, leaseMs: 0 })
  const progress = await writer.step()
  assertCurrent(progress)
  return progress.height
}

/** One transaction renames both schemas, so that no reader finds none. Readers keep their rights. */
async function rebuildOnServer(parameters: RebuildParameters, url: string, schema: string): Promise<number> {
  const next = `${schema}_next`
  const { queries, close } = connectPostgres<object>({ url, applicationName: 'hailstone-indexer' })
  try {
    await sql`drop schema if exists ${sql.id(next)} cascade`.execute(queries)
    const height = await fill(parameters, { database: url, schema: next })
    await queries.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ grantee: string; name: string }>`
        select grantee, table_name as name from information_schema.role_table_grants
          where table_schema = ${schema} and privilege_type = 'SELECT' and grantee <> grantor`.execute(
        transaction,
      )
      await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(transaction)
      await sql`alter schema ${sql.id(next)} rename to ${sql.id(schema)}`.execute(transaction)
      for (const grantee of new Set(rows.map((row) => row.grantee)))
        await sql`grant usage on schema ${sql.id(schema)} to ${sql.id(grantee)}`.execute(transaction)
      for (const { grantee, name } of rows) {
        const isThere = await sql`select to_regclass(${`${schema}.${name}`}) as found`.execute(transaction)
        if ((isThere.rows[0] as { readonly found: unknown } | undefined)?.found === null) continue
        await sql`grant select on ${sql.table(`${schema}.${name}`)} to ${sql.id(grantee)}`.execute(
          transaction,
        )
      }
    })
    return height
  } finally {
    await close()
  }
}

/** The new database is filled in a folder inside, and takes the name of the old one. */
async function rebuildInFolder(parameters: RebuildParameters, folder: string): Promise<number> {
  const unlock = await lockDataFolder(folder)
  try {
    const next = join(folder, 'next')
    await rm(next, { recursive: true, force: true })
    const height = await fill(parameters, { folder: next })
    await rm(join(folder, 'database'), { recursive: true, force: true })
    await rename(join(next, 'database'), join(folder, 'database'))
    await rm(next, { recursive: true, force: true })
    return height
  } finally {
    await unlock()
  }
}
