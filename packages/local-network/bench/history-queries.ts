import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ChainStore, type OpenedStore, openChainStore } from '../src/store/index.ts'
import type { ChainPlace } from '../src/store/open-chain-store.ts'
import { postgresMissing, startPostgres } from '../test/postgres-server.ts'
import { fillChain } from './fill-chain.ts'
import { type SyntheticHistory, sizeOfRows } from './synthetic-history.ts'

/** Time of every kind of history question over one chain. */
export type HistoryTimes = {
  readonly engine: 'embedded' | 'PostgreSQL'
  readonly rows: number
  /** Medians in milliseconds. */
  readonly medianMs: Readonly<Record<string, number>>
  /** The shortest of all, which other programs of the machine disturb least. */
  readonly bestMs: Readonly<Record<string, number>>
}

type Question = (
  store: ChainStore,
  history: SyntheticHistory,
  random: (below: number) => number,
) => Promise<unknown>

const PAGE = 10
/** Number of last macroblocks that a query covers, the same on every chain. */
const RECENT_BLOCKS = 40

const page = (
  store: ChainStore,
  of: 'all' | 'rewards' | 'transactions' | 'im' | 'iout',
  { account, to }: { readonly account: string; readonly to: number },
) => store.records({ account, selection: { of } as never, from: Math.max(0, to - PAGE + 1), to })

const questions: Readonly<Record<string, Question>> = {
  'first page of a history': async (store, { account }) => {
    const count = await store.recordCount(account, { of: 'all' })
    return page(store, 'all', { account, to: count - 1 })
  },
  'any page of a history': async (store, { account }, random) => {
    const count = await store.recordCount(account, { of: 'all' })
    return page(store, 'all', { account, to: random(count) })
  },
  'any page of rewards': async (store, { account }, random) => {
    const count = await store.recordCount(account, { of: 'rewards' })
    return page(store, 'rewards', { account, to: random(count) })
  },
  'any page of transactions': async (store, { account }, random) => {
    const count = await store.recordCount(account, { of: 'transactions' })
    return page(store, 'transactions', { account, to: random(count) })
  },
  'any page of one type': async (store, { account }, random) => {
    const count = await store.recordCount(account, { of: 'iout' as never })
    return page(store, 'iout', { account, to: random(count) })
  },
  'transaction by hash': (store, { transactionHash, transactions }, random) =>
    store.transaction(transactionHash(random(transactions))),
  'records of a hash': (store, { transactionHash, transactions }, random) =>
    store.recordsOfHash(transactionHash(random(transactions))),
  'microblock and its transactions': async (store, { microblockHash, blocks }, random) => {
    const hash = microblockHash(random(blocks))
    return [await store.microblock(hash), await store.transactionsOf(hash)]
  },
  'transactions of a macroblock': (store, { blocks }, random) => store.transactionsAt(random(blocks), 50),
  'list of macroblocks': (store, { blocks }, random) => {
    const from = random(Math.max(1, blocks - PAGE))
    return store.keyBlocksBetween({ from, to: from + PAGE })
  },
  'microblocks of ten macroblocks': (store, { blocks }, random) => {
    const from = random(Math.max(1, blocks - PAGE))
    return store.microblockPlaces({ from, to: from + PAGE - 1 })
  },
  'confirmed transactions of a macroblock': (store, { blocks }, random) =>
    store.confirmedTransactionsAt(random(blocks)),
  'copies of a transaction': (store, { transactionHash, transactions }, random) =>
    store.transactionCopies(transactionHash(random(transactions))),
  'duplicates among ten transactions': async (store, { transactionHash, transactions, blocks }, random) => {
    const hashes = Array.from({ length: PAGE }, () => transactionHash(random(transactions)))
    return store.calculatedBelow(blocks, hashes as never)
  },
  'publishers of late': (store, { blocks }) => store.tokenPublishers('0'.repeat(64), blocks - RECENT_BLOCKS),
  'stake pools of late': (store, { blocks }) => store.stakePools(blocks - RECENT_BLOCKS),
  'newest blocks': (store) => store.lastKeyBlocks(PAGE),
  'figures of an agent': (store, { account, blocks }) => store.agentFigures(account, blocks - RECENT_BLOCKS),
  'figures of the chain': (store, { blocks }) => store.chainFigures(blocks - RECENT_BLOCKS),
  balance: (store, { receiver, transactions }, random) =>
    store.balance(receiver(random(Math.min(500, transactions))), '0'.repeat(64)),
}

