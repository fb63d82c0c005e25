import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createClient } from '@hailstone/client'
import { connectPostgres } from '@hailstone/database'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { buildPackages } from '../../client/test/support/build-packages.ts'
import { describePostgres } from '../../local-network/test/engines.ts'
import { INDEX_SCHEMA, type IndexPlace, openIndex } from '../src/open-index.ts'
import { openWriter } from '../src/run-indexer.ts'
import { contentOf } from './figures-of-index.ts'
import { kill, startIndexer } from './killed-indexer.ts'
import { closeRandom } from './population.ts'
import { type Random, randomOf } from './random.ts'
import { openTestChain, type TestChain } from './test-chain.ts'

const KILLS = gateSize('HAILSTONE_KILLS', 6)

/** Tables that a transaction of the indexer writes, in its order. */
const places = ['cursor', 'undo', 'block', 'microblock', 'reward', 'holding', 'miner', 'token_day'] as const

beforeAll(() => buildPackages('runtime', 'protocol', 'database', 'client', 'indexer'))

/** Three blocks more, after the newest ones went or not. */
async function moveOn(chain: TestChain, random: Random, kind: 'walking' | 'undoing'): Promise<void> {
  const gone = kind === 'undoing' ? 3 : 0
  if (gone > 0) await chain.rewind(chain.blocks.length - gone)
  for (let left = gone + 3; left > 0; left--) await closeRandom(chain, random)
}

async function read(place: IndexPlace): Promise<unknown> {
  await using index = await openIndex(place)
  return await contentOf(index.queries)
}

/** Ends what was begun, in this process; then the rows are those of an index that was never killed. */
async function expectWhole(chain: TestChain, place: IndexPlace): Promise<void> {
  await using client = createClient({ apiUrl: chain.apiUrl })
  const parameters = { client, tokenIds: [chain.token.id], leaseMs: 0 }
  {
    await using index = await openIndex(place)
    await using writer = await openWriter({ ...parameters, index })
    expect(await writer.step()).toMatchObject({ status: 'current', height: chain.blocks.length - 1 })
  }
  await using other = await openIndex()
  await using anew = await openWriter({ ...parameters, index: other })
  await anew.step()
  expect(await read(place)).toEqual(await contentOf(other.queries))
}

describePostgres('C-2: kill -9 on PostgreSQL', (server) => {
  it('at each table that is written: nothing of the transaction stays, and no block comes twice', async () => {
    const random = randomOf(21)
    await using chain = await openTestChain('killed')
    await moveOn(chain, random, 'walking')
    const database = await server().createDatabase()
    await expectWhole(chain, { database })
    const lock = connectPostgres<object>({ url: database, applicationName: 'lock' })
    try {
      for (const table of places) {
        await moveOn(chain, random, 'walking')
        const before = await read({ database })
        await lock.queries.transaction().execute(async (transaction) => {
          // Whoever writes there waits; the process is ended where it waits, however fast the machine is.
          await sql`lock table ${sql.table(`${INDEX_SCHEMA}.${table}`)} in exclusive mode`.execute(
            transaction,
          )
          const child = startIndexer(chain, { database })
          // A transaction sees the activity of its first look only, so the look has a connection of its own.
          const isWaiting = async (): Promise<boolean> => {
            const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
                and application_name = 'hailstone-indexer' and wait_event_type = 'Lock'`.execute(lock.queries)
            return rows.length > 0
          }
          while (child.exitCode === null && !(await isWaiting())) await setTimeout(20)
          expect([table, child.exitCode]).toEqual([table, null])
          await kill(child)
        })
        expect([table, await read({ database })]).toEqual([table, before])
        await expectWhole(chain, { database })
      }
    } finally {
      await lock.close()
    }
  })
})

describe('C-2: kill -9 of an index in a folder', () => {
  it(`at ${KILLS} random moments, every second one with blocks that went: as if nothing had been`, async () => {
    const random = randomOf(22)
    await using chain = await openTestChain('killed in a folder')
    await moveOn(chain, random, 'walking')
    const folder = await mkdtemp(join(tmpdir(), 'hailstone-killed-'))
    try {
      await expectWhole(chain, { folder })
      for (let at = 0; at < KILLS; at++) {
        await moveOn(chain, random, at % 2 === 0 ? 'walking' : 'undoing')
        const child = startIndexer(chain, { folder })
        if (child.stdout !== null) await once(child.stdout, 'data')
        await setTimeout(random.below(150))
        if (child.exitCode === null) await kill(child)
        await expectWhole(chain, { folder })
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
