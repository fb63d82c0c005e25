import { EventEmitter, once } from 'node:events'
import { type Client, createClient, systemClock, type Transport } from '@hailstone/client'
import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { describePostgres } from '../../local-network/test/engines.ts'
import { openIndex } from '../src/open-index.ts'
import { openWriter } from '../src/run-indexer.ts'
import type { Schema } from '../src/schema.ts'
import { claimCursor, readCursor } from '../src/store/cursor.ts'
import { peopleOf } from './population.ts'
import { openTestChain, type TestChain, transfer } from './test-chain.ts'

/** Blocks of one microblock each, fewer than a transaction holds. */
const BLOCKS = 60

async function grow(chain: TestChain, blocks: number): Promise<void> {
  const [from, to] = peopleOf(chain)
  if (from === undefined || to === undefined) throw new Error('there are people')
  const tokenId = chain.token.id
  for (let left = blocks; left > 0; left--) {
    const transactions = [transfer({ from, to, amount: 1000n, tokenId })]
    await chain.close([{ publisher: from, tokenId, transactions }], 15)
  }
}

type SlowApi = {
  readonly transport: Transport
  readonly monotonicMs: () => number
  /** Answers so many further microblocks, and resolves when one above them is asked for. */
  readonly answer: (microblocks: number) => Promise<void>
  readonly answerAll: () => void
}

/** An API that takes a second for each microblock, by a clock that nothing else moves, and waits where a test wants it. */
function slowApi({ transport }: Client): SlowApi {
  const events = new EventEmitter().setMaxListeners(BLOCKS)
  let [now, asked, answered] = [0, 0, 0]
  return {
    transport: {
      async request(request) {
        if (request.path === '/mblock') {
          const turn = ++asked
          events.emit('asked')
          while (turn > answered) await once(events, 'answered')
          now += 1000
        }
        return await transport.request(request)
      },
    },
    monotonicMs: () => now,
    async answer(microblocks) {
      answered += microblocks
      events.emit('answered')
      while (asked <= answered) await once(events, 'asked')
    },
    answerAll() {
      answered = Number.POSITIVE_INFINITY
      events.emit('answered')
    },
  }
}

/** Does something after the first query was answered, before its answer is passed on. */
function afterFirstAnswer(queries: Kysely<Schema>, work: () => Promise<void>): Kysely<Schema> {
  let isFirst = true
  return queries.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (isFirst) {
        isFirst = false
        await work()
      }
      return result
    },
  })
}

type Walking = {
  readonly api: SlowApi
  /** The step that is under way. */
  readonly step: Promise<unknown>
  readonly queries: Kysely<Schema>
}

describePostgres('C-5: an indexer with a slow API, on PostgreSQL', (server) => {
  /** Runs a test while an indexer is in the middle of what it reads for one transaction. */
  async function whileWalking(isBranch: boolean, test: (walking: Walking) => Promise<void>): Promise<void> {
    await using chain = await openTestChain(`slow ${isBranch}`)
    await grow(chain, isBranch ? BLOCKS : 2)
    await using client = createClient({ apiUrl: chain.apiUrl })
    const database = await server().createDatabase()
    await using index = await openIndex({ database })
    const parameters = { index, tokenIds: [chain.token.id] }
    {
      await using writer = await openWriter({ ...parameters, client })
      await writer.step()
    }
    await chain.rewind(2)
    await grow(chain, BLOCKS)
    const api = slowApi(client)
    const clock = { ...systemClock, monotonicMs: api.monotonicMs }
    await using slow = createClient({ apiUrl: chain.apiUrl, transport: api.transport, clock })
    await using writer = await openWriter({ ...parameters, client: slow })
    await using other = await openIndex({ database })
    const step = writer.step()
    step.catch(() => undefined)
    try {
      await api.answer(10)
      await test({ api, step, queries: other.queries })
    } finally {
      api.answerAll()
      await step.catch(() => undefined)
    }
  }

  const claim = (queries: Kysely<Schema>) => claimCursor({ queries, isExclusive: false }, { leaseMs: 0 })

  it.each([
    ['walks', false],
    ['reads another branch', true],
  ])('keeps another from taking over while it %s', async (_, isBranch) => {
    await whileWalking(isBranch, async ({ api, step, queries }) => {
      const { height } = await readCursor(queries)
      // The lease of the other one is as long as what the slow one reads meanwhile.
      const other = claim(afterFirstAnswer(queries, () => api.answer(40)))
      await expect(other).rejects.toMatchObject({ code: 'STORE_INVALID' })
      expect((await readCursor(queries)).height).toBe(height)
      api.answerAll()
      expect(await step).toMatchObject({ status: 'current', height: BLOCKS + 1 })
    })
  })

  it.each([
    ['walks', false],
    ['reads another branch', true],
  ])('learns while it %s that another took over, before it has read everything', async (_, isBranch) => {
    await whileWalking(isBranch, async ({ api, step, queries }) => {
      await claim(queries)
      const { height } = await readCursor(queries)
      const read = api.answer(40).then(() => 'reads on')
      await expect(Promise.race([step, read])).rejects.toMatchObject({ code: 'STORE_INVALID' })
      expect((await readCursor(queries)).height).toBe(height)
    })
  })
})