/** Mulberry32: the same questions on every chain and engine. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

type Filled = { readonly store: ChainStore; readonly history: SyntheticHistory; readonly place: ChainPlace }

async function timeOne(name: string, { store, history }: Filled, random: (below: number) => number) {
  const began = performance.now()
  const answer = await questions[name]?.(store, history, random)
  const tookMs = performance.now() - began
  if (answer === undefined || (Array.isArray(answer) && answer.length === 0))
    throw new Error(`${name} found nothing`)
  return tookMs
}

/** Chains and questions take turns, so that none of them has the quiet moments of the machine. */
async function ask(chains: readonly Filled[], rounds: number): Promise<readonly HistoryTimes[]> {
  const names = Object.keys(questions)
  const times = chains.map(() => new Map(names.map((name) => [name, [] as number[]])))
  const randoms = chains.map(() => createRandom(1))
  // The first rounds fill caches and are not counted.
  for (let round = -5; round < rounds; round++) {
    for (const name of names) {
      for (const [at, chain] of chains.entries()) {
        const tookMs = await timeOne(name, chain, randoms[at] ?? Math.random)
        if (round >= 0) times[at]?.get(name)?.push(tookMs)
      }
    }
  }
  return chains.map(({ history, place }, at) => ({
    engine: place.database === undefined ? 'embedded' : 'PostgreSQL',
    rows: history.rows,
    medianMs: Object.fromEntries(Array.from(times[at] ?? [], ([name, values]) => [name, median(values)])),
    bestMs: Object.fromEntries(Array.from(times[at] ?? [], ([name, values]) => [name, Math.min(...values)])),
  }))
}

/** Fills empty places with chains from short to long, opens them, and closes them again afterwards. */
async function withChains<Result>(
  places: readonly ChainPlace[],
  sizes: readonly number[],
  act: (chains: readonly Filled[]) => Promise<Result>,
): Promise<Result> {
  const chains: (Filled & { readonly store: OpenedStore })[] = []
  try {
    for (const [at, place] of places.entries()) {
      const history = await fillChain(place, sizeOfRows(sizes[at] ?? 1000))
      chains.push({ place, history, store: await openChainStore(place) })
    }
    return await act(chains)
  } finally {
    for (const { store } of chains) await store.close()
  }
}

/** Times every kind of question on chains from short to long. */
export const measureHistory = (
  places: readonly ChainPlace[],
  { sizes, rounds = 60 }: { readonly sizes: readonly number[]; readonly rounds?: number },
): Promise<readonly HistoryTimes[]> => withChains(places, sizes, (chains) => ask(chains, rounds))

/**
 * Asks every kind of question on chains from short to long, some rounds each.
 *
 * @param costOf runs one question and returns what it cost
 * @returns the cost of each question, on the chains in their order
 */
export const costsOfHistory = (
  places: readonly ChainPlace[],
  { sizes, rounds }: { readonly sizes: readonly number[]; readonly rounds: number },
  costOf: (question: () => Promise<unknown>) => Promise<number>,
): Promise<ReadonlyMap<string, readonly number[]>> =>
  withChains(places, sizes, async (chains) => {
    const costs = new Map<string, number[]>()
    for (const name of Object.keys(questions)) {
      for (const chain of chains) {
        const random = createRandom(1)
        let cost = 0
        for (let round = 0; round < rounds; round++) cost += await costOf(() => timeOne(name, chain, random))
        costs.set(name, [...(costs.get(name) ?? []), cost])
      }
    }
    return costs
  })

/** On both engines where there is a PostgreSQL, else on the embedded one alone. */
export async function measureHistories(
  sizes: readonly number[] = [1000, 100_000, 1_000_000],
): Promise<readonly HistoryTimes[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-history-'))
  const embedded = await measureHistory(
    sizes.map((size) => ({ folder: join(folder, String(size)) })),
    { sizes },
  ).finally(() => rm(folder, { recursive: true, force: true }))
  if (postgresMissing !== null) return embedded
  const server = await startPostgres()
  try {
    const places: ChainPlace[] = []
    for (const _ of sizes) places.push({ database: await server.createDatabase() })
    return [...embedded, ...(await measureHistory(places, { sizes }))]
  } finally {
    await server.stop()
  }
}

/** Returns the ratio of each query's time on the longest chain to that on the shortest one, by engine. */
export function growthOf(
  measured: readonly HistoryTimes[],
  of: 'medianMs' | 'bestMs' = 'medianMs',
): Readonly<Record<string, number>> {
  const growth: Record<string, number> = {}
  for (const engine of ['embedded', 'PostgreSQL'] as const) {
    const runs = measured.filter((one) => one.engine === engine)
    for (const [name, first] of Object.entries(runs[0]?.[of] ?? {}))
      growth[`${engine}: ${name}`] = Math.max(...runs.map((run) => run[of][name] ?? 0)) / first
  }
  return growth
}

const inText = ({ engine, rows, medianMs }: HistoryTimes): string =>
  [
    `${engine}, ${rows} rows`,
    ...Object.entries(medianMs).map(([name, ms]) => `  ${ms.toFixed(2).padStart(9)} ms  ${name}`),
  ].join('\n')

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const sizes = process.argv.slice(2).map(Number)
  const say = (text: string): void => void process.stdout.write(`${text}\n`)
  const measured = await measureHistories(sizes.length === 0 ? undefined : sizes)
  for (const times of measured) say(inText(times))
  say('longest time over that of the shortest chain:')
  for (const [name, factor] of Object.entries(growthOf(measured)))
    say(`  ${factor.toFixed(2).padStart(6)} x  ${name}`)
}
