import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@hailstone/client'
import { connectPostgres, openDatabase } from '@hailstone/database'
import type { TokenId } from '@hailstone/protocol'
import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEngines, describePostgres } from '../../local-network/test/engines.ts'
import { EMBEDDED_SCHEMA, INDEX_SCHEMA, type IndexPlace, openIndex } from '../src/open-index.ts'
import { rebuildIndex } from '../src/rebuild-index.ts'
import { openWriter } from '../src/run-indexer.ts'
import { openTestChain, type TestChain } from './test-chain.ts'

/** Runs statements one by one. */
async function execute(queries: Kysely<never>, ...statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(queries)
}

const schemaOf = ({ database }: IndexPlace): string =>
  database === undefined ? EMBEDDED_SCHEMA : INDEX_SCHEMA

/** A chain of three blocks, indexed at a place, where statements are run then. */
async function beginIndexed(chain: TestChain, client: Client, place: IndexPlace, ...statements: string[]) {
  for (let left = 3; left > 0; left--) await chain.close([], 15)
  await using index = await openIndex(place)
  await using writer = await openWriter({ index, client, tokenIds: [chain.token.id] })
  await writer.step()
  await execute(index.queries as never, ...statements)
}

/** Reads the names without opening the index, which drops what it finds in a folder. */
async function namesOfNext({ folder, database }: IndexPlace): Promise<readonly string[]> {
  const { queries, close } =
    database === undefined
      ? await openDatabase<object>({ folder, migrations: [] })
      : connectPostgres<object>({ url: database, applicationName: 'hailstone-test' })
  const { rows } = await sql<{
    name: string
  }>`select nspname as name from pg_namespace where nspname like '%\\_next'`.execute(queries)
  await close()
  return rows.map(({ name }) => name)
}

describeEngines('A rebuild', (engine) => {
  it('refuses to begin while something in another schema depends on the tables, and says what', async () => {
    await using chain = await openTestChain('depends')
    await using client = createClient({ apiUrl: chain.apiUrl })
    const place = await engine.newPlace()
    await beginIndexed(
      ...[chain, client, place],
      'create schema "Reports"',
      'create view "Reports".newest as select max(height) as height from block',
      'create table "Reports".note (height integer references block)',
      'create table "Reports".alone (height integer)',
      `create view ${schemaOf(place)}.inside as select * from block`,
    )
    // A token that nobody knows would be refused next, by the walk.
    const tokenIds = ['ab'.repeat(32) as TokenId]
    await expect(rebuildIndex({ place, client, tokenIds })).rejects.toMatchObject({
      code: 'CONFIGURATION_INVALID',
      facts: { path: 'schema', found: 'table "Reports".note, view "Reports".newest' },
    })
    {
      await using index = await openIndex(place)
      const { rows } = await sql`select height from "Reports".newest`.execute(index.queries)
      expect(rows).toEqual([{ height: 2 }])
      await execute(index.queries as never, 'drop view "Reports".newest', 'drop table "Reports".note')
    }
    expect(await rebuildIndex({ place, client, tokenIds: [chain.token.id] })).toBe(2)
  })

  it('that fails leaves nothing', async () => {
    await using chain = await openTestChain('fails')
    await using client = createClient({ apiUrl: chain.apiUrl })
    const place = await engine.newPlace()
    await beginIndexed(chain, client, place)
    const tokenIds = ['ab'.repeat(32) as TokenId]
    await expect(rebuildIndex({ place, client, tokenIds })).rejects.toMatchObject({ code: 'TOKEN_UNKNOWN' })
    expect(await namesOfNext(place)).toEqual([])
  })
})

// On a server another process may be at it, and the next rebuild drops what is left there.
it('a folder that is opened keeps nothing of a rebuild that was killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-rebuild-'))
  const next = join(folder, 'next')
  try {
    {
      await using index = await openIndex({ folder })
      await execute(index.queries as never, 'create schema public_next', 'create table public_next.block ()')
    }
    await mkdir(next)
    await writeFile(join(next, 'notes.txt'), 'of somebody else')
    await (await openIndex({ folder })).close()
    expect(await namesOfNext({ folder })).toEqual([])
    expect(existsSync(next)).toBe(true)
    // The folder of an earlier version, with a database of its own.
    await mkdir(join(next, 'database'))
    await writeFile(join(next, 'database', 'PG_VERSION'), '17\n')
    await (await openIndex({ folder })).close()
    expect(existsSync(next)).toBe(false)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

describePostgres('A rebuild on a server', (server) => {
  it('keeps the rights of everybody and of roles', async () => {
    await using chain = await openTestChain('rights')
    await using client = createClient({ apiUrl: chain.apiUrl })
    const place = { database: await server().createDatabase() }
    await beginIndexed(
      ...[chain, client, place],
      'create role "Some reader"',
      'create role anybody',
      'grant usage on schema hailstone_index to public',
      'grant select on block to public',
      'grant select on account to "Some reader"',
    )
    expect(await rebuildIndex({ place, client, tokenIds: [chain.token.id] })).toBe(2)
    await using index = await openIndex(place)
    const { rows } = await sql`
      select role, has_schema_privilege(role, 'hailstone_index', 'usage') as usage,
        has_table_privilege(role, 'hailstone_index.block', 'select') as block,
        has_table_privilege(role, 'hailstone_index.account', 'select') as account
      from unnest(array['anybody', 'Some reader']) as role`.execute(index.queries)
    expect(rows).toEqual([
      { role: 'anybody', usage: true, block: true, account: false },
      { role: 'Some reader', usage: true, block: true, account: true },
    ])
    expect(await namesOfNext(place)).toEqual([])
  })
})
