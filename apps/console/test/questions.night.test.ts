import { readFileSync } from 'node:fs'
import { type Index, readRules } from '@hailstone/indexer'
import type { TokenId } from '@hailstone/protocol'
import { CompiledQuery, sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { describePostgres } from '../../../packages/local-network/test/engines.ts'
import type { PostgresServer } from '../../../packages/local-network/test/postgres-server.ts'
import { withinMs } from '../../../scripts/strict-times.ts'
import { alertKinds } from '../src/alerts/alert-kinds.ts'
import type { FigureContext } from '../src/figures/figure.ts'
import { MINER_ORDERS } from '../src/figures/miners.ts'
import { readSnapshot } from '../src/figures/read-snapshot.ts'
import type { ChainStatus, Follower } from '../src/open-follower.ts'
import { routes } from '../src/routes.ts'
import { recordStatements, type Statement } from './record-statements.ts'
import { addressOf, openSeeded, type SeedSize, TOKEN_ID } from './seed-index.ts'

/** Miners and rewards of the large index. */
const MINERS = Number(process.env.HAILSTONE_MINERS ?? 60_000)
const REWARDS = Number(process.env.HAILSTONE_REWARDS ?? 20 * MINERS)
const LARGE: SeedSize = { miners: MINERS, rewards: REWARDS }
/** The goal names an index of its own to be compared with, which the tiers have no time for. */
const SMALL: SeedSize =
  MINERS < 1_000_000 ? { miners: 6_000, rewards: 120_000 } : { miners: 10_000, rewards: 1_000_000 }
/** Times that each question is asked for its duration. */
const ASKED = Number(process.env.HAILSTONE_ASKED ?? 5)
/** Twenty million rewards take minutes to fill in, in ms. */
const TIME_LIMIT_MS = Math.max(300_000, REWARDS / 4)
/** Rows of a table that may be read from one end to the other, and rows that any question may read. */
const [SMALL_TABLE, FREE_ROWS] = [2000, 1000]
/** An explanation reads the miners of 7 days with their balances: no more than there are microblocks, of every size. */
const EXPLANATION_ROWS = 100_000

/** Values of a later page, which every size has. */
const laterOf = { earned: '30000000000', last: '250000', microblocks: '3' } as const

/** Places in the lists that have one order alone. */
const laterPlaces: Readonly<Record<string, string>> = {
  '/v1/payouts': '250000 0',
  '/v1/agents': `5000 ${addressOf(77)}`,
  '/v1/below': `250000 ${addressOf(77)}`,
}

/** Prints figures of a size that somebody asked for. */
const tell = (line: string): void => {
  if (process.env.HAILSTONE_MINERS !== undefined) console.log(line)
}
const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`

type Reading = Pick<Follower, 'token' | 'index'>
type Question = {
  readonly name: string
  /** @param account of the question about any account; another one each time, so that its rows are in no cache */
  readonly ask: (context: FigureContext, account: number) => Promise<unknown>
}

const status: ChainStatus = {
  ...{
    height: 0,
    state: 'following',
    failure: null,
    reorganisations: 0,
    activeAlerts: 0,
    alertsFailure: null,
  },
}

async function readerOf(index: Index): Promise<Reading> {
  const [rules] = await readRules(index.queries)
  const token = {
    number: 1,
    id: TOKEN_ID as TokenId,
    symbol: 'HAIL',
    decimals: 11,
    mining: rules?.mining ?? null,
    hasFeeInside: true,
    nativeFee: 0n,
  }
  return { index, token }
}

/** Every question of the API, with the parameters that make it read most, and every value of an alert. */
const questions: readonly Question[] = [
  ...routes
    .filter(({ path, ask }) => path !== '/v1/alerts' && ask === undefined)
    .flatMap(({ path, compute }): Question[] => {
      const asked = (name: string, query: object): Question => ({
        name: `${path} ${name}`.trim(),
        ask: (context) => compute(context, query as never),
      })
      const ofAny = (name: string, query: object): Question => ({
        name: `${path} ${name}`,
        ask: (context, account) => compute(context, { ...query, address: addressOf(account) } as never),
      })
      if (path === '/v1/miners')
        return MINER_ORDERS.flatMap((sort) => [
          asked(sort, { sort, limit: 200 }),
          asked(`${sort}, a later page`, { sort, limit: 200, after: `${laterOf[sort]} ${addressOf(77)}` }),
        ])
      if (path === '/v1/miner-rewards')
        return [
          ...[1, 2, 99].map((account) => asked(`of account ${account}`, { address: addressOf(account) })),
          ofAny('of any account', {}),
        ]
      if (path === '/v1/explain')
        return [
          ...[1, 2, 99].map((account) =>
            asked(`of account ${account}`, { address: addressOf(account), days: 7 }),
          ),
          ofAny('of any account', { days: 7 }),
        ]
      const after = laterPlaces[path]
      return [asked('', {}), ...(after === undefined ? [] : [asked('a later page', { after })])]
    }),
  ...Object.entries(alertKinds).map(([name, { measure }]) => ({
    name: `alert ${name}`,
    ask: (context: FigureContext) => measure(context, status),
  })),
]

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Plan[]
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan
  for (const part of plan.Plans ?? []) yield* nodesOf(part)
}

/** Rows that a node read from a table, those that it dropped among them. */
const rowsRead = (node: Plan): number =>
  node['Relation Name'] === undefined
    ? 0
    : node['Actual Loops'] *
      (node['Actual Rows'] +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0))

type Reads = {
  readonly rows: number
  /** Tables that were read from one end to the other. */
  readonly whole: readonly string[]
  /** Duration of the slowest of a hundred, in ms. */
  readonly p99: number
  /** Processor time of the slowest of a hundred, of the server and this process, in ms; as long on a busy machine. */
  readonly p99Cpu: number
}

const p99Of = (times: readonly number[]): number =>
  [...times].sort((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1] ?? 0

/** Returns the processor time of this process and of the server with its connections, in ms; Linux counts it in ns. */
function cpuMs({ processId }: PostgresServer): number {
  const { user, system } = process.cpuUsage()
  const own = (user + system) / 1000
  const server = processId()
  if (server === undefined || process.platform !== 'linux') return own
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ')
  return children.reduce((sum, child) => {
    try {
      return sum + Number(readFileSync(`/proc/${child}/schedstat`, 'utf8').split(' ')[0]) / 1e6
    } catch {
      // A worker that ended since the list was read.
      return sum
    }
  }, own)
}

async function explain(queries: Index['queries'], { text, values }: Statement): Promise<Plan> {
  const { rows } = await queries.executeQuery<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
    CompiledQuery.raw(`explain (analyze, timing off, format json) ${text}`, [...values]),
  )
  const [row] = rows
  if (row === undefined) throw new Error('no plan')
  return row['QUERY PLAN'][0].Plan
}

describePostgres('C-7: a question', (server) => {
  const opened: Index[] = []
  afterAll(async () => {
    for (const index of opened) await index.close()
  })

  async function measure(size: SeedSize): Promise<ReadonlyMap<string, Reads>> {
    const since = performance.now()
    const index = await openSeeded({ database: await server().createDatabase() }, size)
    opened.push(index)
    tell(`${size.miners} miners, ${size.rewards} rewards, filled in ${seconds(performance.now() - since)}`)
    const reader = await readerOf(index)
    const large = new Set<string>()
    const { rows } = await sql<{ name: string }>`select relname as name from pg_class
      where relkind = 'r' and reltuples > ${SMALL_TABLE}`.execute(index.queries)
    for (const { name } of rows) large.add(name)
    const found = new Map<string, Reads>()
    for (const { name, ask } of questions) {
      let account = 99
      const run = () =>
        readSnapshot({ follower: reader as Follower, nowMs: Date.now() }, (context) => ask(context, account))
      const statements = await recordStatements(run)
      expect([name, statements.length > 1]).toEqual([name, true])
      const nodes: Plan[] = []
      for (const statement of statements) nodes.push(...nodesOf(await explain(index.queries, statement)))
      const [times, cpu]: [number[], number[]] = [[], []]
      for (let left = ASKED; left > 0; left--) {
        account = 1 + ((account * 7919) % size.miners)
        const [since, before] = [performance.now(), cpuMs(server())]
        await run()
        times.push(performance.now() - since)
        cpu.push(cpuMs(server()) - before)
      }
      const whole = nodes
        .filter((node) => node['Node Type'].endsWith('Seq Scan') && large.has(node['Relation Name'] ?? ''))
        .map((node) => `${node['Relation Name']}`)
      found.set(name, {
        rows: nodes.reduce((sum, node) => sum + rowsRead(node), 0),
        ...{ whole, p99: p99Of(times), p99Cpu: p99Of(cpu) },
      })
    }
    return found
  }

  it(
    'reads no table from one end to the other, and about as many rows in a large index as in a small one',
    async () => {
      const [small, large] = [await measure(SMALL), await measure(LARGE)]
      for (const [name, { rows, p99, p99Cpu }] of large) {
        const was = small.get(name)
        tell(
          `${name}: ${was?.rows} and ${rows} rows, ${was?.p99.toFixed(1)} and ${p99.toFixed(1)} ms, ${was?.p99Cpu.toFixed(1)} and ${p99Cpu.toFixed(1)} ms of CPU`,
        )
      }
      const faults = [...large].filter(
        ([name, { rows, whole }]) =>
          whole.length > 0 ||
          rows >
            Math.max(
              3 * Math.max(FREE_ROWS, small.get(name)?.rows ?? 0),
              name.startsWith('/v1/explain') ? EXPLANATION_ROWS : 0,
            ),
      )
      expect(faults).toEqual([])
      for (const [name, { p99 }] of large)
        expect([name, p99 <= withinMs(name.startsWith('/v1/explain') ? 500 : 50)]).toEqual([name, true])
    },
    TIME_LIMIT_MS,
  )
})
