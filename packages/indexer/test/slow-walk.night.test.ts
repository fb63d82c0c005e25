import { EventEmitter, once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { type Client, createClient, type Transport } from '@hailstone/client'
import type { Kysely } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
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
  /** Answers so many further microblocks, and resolves when one above them is asked for. */
  readonly answer: (microblocks: number) => Promise<void>
  readonly answerAll: () => void
}

/** An API that takes a second of the beats' clock for each microblock and can be made to hang. */
function slowApi({ transport }: Client): SlowApi {
  const events = new EventEmitter().setMaxListeners(BLOCKS)
  let [asked, answered] = [0, 0]
  return {
    transport: {
      async request(request) {
        if (request.path === '/mblock') {
          const turn = ++asked
          events.emit('asked')
          while (turn > answered) await once(events, 'answered')
          vi.advanceTimersByTime(1000)
        }
        return await transport.request(request)
      },
    },
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

/** Resolves when the writing process has moved its beat, or after some attempts without it. */
async function untilBeat(queries: Kysely<Schema>): Promise<void> {
  const { beat } = await readCursor(queries)
  for (let left = 200; left > 0 && (await readCursor(queries)).beat === beat; left--) {
    vi.advanceTimersByTime(1000)
    await setTimeout(20)
  }
}

describePostgres('C-5: an indexer with a slow API, on PostgreSQL', (server) => {
  // Only these tests move the clock of the beats.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())

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
    await using slow = createClient({ apiUrl: chain.apiUrl, transport: api.transport })
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
      const meanwhile = async (): Promise<void> => {
        await api.answer(40)
        await untilBeat(queries)
      }
      const other = claim(afterFirstAnswer(queries, meanwhile))
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
      // A beat may come between the two looks of a claim.
      await claim(queries).catch(() => claim(queries))
      const { height } = await readCursor(queries)
      const readOn = async (): Promise<string> => {
        // The beat that finds the other process comes within two seconds, on a busy machine later.
        for (let left = 40; left > 0; left--) await Promise.all([api.answer(1), setTimeout(250)])
        return 'reads on'
      }
      const read = readOn()
      await expect(Promise.race([step, read])).rejects.toMatchObject({ code: 'STORE_INVALID' })
      expect((await readCursor(queries)).height).toBe(height)
    })
  })

  it('keeps another from taking over while the API hangs', async () => {
    await whileWalking(false, async ({ api, step, queries }) => {
      await expect(claim(afterFirstAnswer(queries, () => untilBeat(queries)))).rejects.toMatchObject({
        code: 'STORE_INVALID',
      })
      api.answerAll()
      expect(await step).toMatchObject({ status: 'current', height: BLOCKS + 1 })
    })
  })

  it('keeps another from taking over between two steps, however far apart', async () => {
    await using chain = await openTestChain('slow poll')
    await grow(chain, 2)
    await using client = createClient({ apiUrl: chain.apiUrl })
    const database = await server().createDatabase()
    await using index = await openIndex({ database })
    await using writer = await openWriter({ index, client, tokenIds: [chain.token.id] })
    await using other = await openIndex({ database })
    const { queries } = other
    await expect(claim(afterFirstAnswer(queries, () => untilBeat(queries)))).rejects.toMatchObject({
      code: 'STORE_INVALID',
    })
    expect(await writer.step()).toMatchObject({ status: 'current', height: 1 })
  })
})
