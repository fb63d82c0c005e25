import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@hailstone/client'
import { connectPostgres, migrate, openDatabase, removeDatabase } from '@hailstone/database'
import { createGenesis } from '@hailstone/ledger'
import { openChainStore, startLocalNetwork } from '@hailstone/local-network'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describePostgres } from '../../local-network/test/engines.ts'
import { indexOwner } from '../src/index-owner.ts'
import { readSchema } from '../src/index-schema.ts'
import { migrations } from '../src/migrations.ts'
import { openIndex } from '../src/open-index.ts'
import { rebuildIndex } from '../src/rebuild-index.ts'
import { beginNext, dropUnbegun, rebuildMark } from '../src/replace-schema.ts'
import { openWriter } from '../src/run-indexer.ts'
import type { Schema } from '../src/schema.ts'
import { readCursor } from '../src/store/cursor.ts'
import { openTestChain } from './test-chain.ts'

const genesis = createGenesis({ seed: 'foreign', time: 1_700_000_000 })
/** No request is sent before the place is looked at. */
const client = createClient({ apiUrl: 'http://127.0.0.1:1/api/v1' })
const tokenIds = [genesis.tokens.mineable.id]

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hailstone-foreign-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function execute(queries: Kysely<never>, ...statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(queries)
}

const belongsTo = (program: string) => ({
  code: 'STORE_INVALID',
  message: expect.stringContaining(`it belongs to ${program}`),
})

/** A chain, without the marks of a version that makes them unless they are wanted. */
async function makeChain(isMarked: boolean): Promise<void> {
  {
    await using store = await openChainStore({ folder })
    await store.initialise(genesis)
  }
  if (!isMarked) await unmark()
}

async function unmark(): Promise<void> {
  const { queries, close } = await openDatabase<never>({ folder, migrations: [] })
  await execute(queries, 'comment on table migration is null')
  await close()
  await rm(join(folder, 'database.owner'), { force: true })
}

it.each([true, false])(
  'the folder of a network is left as it is by an indexer (marked: %s)',
  async (isMarked) => {
    await makeChain(isMarked)
    const refusal = isMarked
      ? belongsTo('hailstone-network')
      : belongsTo('another program, with the tables (a) account_record, (b) balance')
    await expect(rebuildIndex({ place: { folder }, client, tokenIds })).rejects.toMatchObject(refusal)
    await expect(openIndex({ folder })).rejects.toMatchObject(refusal)
    await using store = await openChainStore({ folder })
    expect((await store.tail()).hash).toBe(genesis.origin.hash)
  },
)

it.each([true, false])(
  'the folder of an index is left as it is by a network, also with --reset (marked: %s)',
  async (isMarked) => {
    await (await openIndex({ folder })).close()
    if (!isMarked) await unmark()
    await expect(openChainStore({ folder })).rejects.toMatchObject({ code: 'STORE_INVALID' })
    const reset = startLocalNetwork({ dataDirectory: folder, apiPort: 0, reset: true })
    await expect(reset).rejects.toMatchObject({ code: 'STORE_INVALID' })
    expect(existsSync(join(folder, 'database'))).toBe(true)
    await (await openIndex({ folder })).close()
    await removeDatabase(folder, indexOwner)
    expect(existsSync(join(folder, 'database'))).toBe(false)
  },
)

it('a network begins nothing in a database with an index in another schema, and goes on with its own', async () => {
  const addIndex = async (to: string): Promise<void> => {
    const { queries, close } = await openDatabase<never>({ folder: to, migrations: [] })
    await execute(queries, 'create schema figures', 'set search_path to figures')
    await migrate(queries, migrations, undefined, indexOwner)
    await close()
  }
  await addIndex(folder)
  await expect(openChainStore({ folder })).rejects.toMatchObject({
    code: 'STORE_INVALID',
    message: expect.stringMatching(/belongs to hailstone-indexer, whose tables are in the schema figures/),
  })
  const { queries: after, close: end } = await openDatabase<never>({ folder, migrations: [] })
  const { rows } = await sql`select from pg_class where relname = 'key_block'`.execute(after)
  expect(rows).toEqual([])
  await end()
  const ofChain = join(folder, 'chain')
  await (await openChainStore({ folder: ofChain }))[Symbol.asyncDispose]()
  await addIndex(ofChain)
  await (await openChainStore({ folder: ofChain }))[Symbol.asyncDispose]()
})

