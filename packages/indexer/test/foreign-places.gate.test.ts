import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@hailstone/client'
import { connectPostgres, openDatabase, removeDatabase } from '@hailstone/database'
import { createGenesis } from '@hailstone/ledger'
import { openChainStore, startLocalNetwork } from '@hailstone/local-network'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describePostgres } from '../../local-network/test/engines.ts'
import { indexOwner, openIndex } from '../src/open-index.ts'
import { rebuildIndex } from '../src/rebuild-index.ts'
import { openWriter } from '../src/run-indexer.ts'
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
      : belongsTo('another program, with the tables account_record, balance')
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

it('a folder inside that of an index is left as it is', async () => {
  const inner = join(folder, 'next')
  await (await openIndex({ folder: inner })).close()
  await (await openIndex({ folder })).close()
  await (await openIndex({ folder: inner })).close()
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
      facts: { path: 'schema', found: 'function public.half(integer), table public.partner' },
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
