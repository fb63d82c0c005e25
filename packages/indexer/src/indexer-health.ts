import { type HealthServer, metricsText, processMetrics, serveHealth } from '@hailstone/mining-node/health'
import type { Progress } from './follow-chain.ts'

/** What an indexer has seen so far. Times are of a clock that nobody sets, in ms. */
export type IndexerFacts = {
  /** Newest look at the API; null before the first. */
  readonly progress: Pick<Progress, 'status' | 'note' | 'height' | 'apiHeight'> | null
  /** Why the database is away or refuses; null while it answers. */
  readonly storeLoss: string | null
  /** Newest height of the tables that is known; null before the first. */
  readonly height: number | null
  /** When the newest look ended, or blocks were stored. */
  readonly movedAtMs: number
  readonly blocks: number
  readonly undone: number
  readonly apiFailures: number
  readonly storeFailures: number
}

export type IndexerEvent =
  | { readonly type: 'looked'; readonly progress: Progress }
  | { readonly type: 'stored'; readonly height: number }
  | { readonly type: 'storeLost'; readonly why: string }

export const factsAtStart = (nowMs: number): IndexerFacts => ({
  ...{ progress: null, storeLoss: null, height: null, movedAtMs: nowMs },
  ...{ blocks: 0, undone: 0, apiFailures: 0, storeFailures: 0 },
})

/** Returns the facts after an event. Counts never go down: a block that was undone is counted as undone as well. */
export function factsAfter(facts: IndexerFacts, event: IndexerEvent, nowMs: number): IndexerFacts {
  switch (event.type) {
    case 'storeLost':
      return { ...facts, storeLoss: event.why, movedAtMs: nowMs, storeFailures: facts.storeFailures + 1 }
    case 'stored':
      return { ...facts, storeLoss: null, movedAtMs: nowMs, ...grown(facts, event.height) }
    case 'looked': {
      const { progress } = event
      const { undone, status, height } = progress
      return {
        ...{ ...facts, progress, storeLoss: null, movedAtMs: nowMs },
        ...(height < 0 ? {} : grown({ ...facts, blocks: facts.blocks + undone }, height)),
        undone: facts.undone + undone,
        apiFailures: facts.apiFailures + (status === 'current' ? 0 : 1),
      }
    }
  }
}

const grown = ({ height, blocks }: IndexerFacts, to: number): Pick<IndexerFacts, 'height' | 'blocks'> => ({
  height: to,
  blocks: blocks + Math.max(0, to - (height ?? to)),
})

type Verdict = {
  readonly isReady: boolean
  readonly code: string
  readonly why: string
  readonly nextStep: string
}

/** Time without a look or a stored block after which an indexer counts as stuck, beside its pauses, in ms. */
const SILENCE_MS = 60_000

/** Says whether the figures of an index are those of the newest block, and if not, why. */
export function judgeIndexer(facts: IndexerFacts, nowMs: number, pollMs: number): Verdict {
  const { progress, storeLoss, height, movedAtMs } = facts
  const not = (code: string, why: string, nextStep: string): Verdict => ({
    ...{ isReady: false, code, why, nextStep },
  })
  const silentMs = nowMs - movedAtMs
  const isSilent = silentMs > SILENCE_MS + 3 * pollMs
  if (isSilent && height === null)
    return not(
      'CATCHING_UP',
      'Nothing is stored yet. A token that is as old as the chain needs a walk of all its blocks before that.',
      'Wait, and do not restart it: the walk would begin anew.',
    )
  if (isSilent)
    return not(
      'STUCK',
      `No look at the API ended and nothing was stored for ${Math.round(silentMs / 1000)} s.`,
      'Look at the database and the API; restart the indexer if both answer.',
    )
  if (storeLoss !== null)
    return not('DATABASE_AWAY', storeLoss, 'Start or restore the database; the indexer goes on by itself.')
  if (progress === null) {
    const at = height === null ? 'Nothing is stored yet.' : `The tables are at height ${height}.`
    return not('CATCHING_UP', at, 'Wait until it has reached the newest block.')
  }
  const { status, note } = progress
  if (status === 'current') return { isReady: true, code: 'READY', why: '', nextStep: '' }
  const why = note ?? `The index is ${status}.`
  if (status === 'deep fork') return not('DEEP_FORK', why, 'Run hailstone-indexer rebuild.')
  if (status === 'api lies') return not('API_LIES', why, 'Use another API, and tell its operator.')
  return not('BEHIND', why, 'Wait: it goes on when the API is back and has passed this index.')
}

/** Health of an indexer: events go in, and whoever asks its port reads what came of them. */
export type IndexerHealth = {
  readonly note: (event: IndexerEvent) => void
  readonly serve: (port: number) => Promise<HealthServer>
}

/** @param nowMs a clock that nobody sets */
export function createIndexerHealth({
  pollMs,
  nowMs,
}: {
  readonly pollMs: number
  readonly nowMs: () => number
}): IndexerHealth {
  const startedAtMs = nowMs()
  let facts = factsAtStart(startedAtMs)
  const health = (): Verdict => judgeIndexer(facts, nowMs(), pollMs)
  const uptimeMs = (): number => Math.round(nowMs() - startedAtMs)
  return {
    note(event) {
      facts = factsAfter(facts, event, nowMs())
    },
    serve: (port) =>
      serveHealth(
        {
          health,
          status: () => ({
            ...{ processId: process.pid, uptimeMs: uptimeMs(), health: health() },
            ...{ height: facts.height, apiHeight: facts.progress?.apiHeight ?? null },
          }),
          metrics: () =>
            metricsText([...indexerMetrics(facts, health().isReady), ...processMetrics(uptimeMs())]),
        },
        { port },
      ),
  }
}

type Metric = Parameters<typeof metricsText>[0][number]

function indexerMetrics(facts: IndexerFacts, isReady: boolean): readonly Metric[] {
  const one = (
    type: Metric['type'],
    name: string,
    help: string,
    value: number | null | undefined,
  ): Metric => ({
    ...{ name: `hailstone_indexer_${name}`, type, help },
    samples: typeof value === 'number' ? [{ value }] : [],
  })
  const { height, progress, blocks, undone, apiFailures, storeFailures } = facts
  return [
    one('gauge', 'ready', '1 while the tables are at the newest block of the API.', isReady ? 1 : 0),
    one('gauge', 'height', 'Newest macroblock of the tables.', height),
    one('gauge', 'api_height', 'Newest macroblock that the API showed.', progress?.apiHeight),
    one('counter', 'blocks_total', 'Macroblocks that were stored.', blocks),
    one('counter', 'blocks_undone_total', 'Macroblocks that were undone, since another branch won.', undone),
    one(
      'counter',
      'api_failures_total',
      'Looks at the API that did not reach its newest block.',
      apiFailures,
    ),
    one('counter', 'database_failures_total', 'Looks that the database ended.', storeFailures),
  ]
}
