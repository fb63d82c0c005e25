import { readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { hostError, NodeError } from '@hailstone/protocol'
import { Kysely, sql } from 'kysely'
import { lockDataFolder } from './data-folder-lock.ts'
import { databaseSeed } from './database-seed.ts'
import { copiedBytes, heldBytes } from './held-bytes.ts'
import { type Migration, migrate } from './migrate.ts'
import { assertOwner, namesText, notOurs, type Owner } from './owner.ts'
import { pgliteDialect } from './pglite-dialect.ts'

/** A whole embedded database, outside of the engine. */
export type DatabaseCopy = {
  /** Archive of the engine. */
  readonly files: Uint8Array<ArrayBuffer>
  /** Version of the engine that made it. */
  readonly engine: string
}

/** An open database of either engine. */
export type OpenDatabase<Schema> = {
  readonly queries: Kysely<Schema>
  /** Copies the whole database into a value that {@link openDatabase} loads. */
  readonly dump: () => Promise<DatabaseCopy>
  /** Ends the engine, which otherwise keeps the process alive, and gives the folder back. */
  readonly close: () => Promise<void>
}

/** Reading `bigint` and `numeric` columns; the engine would make numbers and texts of them. */
const NUMERIC = 1700
const BIGINT = 20
const parsers = { [BIGINT]: BigInt, [NUMERIC]: BigInt }

const engineFolder = () => dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))

/** A dump made by another version of the engine may not load. */
const engineVersion = (): Promise<string> =>
  readFile(join(engineFolder(), '..', 'package.json'), 'utf8').then(
    (text) => String(JSON.parse(text).version),
    () => 'unknown',
  )

type EngineOptions = Pick<
  PGliteOptions,
  'parsers' | 'startParams' | 'initDbStartParams' | 'pgliteWasmModule' | 'fsBundle'
>

/** Starting without these works too, more slowly: each engine then reads and compiles for itself. */
async function loadEngine(): Promise<Pick<EngineOptions, 'pgliteWasmModule' | 'fsBundle'>> {
  try {
    const [code, files] = await Promise.all(
      ['pglite.wasm', 'pglite.data'].map((name) => readFile(join(engineFolder(), name))),
    )
    if (code === undefined || files === undefined) return {}
    return { pgliteWasmModule: await WebAssembly.compile(code), fsBundle: copiedBytes(files) }
  } catch {
    return {}
  }
}

let loadedEngine: ReturnType<typeof loadEngine> | undefined

/** Returns what every engine of this process starts with. Compiled once, since a process may open many databases. */
async function engineOptions(): Promise<EngineOptions> {
  loadedEngine ??= loadEngine()
  return {
    parsers,
    // Every start fills this memory with zeros, and all files of a database in memory are in memory already.
    startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
    // Files of its log are made whole. With this size, 64 MB of them are kept between two checkpoints.
    initDbStartParams: ['--wal-segsize=1'],
    ...(await loadedEngine),
  }
}

const queriesOf = <Schema>(database: PGlite): Kysely<Schema> =>
  new Kysely<Schema>({ dialect: pgliteDialect(database) })

async function createMigrated({ migrations, owner }: EmbeddedParameters): Promise<PGlite> {
  const database = await PGlite.create(await engineOptions())
  await migrate(queriesOf(database), migrations, undefined, owner)
  await dropTemplates(database)
  return database
}

/** Drops what `CREATE DATABASE` copies: two thirds of all files, and nobody creates a second database here. */
async function dropTemplates(database: PGlite): Promise<void> {
  await database.query('update pg_database set datistemplate = false where datistemplate')
  for (const name of ['template0', 'template1']) await database.query(`drop database ${name}`)
  await database.query('checkpoint')
}

async function dump(database: PGlite): Promise<DatabaseCopy> {
  await database.query('checkpoint')
  const files = await database.dumpDataDir('none')
  return { files: new Uint8Array(await files.arrayBuffer()), engine: await engineVersion() }
}

/** @throws {NodeError} `STORE_INVALID` */
async function loadCopy(
  { files, engine }: DatabaseCopy,
  options: EngineOptions & { dataDir?: string },
): Promise<PGlite> {
  try {
    return await PGlite.create({ ...options, loadDataDir: heldBytes(files) })
  } catch (cause) {
    const reason = `the dump is of engine ${engine}, and ${await engineVersion()} cannot load it`
    throw hostError('STORE_INVALID', { reason }, { cause })
  }
}

type EmbeddedParameters = {
  readonly migrations: readonly Migration[]
  /** Program that the database belongs to; that of another one is refused. @default it is not asked */
  readonly owner?: Owner | undefined
  /** Returns the copy with which a new database begins. */
  readonly load?: (() => DatabaseCopy) | undefined
}

