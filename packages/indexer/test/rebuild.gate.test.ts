import { type Client, createClient, type Transport } from '@hailstone/client'
import { connectPostgres, openDatabase } from '@hailstone/database'
import type { NodeError, TokenId } from '@hailstone/protocol'
import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEngines, describePostgresByNight } from '../../local-network/test/engines.ts'
import { type IndexPlace, openIndex } from '../src/open-index.ts'
import { rebuildIndex } from '../src/rebuild-index.ts'
import { openWriter } from '../src/run-indexer.ts'
import { readCursor } from '../src/store/cursor.ts'
import { openLossyProxy } from './lossy-proxy.ts'
import { openTestChain, type TestChain } from './test-chain.ts'

/** Runs statements one by one. */
async function execute(queries: Kysely<never>, ...statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(queries)
}

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
    )
    // A token that nobody knows would be refused next, by the walk.
    const tokenIds = ['ab'.repeat(32) as TokenId]
    await expect(rebuildIndex({ place, client, tokenIds })).rejects.toMatchObject({
      code: 'CONFIGURATION_INVALID',
      facts: { path: 'schema', found: '(a) table "Reports".note, (b) view "Reports".newest' },
    })
    {
      await using index = await openIndex(place)
      const { rows } = await sql`select height from "Reports".newest`.execute(index.queries)
      expect(rows).toEqual([{ height: 2 }])
      await execute(index.queries as never, 'drop view "Reports".newest', 'drop table "Reports".note')
    }
    expect(await rebuildIndex({ place, client, tokenIds: [chain.token.id] })).toBe(2)
  })

  it('refuses to begin while somebody has added to the tables, and says what', async () => {
    await using chain = await openTestChain('added')
    await using client = createClient({ apiUrl: chain.apiUrl })
    const place = await engine.newPlace()
    const added = [
      'create schema partner',
      'create function partner.note() returns trigger language plpgsql as $$ begin return new; end $$',
      'create trigger note after insert on reward for each row execute function partner.note()',
      'create policy newest on reward using (height > 100)',
      'create index microblock_hash on microblock (hash)',
      'alter table account add column name text',
      "comment on table reward is 'in the report of May'",
      'alter table holding set (fillfactor = 70)',
    ]
    await beginIndexed(chain, client, place, ...added)
    const tokenIds = [chain.token.id]
    await expect(rebuildIndex({ place, client, tokenIds })).rejects.toMatchObject({
      code: 'CONFIGURATION_INVALID',
      facts: {
        path: 'schema',
        found:
          '(a) column account.name, (b) comment reward.in the report of May, (c) index microblock.microblock_hash, (d) policy reward.newest, (e) setting holding.fillfactor=70 and 1 more',
      },
    })
    {
      await using index = await openIndex(place)
      await execute(
        index.queries as never,
        'drop trigger note on reward',
        'drop policy newest on reward',
        'drop index microblock_hash',
        'alter table account drop column name',
        'comment on table reward is null',
        'alter table holding reset (fillfactor)',
      )
    }
    expect(await rebuildIndex({ place, client, tokenIds })).toBe(2)
  })

  it('goes on after a failure of the API, and ends at the block that is the newest then', async () => {
    await using chain = await openTestChain('grows')
    await using honest = createClient({ apiUrl: chain.apiUrl })
    const place = await engine.newPlace()
    await beginIndexed(chain, honest, place)
    for (let left = 3; left > 0; left--) await chain.close([], 15)
    let asked = 0
    let isBegun = false
    const transport: Transport = {
      async request(request) {
        const answer = await honest.transport.request(request)
        if (request.path === '/top_accounts') isBegun = true
        if (!isBegun || request.path !== '/macroblock_by_height') return answer
        asked++
        if (asked === 4) return { ...answer, status: 502 }
        if (asked === 6) return { ...answer, text: '<!doctype html><title>busy</title>' }
        if (asked === 8 || asked === 16) for (const _ of [1, 2]) await chain.close([], 15)
        return answer
      },
    }
    await using client = createClient({ apiUrl: chain.apiUrl, transport, retry: { maxAttempts: 1 } })
    const reasons: string[] = []
    const onWait = (reason: string): void => void reasons.push(reason)
    const height = await rebuildIndex({ place, client, tokenIds: [chain.token.id], onWait })
    expect(reasons).toEqual([expect.stringContaining('502'), expect.stringContaining('JSON')])
    expect(asked).toBeGreaterThan(16)
    expect(height).toBe(chain.blocks.length - 1)
  })

  it('that gets on is not ended by answers that cannot be true, however many', async () => {
    await using chain = await openTestChain('lies')
    await using honest = createClient({ apiUrl: chain.apiUrl })
    const place = await engine.newPlace()
    await beginIndexed(chain, honest, place)
    for (let left = 20; left > 0; left--) await chain.close([], 15)
    // The time of each height is false in four answers about it, once all heights below it have true ones.
    let [height, told] = [0, 0]
    const transport: Transport = {
      async request(request) {
        const answer = await honest.transport.request(request)
        const asked = Number(/height=(\d+)/.exec(request.query ?? '')?.[1] ?? 0)
        if (request.path !== '/macroblock_by_height' || asked !== height + 1) return answer
        if (++told % 4 === 0) height++
        return { ...answer, text: answer.text.replace(/"time":"?\d+"?/, '"time":2200000000') }
      },
    }
    await using client = createClient({ apiUrl: chain.apiUrl, transport })
    const reasons: string[] = []
    const onWait = (reason: string): void => void reasons.push(reason)
    const parameters = { place, client, tokenIds: [chain.token.id], pollMs: 1, onWait }
    expect(await rebuildIndex(parameters)).toBe(22)
    expect(reasons.length).toBeGreaterThan(15)
  })

  it('goes on where an earlier one ended, and one for other tokens begins anew', async () => {
    await using chain = await openTestChain('goes on')
    await using honest = createClient({ apiUrl: chain.apiUrl })
    const place = await engine.newPlace()
    await beginIndexed(chain, honest, place)
    for (let left = 40; left > 0; left--) await chain.close([], 15)
    const stopping = new AbortController()
    const walked: number[] = []
    const transport: Transport = {
      async request(request) {
        const height = Number(/height=(\d+)/.exec(request.query ?? '')?.[1] ?? 0)
        if (request.path === '/macroblock_by_height' && isWalking) {
          walked.push(height)
          if (height === 30) stopping.abort()
        }
        if (request.path === '/top_accounts') isWalking = true
        return await honest.transport.request(request)
      },
    }
    let isWalking = false
    const tokenIds = [chain.token.id]
    await using client = createClient({ apiUrl: chain.apiUrl, transport })
    const { signal } = stopping
    await expect(rebuildIndex({ place, client, tokenIds, signal })).rejects.toThrow()
    expect(await namesOfNext(place)).toHaveLength(1)
    walked.length = 0
    isWalking = true
    {
      await using index = await openIndex(place)
      expect(await readCursor(index.queries)).toMatchObject({ height: 2 })
    }
    expect(await rebuildIndex({ place, client, tokenIds })).toBe(42)
    expect(Math.min(...walked.filter((height) => height > 0))).toBeGreaterThan(5)
    expect(await namesOfNext(place)).toEqual([])
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

/** Returns a client that runs `work` during the first request of a path, whose answer then has this status. */
function doneDuring(
  { path, status }: { readonly path: string; readonly status: number },
  honest: Client,
  apiUrl: string,
  work: () => unknown,
): Client {
  let isDone = false
  const transport: Transport = {
    async request(request) {
      const answer = await honest.transport.request(request)
      if (request.path !== path || isDone) return answer
      isDone = true
      await work()
      return { ...answer, status }
    },
  }
  return createClient({ apiUrl, transport, retry: { maxAttempts: 1 } })
}

/** Returns a client that runs `work` at the end of a rebuild: owners' balances are read last, and it succeeds without. */
const doneAtTheEnd = (honest: Client, apiUrl: string, work: () => unknown): Client =>
  doneDuring({ path: '/balance', status: 502 }, honest, apiUrl, work)

describePostgresByNight('A rebuild on a server', (server) => {
  it('does not put the tables of another one into the place, and leaves them', async () => {
    await using chain = await openTestChain('another rebuild')
    await using honest = createClient({ apiUrl: chain.apiUrl })
    const place = { database: await server().createDatabase() }
    await beginIndexed(chain, honest, place)
    await using client = doneAtTheEnd(honest, chain.apiUrl, async () => {
      await using index = await openIndex(place)
      await execute(index.queries as never, 'drop schema hailstone_index_next cascade')
      await (await openIndex({ ...place, schema: 'hailstone_index_next' })).close()
    })
    await expect(rebuildIndex({ place, client, tokenIds: [chain.token.id] })).rejects.toMatchObject({
      code: 'STORE_INVALID',
    })
    expect(await namesOfNext(place)).toEqual(['hailstone_index_next'])
    await using index = await openIndex(place)
    expect(await readCursor(index.queries)).toMatchObject({ height: 2 })
  })

  it('says so when a later one removes its tables, or puts them into the place', async () => {
    await using chain = await openTestChain('removed rebuild')
    await using honest = createClient({ apiUrl: chain.apiUrl })
    const place = { database: await server().createDatabase() }
    await beginIndexed(chain, honest, place)
    const rebuild = { place, tokenIds: [chain.token.id], pollMs: 10 }
    const beaten = async (by: () => Promise<unknown>): Promise<void> => {
      await using client = doneDuring({ path: '/top_accounts', status: 200 }, honest, chain.apiUrl, by)
      await expect(rebuildIndex({ ...rebuild, client })).rejects.toMatchObject({
        code: 'STORE_INVALID',
        message: expect.stringContaining('another rebuild began'),
      })
    }
    await beaten(() => rebuildIndex({ ...rebuild, client: honest }))
    expect(await namesOfNext(place)).toEqual([])
    await beaten(async () => {
      await using index = await openIndex(place)
      await execute(
        ...[index.queries as never, 'drop schema hailstone_index_next cascade'],
        'create schema hailstone_index_next',
      )
    })
    expect(await namesOfNext(place)).toEqual(['hailstone_index_next'])
  })

  it.each(['commit\0', 'alter schema'])(
    'takes its place when the answer to %j is lost with the connection',
    async (words) => {
      await using chain = await openTestChain('lost rebuild')
      await using honest = createClient({ apiUrl: chain.apiUrl })
      await using proxy = await openLossyProxy(await server().createDatabase())
      const place = { database: proxy.url }
      await beginIndexed(chain, honest, place, "update network set api_url = 'old'")
      await using client = doneAtTheEnd(honest, chain.apiUrl, () => proxy.loseAnswer(words))
      const reasons: string[] = []
      const onWait = (reason: string): void => void reasons.push(reason)
      expect(await rebuildIndex({ place, client, tokenIds: [chain.token.id], onWait })).toBe(2)
      expect([proxy.lost(), reasons]).toEqual([1, [expect.stringContaining('hailstone_index_next')]])
      expect(await namesOfNext(place)).toEqual([])
      await using index = await openIndex(place)
      expect(await readCursor(index.queries)).toMatchObject({ height: 2 })
      expect(await index.queries.selectFrom('network').select('api_url').execute()).toEqual([
        { api_url: chain.apiUrl },
      ])
    },
  )

  it.each(['pg_identify_object', 'create schema', 'commit\0', 'aclexplode'])(
    'begins again when the answer to %j is lost with the connection before the walk',
    async (words) => {
      await using chain = await openTestChain('lost opening')
      await using client = createClient({ apiUrl: chain.apiUrl })
      await using proxy = await openLossyProxy(await server().createDatabase())
      const place = { database: proxy.url }
      await beginIndexed(chain, client, place)
      proxy.loseAnswer(words)
      const reasons: string[] = []
      const onWait = (reason: string): void => void reasons.push(reason)
      expect(await rebuildIndex({ place, client, tokenIds: [chain.token.id], onWait })).toBe(2)
      expect([proxy.lost(), reasons]).toEqual([1, [expect.stringMatching(/^The database does not answer/)]])
      expect(await namesOfNext(place)).toEqual([])
    },
  )

  it('ends at once when a person has to settle why it cannot begin', async () => {
    await using client = createClient({ apiUrl: 'http://127.0.0.1:1/api/v1' })
    const url = new URL(await server().createDatabase())
    url.pathname = '/missing'
    const rebuilt = rebuildIndex({
      ...{ place: { database: url.href }, client, tokenIds: ['ab'.repeat(32) as TokenId] },
      onWait: (reason) => expect.unreachable(reason),
    })
    await expect(rebuilt).rejects.toMatchObject({ code: '3D000' })
  })

  it('keeps finished tables when a view was created meanwhile, for the next rebuild', async () => {
    await using chain = await openTestChain('late view')
    await using honest = createClient({ apiUrl: chain.apiUrl })
    const place = { database: await server().createDatabase() }
    await beginIndexed(chain, honest, place)
    await using client = doneAtTheEnd(honest, chain.apiUrl, async () => {
      await using index = await openIndex(place)
      const words = 'create view public.newest as select max(height) from hailstone_index.block'
      await execute(index.queries as never, words)
    })
    const rebuilt = rebuildIndex({ place, client, tokenIds: [chain.token.id] })
    const { code, message } = await rebuilt.then(
      () => expect.unreachable(),
      (error: NodeError) => error,
    )
    expect([code, message]).toEqual(['STORE_INVALID', expect.stringContaining('view public.newest')])
    expect(await namesOfNext(place)).toEqual(['hailstone_index_next'])
    expect(message).toContain('in the schema hailstone_index_next, and the next rebuild')
    {
      await using index = await openIndex(place)
      await execute(index.queries as never, 'drop view public.newest')
    }
    expect(await rebuildIndex({ place, client, tokenIds: [chain.token.id] })).toBe(2)
    expect(await namesOfNext(place)).toEqual([])
    await using index = await openIndex(place)
    expect(await readCursor(index.queries)).toMatchObject({ height: 2, holder: null })
  })

  it('ends soon after a signal while a statement gets no answer', async () => {
    await using chain = await openTestChain('silent server')
    await using client = createClient({ apiUrl: chain.apiUrl })
    const place = { database: await server().createDatabase() }
    const { queries, close } = connectPostgres<object>({ url: place.database, applicationName: 'test' })
    await queries.connection().execute(async (one) => {
      await sql`select pg_advisory_lock(hashtextextended('hailstone-indexer hailstone_index_next', 0))`.execute(
        one,
      )
      const signal = AbortSignal.timeout(500)
      await expect(
        rebuildIndex({ place, client, tokenIds: [chain.token.id], signal, pollMs: 10 }),
      ).rejects.toThrow()
    })
    await close()
  })

  it('that another process took over puts nothing into the place', async () => {
    await using chain = await openTestChain('last word')
    await using honest = createClient({ apiUrl: chain.apiUrl })
    const place = { database: await server().createDatabase() }
    await beginIndexed(chain, honest, place)
    await using client = doneAtTheEnd(honest, chain.apiUrl, async () => {
      await using index = await openIndex(place)
      await execute(index.queries as never, "update hailstone_index_next.cursor set holder = 'gone'")
    })
    await expect(rebuildIndex({ place, client, tokenIds: [chain.token.id] })).rejects.toMatchObject({
      code: 'STORE_INVALID',
    })
    expect(await namesOfNext(place)).toEqual(['hailstone_index_next'])
  })

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
      'grant select (token, day) on token_day to "Some reader" with grant option',
    )
    expect(await rebuildIndex({ place, client, tokenIds: [chain.token.id] })).toBe(2)
    await using index = await openIndex(place)
    const { rows } = await sql`
      select role, has_schema_privilege(role, 'hailstone_index', 'usage') as usage,
        has_table_privilege(role, 'hailstone_index.block', 'select') as block,
        has_table_privilege(role, 'hailstone_index.account', 'select') as account,
        has_column_privilege(role, 'hailstone_index.token_day', 'day', 'select with grant option') as day,
        has_column_privilege(role, 'hailstone_index.token_day', 'fees', 'select') as fees
      from unnest(array['anybody', 'Some reader']) as role`.execute(index.queries)
    expect(rows).toEqual([
      { role: 'anybody', usage: true, block: true, account: false, day: false, fees: false },
      { role: 'Some reader', usage: true, block: true, account: true, day: true, fees: false },
    ])
    expect(await namesOfNext(place)).toEqual([])
  })
})
