import { type Client, createClient } from '@hailstone/client'
import { expect, it, vi } from 'vitest'
import { describePostgres } from '../../local-network/test/engines.ts'
import { runCommand } from '../src/command.ts'
import { openCatchUp } from '../src/open-catch-up.ts'
import { type Index, openIndex } from '../src/open-index.ts'
import { type IndexWriter, openWriter } from '../src/run-indexer.ts'
import { claimCursor } from '../src/store/cursor.ts'
import { waitForIndexer } from '../src/wait-for-indexer.ts'
import { closeRandom } from './population.ts'
import { randomOf } from './random.ts'
import { openTestChain, type TestChain } from './test-chain.ts'

describePostgres('check beside an indexer on PostgreSQL', (server) => {
  type Indexed = {
    readonly chain: TestChain
    readonly client: Client
    readonly database: string
    readonly index: Index
    /** Writer that does nothing by itself. */
    readonly writer: IndexWriter
    readonly close: () => Promise<void>
  }

  /** Runs a test with an index at the newest of four blocks. */
  async function withIndex(seed: number, test: (indexed: Indexed) => Promise<void>): Promise<void> {
    const random = randomOf(seed)
    await using chain = await openTestChain(`beside ${seed}`)
    for (let left = 4; left > 0; left--) await closeRandom(chain, random)
    await using client = createClient({ apiUrl: chain.apiUrl })
    const database = await server().createDatabase()
    await using index = await openIndex({ database })
    await using writer = await openWriter({ index, client, tokenIds: [chain.token.id] })
    await writer.step()
    await test({ chain, client, database, index, writer, close: () => closeRandom(chain, random) })
  }

  it('leaves the index to the indexer, however long that one stands still', () =>
    withIndex(46, async ({ chain, database, writer, close }) => {
      const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
      const options = ['--api', chain.apiUrl, '--token', chain.token.id, '--database', database]
      try {
        expect(await runCommand(['check', ...options])).toBe(0)
        expect(written.mock.calls.join('')).toContain('height 3: ')
      } finally {
        written.mockRestore()
      }
      await close()
      expect(await writer.step()).toMatchObject({ status: 'current', height: 4 })
    }))

  it('waits for a step of the indexer, and reports an index that nobody moves', () =>
    withIndex(47, async ({ client, index, writer, close }) => {
      await close()
      const parameters = { index, client, pollMs: 10 }
      await expect(waitForIndexer({ ...parameters, standstillMs: 50 })).rejects.toMatchObject({
        code: 'STORE_INVALID',
        message: expect.stringContaining('above height 3'),
      })
      const waited = waitForIndexer(parameters)
      await writer.step()
      await waited
    }))

  it('takes over from a check that was killed, and waits for no indexer', () =>
    withIndex(49, async ({ chain, client, index, writer, close }) => {
      await writer[Symbol.asyncDispose]()
      await claimCursor(index, { isYielding: true })
      await close()
      const parameters = {
        index,
        client,
        tokenIds: [chain.token.id],
        pollMs: 10,
        leaseMs: 50,
        standstillMs: 50,
      }
      await using catchUp = await openCatchUp(parameters)
      await catchUp.step()
      expect((await index.queries.selectFrom('cursor').select('height').executeTakeFirst())?.height).toBe(4)
    }))

  it('says why an indexer cannot follow the API', () =>
    withIndex(48, async ({ chain, client, index, writer }) => {
      await chain.rewind(2)
      const waited = waitForIndexer({ index, client, pollMs: 10 })
      let isOver = false
      const over = waited
        .catch(() => undefined)
        .finally(() => {
          isOver = true
        })
      while (!isOver) await writer.step()
      await over
      await expect(waited).rejects.toMatchObject({
        code: 'REQUEST_FAILED',
        message: expect.stringContaining('below this index'),
      })
    }))

  it('gives way to an indexer that begins beside it, and ends with what that one has', () =>
    withIndex(49, async ({ chain, client, database, index, writer, close }) => {
      await writer[Symbol.asyncDispose]()
      const parameters = { client, tokenIds: [chain.token.id], pollMs: 10 }
      await using checking = await openCatchUp({ ...parameters, index })
      await checking.step()
      await using other = await openIndex({ database })
      // No lease has to run out: it would be 6 s.
      await using indexer = await openWriter({ ...parameters, index: other, leaseMs: 2 ** 30 })
      await close()
      const checked = checking.step()
      expect(await indexer.step()).toMatchObject({ status: 'current', height: 4 })
      await checked
      expect(await indexer.step()).toMatchObject({ status: 'current', height: 4 })
    }))

  it('never ends an indexer that begins in the same moment', () =>
    withIndex(50, async ({ database, index, writer }) => {
      await writer[Symbol.asyncDispose]()
      await using other = await openIndex({ database })
      for (let round = 0; round < 50; round++) {
        const [indexer] = await Promise.allSettled([
          claimCursor(other),
          claimCursor(index, { isYielding: true, leaseMs: 1 }),
        ])
        if (indexer.status === 'rejected') throw indexer.reason
        await other.queries.updateTable('cursor').set({ holder: null }).execute()
      }
    }))
})
