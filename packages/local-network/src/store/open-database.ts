import { existsSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Kysely } from 'kysely'
import { lockDataFolder } from './data-folder-lock.ts'
import { databaseSeed } from './database-seed.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import { pgliteDialect } from './pglite-dialect.ts'
import type { Schema } from './schema.ts'

export type OpenDatabase = {
  readonly queries: Kysely<Schema>
  /** Ends the engine, which otherwise keeps the process alive, and gives the folder back. */
  readonly close: () => Promise<void>
}

/** Reading `bigint` and `numeric` columns; the engine would make numbers and texts of them. */
const NUMERIC = 1700
const BIGINT = 20
const parsers = { [BIGINT]: BigInt, [NUMERIC]: BigInt }

/** A dump made by another version of the engine may not load. */
async function engineVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  return readFile(join(dirname(entry), '..', 'package.json'), 'utf8').then(
    (text) => String(JSON.parse(text).version),
    () => 'unknown',
  )
}

const queriesOf = (database: PGlite): Kysely<Schema> =>
  new Kysely<Schema>({ dialect: pgliteDialect(database) })

async function createMigrated(): Promise<PGlite> {
  const database = await PGlite.create({ parsers })
  await migrate(queriesOf(database))
  return database
}

/** A new database, in memory or in a folder that does not exist yet. */
async function createDatabase(folder?: string): Promise<PGlite> {
  const seed = await databaseSeed(`${await engineVersion()} ${JSON.stringify(migrations)}`, createMigrated)
  const options = { parsers, ...(folder === undefined ? {} : { dataDir: folder }) }
  try {
    return await PGlite.create({ ...options, loadDataDir: seed.dump })
  } catch {
    await seed.discard()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    return PGlite.create(options)
  }
}

/** A killed process leaves either no database or a whole one: it is built aside and moved. */
async function openInFolder(folder: string): Promise<PGlite> {
  const place = join(folder, 'database')
  if (!existsSync(place)) {
    const draft = join(folder, 'database.new')
    await rm(draft, { recursive: true, force: true })
    await (await createDatabase(draft)).close()
    await rename(draft, place)
  }
  return PGlite.create({ dataDir: place, parsers })
}

async function openLocked(folder: string): Promise<OpenDatabase> {
  const unlock = await lockDataFolder(folder)
  try {
    const database = await openInFolder(folder)
    return await migrated(database, async () => {
      await database.close()
      await unlock()
    })
  } catch (error) {
    await unlock()
    throw error
  }
}

async function migrated(database: PGlite, close: () => Promise<void>): Promise<OpenDatabase> {
  const queries = queriesOf(database)
  try {
    await migrate(queries)
  } catch (error) {
    // An engine that is left open keeps the process alive.
    await database.close()
    throw error
  }
  return { queries, close }
}

/**
 * Opens the embedded database, in memory without a folder. Whoever opens it closes it.
 *
 * @throws {NodeError} `STORE_LOCKED`, `STORE_INVALID`
 */
export async function openDatabase(parameters: {
  readonly folder?: string | undefined
}): Promise<OpenDatabase> {
  const { folder } = parameters
  if (folder !== undefined) return openLocked(folder)
  const database = await createDatabase()
  return migrated(database, () => database.close())
}
