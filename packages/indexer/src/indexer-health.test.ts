import { describe, expect, it } from 'vitest'
import {
  createIndexerHealth,
  factsAfter,
  factsAtStart,
  type IndexerEvent,
  judgeIndexer,
} from './indexer-health.ts'

const looked = (status: 'current' | 'behind' | 'deep fork', height: number, undone = 0): IndexerEvent => ({
  type: 'looked',
  progress: {
    status,
    note: status === 'current' ? null : 'The API is away.',
    height,
    apiHeight: height,
    undone,
  },
})
const after = (...events: readonly IndexerEvent[]) =>
  events.reduce((facts, event, index) => factsAfter(facts, event, index), factsAtStart(0))
const codeAfter = (nowMs: number, ...events: readonly IndexerEvent[]) =>
  judgeIndexer(after(...events), nowMs, 2000).code

describe('the health of an indexer', () => {
  it('is ready at the newest block alone, and says why it is not', () => {
    expect(codeAfter(5)).toBe('CATCHING_UP')
    expect(codeAfter(5, { type: 'stored', height: 1000 })).toBe('CATCHING_UP')
    expect(codeAfter(5, looked('current', 7))).toBe('READY')
    expect(codeAfter(5, looked('current', 7), looked('behind', 7))).toBe('BEHIND')
    expect(codeAfter(5, looked('deep fork', 7))).toBe('DEEP_FORK')
    expect(codeAfter(5, looked('current', 7), { type: 'storeLost', why: 'It is away.' })).toBe(
      'DATABASE_AWAY',
    )
    expect(codeAfter(70_000, looked('current', 7))).toBe('STUCK')
    // A walk of the whole chain comes before anything is stored, whatever failed before it.
    expect(codeAfter(70_000)).toBe('CATCHING_UP')
    expect(codeAfter(70_000, { type: 'storeLost', why: 'It is away.' }, looked('behind', -1))).toBe(
      'CATCHING_UP',
    )
  })

  it('counts blocks that were undone apart: no counter goes down', () => {
    const facts = after(
      looked('current', 10),
      { type: 'stored', height: 12 },
      looked('current', 12),
      looked('current', 13, 4),
      looked('behind', -1),
    )
    expect(facts).toMatchObject({ height: 13, blocks: 2 + 1 + 4, undone: 4, apiFailures: 1 })
  })

  it('serves it, with metrics', async () => {
    const health = createIndexerHealth({ pollMs: 2000, nowMs: () => performance.now() })
    await using server = await health.serve(0)
    const ask = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`)
    expect((await ask('/readyz')).status).toBe(503)
    expect(await (await ask('/metrics')).text()).not.toContain('hailstone_indexer_height ')
    health.note(looked('current', 41))
    expect((await ask('/readyz')).status).toBe(200)
    expect(await (await ask('/status')).json()).toMatchObject({ health: { isReady: true }, height: 41 })
    const metrics = await (await ask('/metrics')).text()
    expect(metrics).toContain('hailstone_indexer_ready 1\n')
    expect(metrics).toContain('# TYPE hailstone_indexer_blocks_undone_total counter\n')
    expect(metrics).toContain('process_resident_memory_bytes ')
  })
})
