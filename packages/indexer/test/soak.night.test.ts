import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Client, createClient, type Transport } from '@hailstone/client'
import { connectPostgres } from '@hailstone/database'
import { apiError, isNodeError } from '@hailstone/protocol'
import { type KyselyPlugin, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { describePostgres } from '../../local-network/test/engines.ts'
import type { PostgresServer } from '../../local-network/test/postgres-server.ts'
import { checkIndex } from '../src/check-index.ts'
import { type Index, type IndexPlace, openIndex } from '../src/open-index.ts'
import { rebuildIndex } from '../src/rebuild-index.ts'
import { openWriter, runIndexer } from '../src/run-indexer.ts'
import { contentOf } from './figures-of-index.ts'
import { closeRandom } from './population.ts'
import { type Random, randomOf } from './random.ts'
import { lies, move, pauses } from './soak-parts.ts'
import { openTestChain } from './test-chain.ts'

/** Disturbances of a run, and the number with which all of them are drawn. */
const STEPS = gateSize('HAILSTONE_SOAK_STEPS', { change: 20, night: 60 })
const SEED = gateSize('HAILSTONE_SOAK_SEED', 42)
const timeout = 60_000 + 10_000 * STEPS

/** Of a thousand answers, and of a thousand statements, those that something happens to. */
const ANSWERS = 20
const STATEMENTS = 4

const states = ['57014', '53100', '55P03', '40001', '40P01', '08006', '57P01', '25006', '53300', 'XX000']
function disturbed(honest: Client, random: Random, isOn: () => boolean): Client {
  const transport: Transport = {
    async request(request) {
      const answer = await honest.transport.request(request)
      if (!isOn() || random.below(1000) >= ANSWERS) return answer
      if (random.below(8) === 0) {
        // Nobody answers, and the time is over.
        await setTimeout(20)
        throw apiError('REQUEST_TIMEOUT', { path: request.path, timeoutMs: 20 })
      }
      return { ...answer, ...(random.pick(lies)(request.path, answer.text) ?? {}) }
    },
  }
  const clock = { ...honest.clock, sleep: () => setTimeout(1) }
  return createClient({ apiUrl: honest.apiUrl, transport, clock, retry: { maxAttempts: 1 } })
}

/** Fails statements before they run, or after, as if their answers were lost. */
const failing = (random: Random, isOn: () => boolean): KyselyPlugin => {
  const fail = (): void => {
    if (!isOn() || random.below(1000) >= STATEMENTS) return
    const code = random.pick(states)
    throw Object.assign(new Error(`failed with ${code}`), { code })
  }
  return {
    transformQuery({ node }) {
      fail()
      return node
    },
    async transformResult({ result }) {
      fail()
      return result
    },
  }
}

type Disturb = (random: Random, work: () => Promise<void>) => Promise<void>

async function soak(place: IndexPlace, isExclusive: boolean, disturb: Disturb): Promise<void> {
  const random = randomOf(SEED)
  let isOn = false
  await using chain = await openTestChain('soak')
  for (let left = 8; left > 0; left--) await closeRandom(chain, random, pauses)
  await using honest = createClient({ apiUrl: chain.apiUrl })
  await using client = disturbed(honest, randomOf(SEED + 1), () => isOn)
  const plugin = failing(randomOf(SEED + 2), () => isOn)
  const tokenIds = [chain.token.id]
  let [looks, height, failures] = [0, -1, 0]

  /** Runs an indexer while something else is done. */
  async function beside(work: (until: (isThere: () => boolean) => Promise<void>) => Promise<void>) {
    await using opened: Index = await openIndex(place)
    const index = { ...opened, queries: opened.queries.withPlugin(plugin) }
    const stopping = new AbortController()
    let isOver = false
    const run = runIndexer({
      ...{ index, client, tokenIds, leaseMs: 50, signal: stopping.signal },
      onProgress(progress) {
        looks++
        height = progress.status === 'current' ? progress.height : -1
        if (progress.status !== 'current') failures++
      },
      onStoreLost() {
        looks++
        failures++
      },
    }).finally(() => {
      isOver = true
    })
    const until = async (isThere: () => boolean): Promise<void> => {
      while (!isThere() && !isOver) await setTimeout(1)
      if (isOver) throw new Error('the indexer ended', { cause: await run.catch((error: unknown) => error) })
    }
    try {
      await work(until)
    } finally {
      stopping.abort()
      await run
    }
  }

  /** Rebuilds until it is done; what an earlier attempt has filled is not walked again. */
  async function rebuild(): Promise<void> {
    for (;;) {
      try {
        await rebuildIndex({ place, client, tokenIds })
        return
      } catch (error) {
        if (!isNodeError(error)) throw error
        failures++
      }
    }
  }

  const half = Math.ceil(STEPS / 2)
  for (const part of [half, STEPS - half]) {
    await beside(async (until) => {
      isOn = true
      for (let step = 0; step < part; step++) {
        await disturb(random, async () => {
          const before = looks
          await move(chain, random)
          await until(() => looks > before + 2)
        })
      }
      if (!isExclusive && part === half) await rebuild()
      isOn = false
      height = -1
      await until(() => height === chain.blocks.length - 1)
    })
    isOn = part === half && isExclusive
    if (isOn) await rebuild()
    isOn = false
  }
  expect(failures).toBeGreaterThan(STEPS / 4)
  await using index = await openIndex(place)
  const report = await checkIndex({ index, client: honest, catchUp: async () => {} })
  expect(report).toMatchObject({ height: chain.blocks.length - 1, differences: [] })
  await using other = await openIndex()
  await using anew = await openWriter({ index: other, client: honest, tokenIds })
  await anew.step()
  expect(await contentOf(index.queries)).toEqual(await contentOf(other.queries))
}

describe('C-11: an indexer for whom nothing goes well', () => {
  it(`goes on through ${STEPS} disturbances in a folder, and every figure is right`, {
    timeout,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hailstone-soak-'))
    try {
      await soak({ folder }, true, (_, work) => work())
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

/** Cancels statements and ends connections of an indexer, and now and then the server, while something is done. */
const onServer =
  (server: PostgresServer, database: string): Disturb =>
  async (random, work) => {
    const kind = random.below(10)
    if (kind > 5) return await work()
    if (kind === 0) {
      await server.crash()
      await setTimeout(50)
      await server.start()
      return await work()
    }
    const { queries, close } = connectPostgres<object>({ url: database, applicationName: 'disturber' })
    const how = kind > 3 ? sql`pg_terminate_backend(pid)` : sql`pg_cancel_backend(pid)`
    let isDone = false
    const disturbing = (async () => {
      while (!isDone) {
        const all = sql`select ${how} from pg_stat_activity
          where application_name = 'hailstone-indexer' and state <> 'idle' and random() < 0.2`
        // A busy server may have no connection for it.
        await all.execute(queries).catch(() => {})
        await setTimeout(5)
      }
    })()
    await work().finally(() => {
      isDone = true
    })
    await disturbing
    await close()
  }

describePostgres('C-11: an indexer for whom nothing goes well, on PostgreSQL', (server) => {
  it(`goes on through ${STEPS} disturbances and a rebuild beside it`, { timeout }, async () => {
    const database = await server().createDatabase()
    await soak({ database }, false, onServer(server(), database))
  })
})