/** A new database, in memory or in a folder that does not exist yet. */
async function createDatabase(folder: string | undefined, parameters: EmbeddedParameters): Promise<PGlite> {
  const { migrations, owner, load } = parameters
  if (load !== undefined)
    return loadCopy(load(), {
      ...(await engineOptions()),
      ...(folder === undefined ? {} : { dataDir: folder }),
    })
  const contents = `${await engineVersion()} ${JSON.stringify([migrations, owner])} without templates, segments of 1 MB`
  const seed = await databaseSeed(contents, () => createMigrated(parameters))
  const options = { ...(await engineOptions()), ...(folder === undefined ? {} : { dataDir: folder }) }
  try {
    return await PGlite.create({ ...options, loadDataDir: seed.dump })
  } catch {
    await seed.discard()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    return PGlite.create(options)
  }
}

/** File beside a database that names its program, for whoever must not open it. */
const ownerFile = (folder: string): string => join(folder, 'database.owner')

/** @throws {NodeError} `STORE_INVALID` if the file beside the database names another program */
async function assertNamed(folder: string, { program }: Owner): Promise<boolean> {
  const named = await readFile(ownerFile(folder), 'utf8').catch(() => '')
  if (named !== '' && named.trim() !== program) throw notOurs(program, named.trim())
  return named !== ''
}

const nothingThere = (error: unknown): readonly string[] => {
  const { code } = error as { readonly code?: unknown }
  if (code === 'ENOENT') return []
  // A file that has the name of the folder.
  if (code === 'ENOTDIR') return ['a file']
  throw error
}

const strangers = (place: string, names: readonly string[]): NodeError =>
  hostError('STORE_INVALID', {
    reason: `${place} is in the way: it holds ${namesText(names)}, which no program of ours made; choose another folder, or move it`,
  })

/**
 * True for a folder with a database in it, false for one that is empty or missing.
 *
 * @throws {NodeError} `STORE_INVALID` for a folder with other files
 */
async function holdsDatabase(place: string): Promise<boolean> {
  const names = await readdir(place).catch(nothingThere)
  if (names.length > 0 && !names.includes('PG_VERSION')) throw strangers(place, names)
  return names.length > 0
}

/** What programs of ours keep in a folder, beside a database or before there is one. */
const ownNames = [
  ...['database', 'database.new', 'database.owner', 'lock', 'next'],
  ...['running', 'payments', 'payouts', 'webhooks'],
]

/**
 * Asserts that a folder is one to begin a database in: it has one, or nothing of anybody else. Hidden files and the
 * folder that a file system makes for itself count for nothing.
 *
 * @throws {NodeError} `STORE_INVALID` with the names of other files; nothing is written before
 */
async function assertOurs(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): readonly string[] => {
    // A file that has the name of the folder is for the lock to report.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
  const others = names.filter((name) => !/^\.|^lost\+found$/.test(name) && !ownNames.includes(name))
  if (others.length > 0 && !(await holdsDatabase(join(folder, 'database')))) throw strangers(folder, others)
}

/** Files and folders that the engine makes, of which a killed process leaves some. */
const engineNames =
  /^(base|global|pg_\w+(\.conf)?|PG_VERSION|postgresql(\.auto)?\.conf|postmaster\.(pid|opts))$/

/** @throws {NodeError} `STORE_INVALID` if other files are in the folder where databases are built */
async function removeDraft(folder: string): Promise<string> {
  const draft = join(folder, 'database.new')
  const others = (await readdir(draft).catch(nothingThere)).filter((name) => !engineNames.test(name))
  if (others.length > 0) throw strangers(draft, others)
  await rm(draft, { recursive: true, force: true })
  return draft
}

/**
 * Removes the database of a folder, in which other files may be. One that cannot be opened is removed if a file beside it
 * names the program.
 *
 * @throws {NodeError} `STORE_LOCKED` while a process has the folder, `STORE_INVALID` if what is there is not a database of
 *   this program
 */
export async function removeDatabase(folder: string, owner: Owner): Promise<void> {
  await assertOurs(folder)
  const unlock = await lockDataFolder(folder)
  try {
    const place = join(folder, 'database')
    if (await holdsDatabase(place)) await assertOwned(place, owner, await assertNamed(folder, owner))
    await removeDraft(folder)
    await rm(place, { recursive: true, force: true })
    await rm(ownerFile(folder), { force: true })
  } finally {
    await unlock()
  }
}

type Tables = { pg_tables: { schemaname: string; tablename: string } }

/** Reads the names of tables, those of the engine left out: of all schemas, or of the one where new tables go. */
async function tableNames(queries: Kysely<Tables>, schemas: 'all' | 'current'): Promise<readonly string[]> {
  const tables = queries.selectFrom('pg_tables').select('tablename')
  const found = await (schemas === 'all'
    ? tables.where('schemaname', '!~', '^(pg_|information_schema$)')
    : tables.where('schemaname', '=', sql<string>`current_schema()`)
  ).execute()
  return found.map(({ tablename }) => tablename)
}