it('a network with --reset leaves files of somebody else in the place of its database', async () => {
  const place = join(folder, 'database')
  await mkdir(place)
  await writeFile(join(place, 'schema.sql'), 'create table diary (text text)')
  for (const reset of [true, false])
    await expect(startLocalNetwork({ dataDirectory: folder, apiPort: 0, reset })).rejects.toMatchObject({
      code: 'STORE_INVALID',
      message: expect.stringContaining(place),
    })
  expect(await readdir(place)).toEqual(['schema.sql'])
})

it('a folder inside that of an index is left as it is', async () => {
  const inner = join(folder, 'next')
  await (await openIndex({ folder: inner })).close()
  await (await openIndex({ folder })).close()
  await (await openIndex({ folder: inner })).close()
})

/** Makes a schema with the tables of an index, which nothing marks. */
async function makeUnmarked(queries: Kysely<never>, next: string): Promise<void> {
  await execute(queries, `create schema ${next}`, `set search_path to ${next}`)
  await migrate(queries, migrations)
  await execute(queries, 'set search_path to public')
}

/** Runs work on the database of the folder, whose tables are left as they are. */
async function withFolder<T>(work: (queries: Kysely<never>) => Promise<T>): Promise<T> {
  const { queries, close } = await openDatabase<never>({ folder, migrations: [] })
  return await work(queries).finally(close)
}

const hasNext = (): Promise<boolean> =>
  withFolder(async (queries) => {
    const { rows } = await sql`select from pg_namespace where nspname = 'public_next'`.execute(queries)
    return rows.length > 0
  })

it.each(['select', 'create table public_next.diary (text text)'])(
  'a schema that no rebuild made stays beside an index, also with the tables of one (%s)',
  async (more) => {
    await (await openIndex({ folder })).close()
    await withFolder(async (queries) => {
      await makeUnmarked(queries, 'public_next')
      await execute(queries, more)
    })
    await expect(rebuildIndex({ place: { folder }, client, tokenIds })).rejects.toMatchObject({
      code: 'CONFIGURATION_INVALID',
      facts: { found: expect.stringContaining('public_next') },
    })
    await (await openIndex({ folder })).close()
    expect(await hasNext()).toBe(true)
  },
)

it('only the rebuild that made the next schema drops it, and not once another one has joined', async () => {
  const { queries, close } = await openDatabase<Schema>({ folder, migrations: [] })
  const asked = { schema: 'public', mark: rebuildMark(tokenIds), isExclusive: false }
  const oidOfNext = async () => (await readSchema(queries, 'public_next'))?.oid
  const begin = async () => {
    const begun = await beginNext(queries, asked)
    await execute(queries as never, 'set search_path to public_next')
    await migrate(queries, migrations, undefined, indexOwner)
    return begun
  }
  const alone = await begin()
  await dropUnbegun(queries, 'public', alone)
  expect(await oidOfNext()).toBe(undefined)
  const first = await begin()
  const second = await begin()
  expect([first.isNew, second]).toEqual([true, { oid: first.oid, isNew: false }])
  await dropUnbegun(queries, 'public', second)
  expect(await oidOfNext()).toBe(first.oid)
  await dropUnbegun(queries, 'public', first)
  expect(await oidOfNext()).toBe(first.oid)
  expect(await begin()).toEqual(second)
  await close()
})

