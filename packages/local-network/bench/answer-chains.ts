import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChainPlace } from '../src/store/open-chain-store.ts'
import { postgresMissing, startPostgres } from '../test/postgres-server.ts'
import { fillChain, SEED } from './fill-chain.ts'
import type { ChainSize, SyntheticHistory } from './synthetic-history.ts'

/** A long chain that a network can be started over. */
export type AnswerChain = {
  readonly engine: 'embedded' | 'PostgreSQL'
  readonly place: ChainPlace
  readonly seed: string
  /** Paths of the API, without its prefix, by kind of question; each kind about as many accounts or blocks. */
  readonly paths: Readonly<Record<string, readonly string[]>>
  /** CPU time of the database's processes so far; 0 where it is part of the network's. */
  readonly databaseCpuMs: () => number
  readonly remove: () => Promise<void>
}

const TICK_MS = 10

/** User and system time of a process, and of its children that have ended. */
function cpuOf(processId: number): { readonly parent: number; readonly ms: number } | null {
  try {
    const text = readFileSync(`/proc/${processId}/stat`, 'utf8')
    // The name in brackets may hold blanks.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [, parent = 0] = fields
    return { parent, ms: TICK_MS * fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) }
  } catch {
    return null
  }
}

/** Of a process and its children. */
export function familyCpuMs(processId: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ id: Number(name), cpu: cpuOf(Number(name)) }))
  return children
    .filter(({ id, cpu }) => id === processId || cpu?.parent === processId)
    .reduce((sum, { cpu }) => sum + (cpu?.ms ?? 0), 0)
}

/** Pages of the account that sends everything: few, and deep in a history of hundreds of thousands. */
const LONG_PAGES_EVERY = 10

export function pathsOf(history: SyntheticHistory, accounts: number): AnswerChain['paths'] {
  const { account, receiver, transactions, blocks } = history
  const spread = (total: number, pathOf: (at: number) => string): readonly string[] =>
    Array.from({ length: accounts }, (_, at) => pathOf(1 + Math.floor((at * (total - 1)) / accounts)))
  const pagesOfLong = Math.floor((transactions + blocks) / 10)
  const pages = Math.max(1, Math.floor(transactions / accounts / 10))
  return {
    height: ['/height'],
    token_info: [`/token_info?hash=${'0'.repeat(64)}`],
    balance: Array.from({ length: accounts }, (_, at) => `/balance?id=${receiver(at)}`),
    tx: spread(transactions, (at) => `/tx?hash=${history.transactionHash(at)}`),
    macroblock: spread(blocks, (at) => `/macroblock?hash=${history.keyBlockHash(at)}`),
    mblock: spread(blocks, (at) => `/mblock?hash=${history.microblockHash(at)}`),
    'history page': Array.from({ length: accounts }, (_, at) =>
      at % LONG_PAGES_EVERY === 0
        ? `/account_transactions?id=${account}&page=${(at * 7919) % pagesOfLong}`
        : `/account_transactions?id=${receiver(at)}&page=${at % pages}`,
    ),
  }
}

/** The chain on both engines where there is a PostgreSQL, else on the embedded one alone. */
export async function makeAnswerChains(
  size: ChainSize & { readonly receivers: number },
): Promise<readonly AnswerChain[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-answers-'))
  const place = { folder: join(folder, 'chain') }
  const embedded: AnswerChain = {
    engine: 'embedded',
    place,
    seed: SEED,
    paths: pathsOf(await fillChain(place, size), size.receivers),
    databaseCpuMs: () => 0,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
  if (postgresMissing !== null) return [embedded]
  const server = await startPostgres()
  const onServer = { database: await server.createDatabase() }
  const history = await fillChain(onServer, size)
  const processId = server.processId() ?? 0
  return [
    embedded,
    {
      engine: 'PostgreSQL',
      place: onServer,
      seed: SEED,
      paths: pathsOf(history, size.receivers),
      databaseCpuMs: () => familyCpuMs(processId),
      remove: server.stop,
    },
  ]
}