/** @throws {NodeError} `STORE_INVALID` if the engine cannot use what is there; failures of the file system as they are */
async function openPlace(place: string): Promise<PGlite> {
  return PGlite.create({ ...(await engineOptions()), dataDir: place }).catch((cause: unknown) => {
    if (engineCodeOf(cause) !== undefined) throw cause
    const reason = `the database in ${place} cannot be opened: it may be damaged, or of another version of the engine; choose another folder, or move it`
    throw hostError('STORE_INVALID', { reason }, { cause })
  })
}

async function assertOwned(place: string, owner: Owner, isNamed: boolean): Promise<void> {
  const database = await openPlace(place).catch((error: unknown) => {
    if (!isNamed) throw error
  })
  if (database === undefined) return
  try {
    const queries = queriesOf<Tables>(database)
    if (await assertOwner(queries, owner)) return
    const names = await tableNames(queries, 'all')
    const whose =
      names.length === 0 ? 'nobody we know' : `another program, with the tables ${namesText(names)}`
    throw notOurs(owner.program, `${whose} (${place})`)
  } finally {
    await database.close()
  }
}

/** Asserts that a database of the engine has tables of a program where it looks for them, or none at all there. */
async function assertNoStranger(queries: Kysely<Tables>, owner: Owner): Promise<void> {
  if (await assertOwner(queries, owner)) return
  const names = await tableNames(queries, 'current')
  if (names.length > 0) throw notOurs(owner.program, `another program, with the tables ${namesText(names)}`)
}

/** A killed process leaves either no database or a whole one: it is built aside and moved. */
async function openInFolder(folder: string, parameters: EmbeddedParameters): Promise<PGlite> {
  const { load, owner } = parameters
  const place = join(folder, 'database')
  const isThere = await holdsDatabase(place)
  if (load !== undefined && isThere) {
    const expected = 'used with a new folder, with --memory or with --reset'
    throw new NodeError('CONFIGURATION_INVALID', { path: 'load', expected, found: folder })
  }
  if (!isThere) {
    const draft = await removeDraft(folder)
    await (await createDatabase(draft, parameters)).close()
    // Some systems move a folder to a free name alone.
    await rmdir(place).catch(nothingThere)
    await rename(draft, place)
  } else if (owner !== undefined) await assertNamed(folder, owner)
  return openPlace(place)
}

/** Errors of the file system inside the engine, by the numbers of WASI. */
const engineCodes: Readonly<Record<number, string>> = {
  2: 'EACCES',
  19: 'EDQUOT',
  29: 'EIO',
  51: 'ENOSPC',
  69: 'EROFS',
}

function engineCodeOf(error: unknown): string | undefined {
  const { name, errno } = Object(error) as { readonly name?: unknown; readonly errno?: unknown }
  return name === 'ErrnoError' ? engineCodes[Number(errno)] : undefined
}

/** Gives an error of the engine the code and the path that errors of Node have; it has a number alone. */
function asSystemError(error: unknown, path: string): unknown {
  const code = engineCodeOf(error)
  if (code === undefined) return error
  return Object.assign(new Error(`${code}, ${path}`, { cause: error }), { code, path })
}

async function openLocked<Schema>(
  folder: string,
  parameters: EmbeddedParameters,
): Promise<OpenDatabase<Schema>> {
  await assertOurs(folder)
  const unlock = await lockDataFolder(folder)
  try {
    const database = await openInFolder(folder, parameters)
    const opened = await migrated<Schema>(database, parameters, async () => {
      await database.close()
      await unlock()
    })
    const { owner } = parameters
    if (owner !== undefined) await writeFile(ownerFile(folder), `${owner.program}\n`).catch(() => {})
    return opened
  } catch (error) {
    await unlock()
    throw asSystemError(error, folder)
  }
}

async function migrated<Schema>(
  database: PGlite,
  { migrations, owner }: EmbeddedParameters,
  close: () => Promise<void>,
): Promise<OpenDatabase<Schema>> {
  const queries = queriesOf<Schema>(database)
  try {
    if (owner !== undefined) await assertNoStranger(queries as unknown as Kysely<Tables>, owner)
    await migrate(queries, migrations, undefined, owner)
  } catch (error) {
    // An engine that is left open keeps the process alive.
    await database.close()
    throw error
  }
  return { queries, dump: () => dump(database), close }
}

/**
 * Opens the embedded database, in memory without a folder. Whoever opens it closes it.
 *
 * @throws {NodeError} `STORE_LOCKED`, `STORE_INVALID`, `CONFIGURATION_INVALID`
 */
export async function openDatabase<Schema>(
  parameters: EmbeddedParameters & { readonly folder?: string | undefined },
): Promise<OpenDatabase<Schema>> {
  const { folder } = parameters
  if (folder !== undefined) return openLocked(folder, parameters)
  const database = await createDatabase(undefined, parameters)
  return migrated(database, parameters, () => database.close())
}