describePostgres('On a server', (server) => {
  it('a rebuild names what is not of the index in its schema, and leaves it', async () => {
    await using chain = await openTestChain('partner')
    await chain.close([], 15)
    await using honest = createClient({ apiUrl: chain.apiUrl })
    const database = await server().createDatabase()
    const outer = connectPostgres<never>({ url: database, applicationName: 'partner' })
    await execute(
      outer.queries,
      'create table partner as select generate_series(1, 100) as row',
      'create function half(given int) returns int language sql as $$ select given / 2 $$',
    )
    const place = { database, schema: 'public' }
    const tokens = [chain.token.id]
    {
      await using index = await openIndex(place)
      await using writer = await openWriter({ index, client: honest, tokenIds: tokens })
      await writer.step()
    }
    await expect(rebuildIndex({ place, client: honest, tokenIds: tokens })).rejects.toMatchObject({
      code: 'CONFIGURATION_INVALID',
      facts: { path: 'schema', found: '(a) function public.half(integer), (b) table public.partner' },
    })
    expect((await sql`select from partner`.execute(outer.queries)).rows).toHaveLength(100)
    await execute(outer.queries, 'drop function half', 'drop table partner')
    expect(await rebuildIndex({ place, client: honest, tokenIds: tokens })).toBe(0)
    await outer.close()
  })

  it.each(['create table sales_next.partner ()', 'select'])(
    'a rebuild leaves a schema beside that it did not make (%s)',
    async (statement) => {
      const database = await server().createDatabase()
      const place = { database, schema: 'sales' }
      const outer = connectPostgres<never>({ url: database, applicationName: 'partner' })
      await execute(outer.queries, 'create schema sales_next', statement)
      await expect(rebuildIndex({ place, client, tokenIds })).rejects.toMatchObject({
        code: 'CONFIGURATION_INVALID',
        facts: { found: expect.stringContaining('sales_next') },
      })
      await execute(outer.queries, 'comment on schema sales_next is null')
      await outer.close()
    },
  )

  it('a first start among tables of somebody else does not make their schema an index', async () => {
    const place = { database: await server().createDatabase(), schema: 'shop' }
    const outer = connectPostgres<never>({ url: place.database, applicationName: 'partner' })
    await execute(outer.queries, 'create schema shop', 'create table shop.account (name text)')
    await expect(openIndex(place)).rejects.toMatchObject({ code: 'STORE_INVALID' })
    await expect(rebuildIndex({ place, client, tokenIds })).rejects.toMatchObject({
      code: 'CONFIGURATION_INVALID',
      facts: { found: 'table shop.account' },
    })
    await outer.close()
  })

  it('an index that lives in a schema with that name is none of a rebuild', async () => {
    const database = await server().createDatabase()
    await (await openIndex({ database, schema: 'sales_next' })).close()
    await expect(
      rebuildIndex({ place: { database, schema: 'sales' }, client, tokenIds }),
    ).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID' })
    await (await openIndex({ database, schema: 'sales_next' })).close()
  })

  it('a table of somebody else in the way is a sentence', async () => {
    const database = await server().createDatabase()
    const outer = connectPostgres<never>({ url: database, applicationName: 'partner' })
    await execute(outer.queries, 'create table account (name text)')
    await outer.close()
    await expect(openIndex({ database, schema: 'public' })).rejects.toMatchObject({
      code: 'STORE_INVALID',
      message: expect.stringContaining('in the way'),
    })
  })

  it('a schema with a hyphen is one schema for statements and connections', async () => {
    await using chain = await openTestChain('hyphen')
    await chain.close([], 15)
    await using honest = createClient({ apiUrl: chain.apiUrl })
    const place = { database: await server().createDatabase(), schema: 'my-index' }
    const tokens = [chain.token.id]
    expect(await rebuildIndex({ place, client: honest, tokenIds: tokens })).toBe(0)
    await chain.close([], 15)
    expect(await rebuildIndex({ place, client: honest, tokenIds: tokens })).toBe(1)
    await using index = await openIndex(place)
    expect(await readCursor(index.queries)).toMatchObject({ height: 1, holder: null })
  })

  it('a network refuses the schema of an index, also with --reset', async () => {
    const database = await server().createDatabase()
    await (await openIndex({ database, schema: 'public' })).close()
    await expect(openChainStore({ database })).rejects.toMatchObject(belongsTo('hailstone-indexer'))
    const reset = startLocalNetwork({ database, apiPort: 0, reset: true })
    await expect(reset).rejects.toMatchObject(belongsTo('hailstone-indexer'))
    await (await openIndex({ database, schema: 'public' })).close()
  })
})
