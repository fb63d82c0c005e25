import { setTimeout } from 'node:timers/promises'
import { createClient, type Transport } from '@hailstone/client'
import { isConnectionLoss, migrate } from '@hailstone/database'
import type { Address } from '@hailstone/protocol'
import { sql } from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import { withinMs } from '../../../scripts/strict-times.ts'
import { describePostgres } from '../../local-network/test/engines.ts'
import { fenced, migrations } from '../src/migrations.ts'
import { openIndex } from '../src/open-index.ts'
import { rebuildIndex } from '../src/rebuild-index.ts'
import { openWriter, runIndexer } from '../src/run-indexer.ts'
import { claimCursor, holderOf, readCursor } from '../src/store/cursor.ts'
import { contentOf } from './figures-of-index.ts'
import { openLossyProxy } from './lossy-proxy.ts'
import { closeRandom, peopleOf } from './population.ts'
import { randomOf } from './random.ts'
import { openTestChain, transfer } from './test-chain.ts'

describePostgres('C-5: writers of an index on PostgreSQL', (server) => {
  it('one that took over fences the one before, and no block is written twice', async () => {
    // Beats come from a timer, and these processes stand still.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const random = randomOf(5)
    await using chain = await openTestChain('writers')
    for (let left = 3; left > 0; left--) await closeRandom(chain, random)
    await using client = createClient({ apiUrl: chain.apiUrl })
    const database = await server().createDatabase()
    await using first = await openIndex({ database })
    await using second = await openIndex({ database })
    const parameters = { client, tokenIds: [chain.token.id], leaseMs: 20 }
    await using old = await openWriter({ ...parameters, index: first })
    await old.step()
    // The beat of the old one stands still for longer than the lease.
    await using next = await openWriter({ ...parameters, index: second })
    await closeRandom(chain, random)
    expect(await next.step()).toMatchObject({ status: 'current', height: 3 })
    await closeRandom(chain, random)
    await expect(old.step()).rejects.toMatchObject({ code: 'STORE_INVALID' })
    expect(await next.step()).toMatchObject({ status: 'current', height: 4 })
    await using index = await openIndex()
    await using anew = await openWriter({ ...parameters, index })
    await anew.step()
    expect(await contentOf(second.queries)).toEqual(await contentOf(index.queries))
  })

  it('one that lives keeps another from beginning', async () => {
    await using chain = await openTestChain('lives')
    await closeRandom(chain, randomOf(6))
    await using client = createClient({ apiUrl: chain.apiUrl })
    const database = await server().createDatabase()
    await using first = await openIndex({ database })
    await using second = await openIndex({ database })
    const parameters = { client, tokenIds: [chain.token.id] }
    await using living = await openWriter({ ...parameters, index: first })
    const claim = openWriter({ ...parameters, index: second, leaseMs: 500 })
    let isOver = false
    const over = claim
      .catch(() => undefined)
      .finally(() => {
        isOver = true
      })
    while (!isOver) await living.step()
    await over
    await expect(claim).rejects.toMatchObject({ code: 'STORE_INVALID' })
  })

  it('one that is ended before it begins does not take over', async () => {
    await using chain = await openTestChain('ended')
    await closeRandom(chain, randomOf(11))
    await using client = createClient({ apiUrl: chain.apiUrl })
    await using index = await openIndex({ database: await server().createDatabase() })
    await using _ = await openWriter({ index, client, tokenIds: [chain.token.id] })
    const holder = await holderOf(index.queries)
    const claim = claimCursor(index, { leaseMs: 20, signal: AbortSignal.abort() })
    await expect(claim).rejects.toMatchObject({ name: 'AbortError' })
    expect(await holderOf(index.queries)).toBe(holder)
  })

  it('one of an older version stops when a newer one changes the tables, which then begins at once', async () => {
    await using chain = await openTestChain('newer version')
    await closeRandom(chain, randomOf(12))
    await using client = createClient({ apiUrl: chain.apiUrl })
    const database = await server().createDatabase()
    await using first = await openIndex({ database })
    await using second = await openIndex({ database })
    const parameters = { client, tokenIds: [chain.token.id] }
    await using old = await openWriter({ ...parameters, index: first })
    await old.step()
    const added = { version: 99, statements: 'alter table network add column added integer' }
    await migrate(second.queries, [...migrations, fenced(added)])
    await closeRandom(chain, randomOf(13))
    await expect(old.step()).rejects.toMatchObject({ code: 'STORE_INVALID' })
    expect(await second.queries.selectFrom('cursor').select('height').executeTakeFirst()).toEqual({
      height: 0,
    })
    // Nobody's beat is waited for: this signal would end the wait.
    const claim = claimCursor(second, { signal: AbortSignal.abort() })
    expect((await claim).holder).toBe(await holderOf(second.queries))
  })

  it.each(['MyIndex', 'my index', 'pg_index', 'index,public', 'a'.repeat(59)])(
    'the schema %j, whose name would be read as another one, is refused',
    async (schema) => {
      await using client = createClient({ apiUrl: 'http://127.0.0.1:1/api/v1' })
      const place = { database: await server().createDatabase(), schema }
      const refusal = { code: 'CONFIGURATION_INVALID', facts: { path: 'schema', found: `"${schema}"` } }
      await expect(openIndex(place).then((index) => index.close())).rejects.toMatchObject(refusal)
      await expect(rebuildIndex({ place, client, tokenIds: [] })).rejects.toMatchObject(refusal)
    },
  )

  it('a server that crashes is asked until it is back, and every figure is equal', async () => {
    const random = randomOf(8)
    await using chain = await openTestChain('crash')
    for (let left = 3; left > 0; left--) await closeRandom(chain, random)
    await using client = createClient({ apiUrl: chain.apiUrl })
    const database = await server().createDatabase()
    const stopping = new AbortController()
    let height = -1
    let losses = 0
    let isDown = false
    const parameters = { client, tokenIds: [chain.token.id] }
    const until = async (isThere: () => boolean): Promise<void> => {
      while (!isThere()) await Promise.race([setTimeout(20), run])
    }
    await using index = await openIndex({ database })
    const run = runIndexer({
      ...{ ...parameters, index, pollMs: 20, signal: stopping.signal },
      onProgress: (progress) => {
        height = progress.height
      },
      onStoreLost: () => {
        losses++
      },
    })
    try {
      await until(() => height === 2)
      isDown = true
      await server().crash()
      await until(() => losses > 0)
      for (let left = 3; left > 0; left--) await closeRandom(chain, random)
      await server().start()
      isDown = false
      const since = performance.now()
      await until(() => height === 5)
      expect(performance.now() - since).toBeLessThan(withinMs(5000))
    } finally {
      // The other tests have the same server.
      if (isDown) await server().start()
      stopping.abort()
      await run
    }
    await using other = await openIndex()
    await using anew = await openWriter({ ...parameters, index: other })
    await anew.step()
    expect(await contentOf(index.queries)).toEqual(await contentOf(other.queries))
  })

  it('an answer to a commit that is lost ends nobody, and no block is written twice', async () => {
    const random = randomOf(9)
    await using chain = await openTestChain('lost answer')
    for (let left = 3; left > 0; left--) await closeRandom(chain, random)
    // So many payments that the first transaction holds no block above them.
    const [from, to] = peopleOf(chain) as [Address, Address]
    const tokenId = chain.token.id
    const payments = (count: number) =>
      Array.from({ length: count }, () => transfer({ from, to, amount: 1000n, tokenId }))
    await chain.close(
      Array.from({ length: 8 }, () => ({ publisher: from, tokenId, transactions: payments(400) })),
      15,
    )
    for (let left = 3; left > 0; left--) await closeRandom(chain, random)
    await using client = createClient({ apiUrl: chain.apiUrl })
    await using proxy = await openLossyProxy(await server().createDatabase())
    const parameters = { client, tokenIds: [chain.token.id] }
    await using index = await openIndex({ database: proxy.url })
    await using writer = await openWriter({ ...parameters, index })
    proxy.loseAnswer('commit\0')
    const refusal: unknown = await writer.step().catch((error: unknown) => error)
    expect([proxy.lost(), isConnectionLoss(refusal), refusal]).toEqual([1, true, expect.anything()])
    // The server had committed.
    expect(await index.queries.selectFrom('cursor').select('height').executeTakeFirst()).toEqual({
      height: 3,
    })
    expect(await writer.step()).toMatchObject({ status: 'current', height: 6 })
    await using other = await openIndex()
    await using anew = await openWriter({ ...parameters, index: other })
    await anew.step()
    expect(await contentOf(index.queries)).toEqual(await contentOf(other.queries))
  })

  it('a rebuild replaces the tables', async () => {
    const random = randomOf(7)
    await using chain = await openTestChain('rebuild')
    for (let left = 4; left > 0; left--) await closeRandom(chain, random)
    await using client = createClient({ apiUrl: chain.apiUrl })
    const database = await server().createDatabase()
    const parameters = { client, tokenIds: [chain.token.id] }
    const read = async () => {
      await using index = await openIndex({ database })
      return await contentOf(index.queries)
    }
    {
      await using index = await openIndex({ database })
      await using writer = await openWriter({ ...parameters, index })
      await writer.step()
    }
    const before = await read()
    expect(await rebuildIndex({ ...parameters, place: { database } })).toBe(3)
    expect(await read()).toEqual(before)
  })

  it('one that runs goes on in the tables of a rebuild', async () => {
    const random = randomOf(10)
    await using chain = await openTestChain('rebuild below')
    for (let left = 3; left > 0; left--) await closeRandom(chain, random)
    await using client = createClient({ apiUrl: chain.apiUrl })
    const database = await server().createDatabase()
    const parameters = { client, tokenIds: [chain.token.id] }
    await using index = await openIndex({ database })
    await using writer = await openWriter({ ...parameters, index })
    await writer.step()
    await closeRandom(chain, random)
    expect(await rebuildIndex({ ...parameters, place: { database } })).toBe(3)
    expect(await writer.step()).toMatchObject({ status: 'current', height: 3 })
    await closeRandom(chain, random)
    expect(await writer.step()).toMatchObject({ status: 'current', height: 4 })
    await using other = await openIndex()
    await using anew = await openWriter({ ...parameters, index: other })
    await anew.step()
    expect(await contentOf(index.queries)).toEqual(await contentOf(other.queries))
  })

  it('one of an older version writes nothing into the tables that a newer one rebuilt', async () => {
    await using chain = await openTestChain('rebuilt by a newer version')
    await closeRandom(chain, randomOf(12))
    await using client = createClient({ apiUrl: chain.apiUrl })
    const database = await server().createDatabase()
    const parameters = { client, tokenIds: [chain.token.id] }
    await using index = await openIndex({ database })
    await using writer = await openWriter({ ...parameters, index })
    await writer.step()
    await rebuildIndex({ ...parameters, place: { database } })
    await sql`insert into migration (version) values (1000)`.execute(index.queries)
    await closeRandom(chain, randomOf(13))
    await expect(writer.step()).rejects.toMatchObject({
      code: 'STORE_INVALID',
      message: expect.stringContaining('newer version'),
    })
    expect(await readCursor(index.queries)).toMatchObject({ height: 0, holder: null })
  })

  it('one that another process took over writes no balance of an owner', async () => {
    await using chain = await openTestChain('owners')
    await closeRandom(chain, randomOf(14))
    await using honest = createClient({ apiUrl: chain.apiUrl })
    const database = await server().createDatabase()
    await using index = await openIndex({ database })
    const transport: Transport = {
      async request(request) {
        if (request.path === '/balance')
          await index.queries.updateTable('cursor').set({ holder: 'another' }).execute()
        return await honest.transport.request(request)
      },
    }
    await using client = createClient({ apiUrl: chain.apiUrl, transport })
    await using writer = await openWriter({ index, client, tokenIds: [chain.token.id] })
    await expect(writer.step()).rejects.toMatchObject({ code: 'STORE_INVALID' })
    expect(await index.queries.selectFrom('owner_balance').selectAll().execute()).toEqual([])
  })
})
