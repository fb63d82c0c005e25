import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { type Child, startChild } from '../child.ts'
import { type Goal, type Outcome, outcomeOf, type Score } from '../outcome.ts'
import { cpuPressure, isQuiet, quietMachine } from '../pressure.ts'
import { median } from '../statistics.ts'
import type { SuiteParameters } from '../suite.ts'
import { benchOf } from './network-bench.ts'
import { IN_FLIGHT, type Payment, postAll, signPayments } from './network-payments.ts'

/** Chain that `packages/local-network/bench/answer-chains.ts` makes. */
type AnswerChain = {
  readonly engine: string
  readonly place: { readonly folder?: string; readonly database?: string }
  readonly seed: string
  readonly paths: Readonly<Record<string, readonly string[]>>
  readonly databaseCpuMs: () => number
  readonly remove: () => Promise<void>
}
type Account = { readonly address: string; readonly privateKey: string }
type Started = {
  readonly apiUrl: string
  readonly gatewayUrl: string
  readonly accounts: readonly Account[]
}

const CHAIN = { blocks: 100_000, transactionsPerBlock: 3, receivers: 10_000 }
const REQUESTS = 4_000
const PAYMENTS = 400
const MINERS = 1_000
const BLOCK_TIME_MS = 15_000
/** With miners and beside it without, requests are spread over one block time, so that each has as much other work in it. */
const MINED_BLOCK_TIME_MS = 2_000
/** Many, so that what a block time takes anyway is a small part. */
const MINED_REQUESTS = 16_000
const MAX_MINED_ROUNDS = 5
const SETTLE_MS = 250

const LEAST: Readonly<Record<string, number>> = {
  height: 0.3,
  token_info: 0.3,
  balance: 0.12,
  tx: 0.12,
  macroblock: 0.12,
  mblock: 0.12,
  'history page': 0.05,
}
const MIN_POST = 0.5
const MIN_WITH_MINERS = 0.8

const bareName = (kind: string): string => `node:http: ${kind}`
const minedName = (engine: string, miners: number, kind: string): string =>
  `${engine}, ${miners === 0 ? 'no' : miners} miners: ${kind}`
const VERIFYING = 'verification alone'

/** Every second, third, … path in turns, so that neighbours in the chain are not asked one after the other. */
function* inTurns(paths: readonly string[], from: number): Iterable<string> {
  for (let at = from; ; at++) yield paths[(at * 7_919) % paths.length] ?? '/'
}

/** Requests the first `count` paths and passes each response body to the callback. */
async function load(
  origin: string,
  paths: Iterable<string>,
  count: number,
  take: (path: string, body: string) => void = () => {},
): Promise<void> {
  const pool = new Pool(origin, { connections: IN_FLIGHT })
  const next = paths[Symbol.iterator]()
  let asked = 0
  const lane = async (): Promise<void> => {
    while (asked < count) {
      asked++
      const path = String(next.next().value)
      const { statusCode, body } = await pool.request({ method: 'GET', path })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`status ${statusCode} for ${path}: ${text}`)
      take(path, text)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  await pool.close()
}

type Rates = Map<string, number[]>

const note = (rates: Rates, name: string, rate: number): void => {
  const known = rates.get(name)
  if (known === undefined) rates.set(name, [rate])
  else known.push(rate)
}

/** A network over a chain, and the CPU time of both its process and its database. */
async function startNetwork(chain: AnswerChain, blockTimeMs: number) {
  const network = startChild('network')
  const { place, seed, databaseCpuMs } = chain
  const started = await network.ask<Started>('start', { ...place, seed, blockTimeMs })
  const url = new URL(started.apiUrl)
  const cpuMs = async (): Promise<number> => (await network.ask<number>('cpu')) + databaseCpuMs()
  const end = async (): Promise<void> => {
    await network.ask('stop')
    await network.end()
  }
  const paths = Object.entries(chain.paths).map(
    ([kind, all]) => [kind, all.map((path) => url.pathname + path)] as const,
  )
  return { ...started, network, origin: url.origin, paths, cpuMs, end }
}

const ratePerCpuSecond = (count: number, cpuMs: number): number => (1_000 * count) / cpuMs

/** Measures each question asked for the first time; the bodies become the bare server's. */
async function askFirst(chain: AnswerChain, files: Child, rates: Rates): Promise<void> {
  const { origin, paths, cpuMs, end } = await startNetwork(chain, BLOCK_TIME_MS)
  for (const [kind, all] of paths) {
    const bodies = new Map<string, string>()
    const before = await cpuMs()
    await load(origin, all, all.length, (path, body) => bodies.set(path, body))
    if (all.length > 1)
      note(
        rates,
        `${chain.engine}: ${kind}, the first time`,
        ratePerCpuSecond(all.length, (await cpuMs()) - before),
      )
    await files.ask('put', Object.fromEntries(bodies))
  }
  await end()
}

type Measured = {
  readonly rates: Rates
  readonly pressures: (number | null)[]
  wasQuiet: boolean
}

async function inRound(measured: Measured, work: () => Promise<void>): Promise<void> {
  const before = cpuPressure()
  await work()
  const after = cpuPressure()
  measured.pressures.push(before, after)
  measured.wasQuiet &&= isQuiet(before) && isQuiet(after)
}

/** Questions to network and bare server in turns. */
async function askOften(
  { settings, tell }: SuiteParameters,
  chain: AnswerChain,
  files: { readonly child: Child; readonly origin: string },
  measured: Measured,
): Promise<void> {
  const { origin, paths, cpuMs, end, accounts, apiUrl } = await startNetwork(chain, BLOCK_TIME_MS)
  const { rates } = measured
  const { engine } = chain
  const timed = async (name: string | null, ask: () => Promise<number>, count: () => Promise<void>) => {
    const before = await ask()
    await count()
    const rate = ratePerCpuSecond(REQUESTS, (await ask()) - before)
    if (name !== null) note(rates, name, rate)
  }
  for (let round = 0; round <= settings.rounds; round++) {
    // The first round compiles.
    const nameOf = (name: string): string | null => (round === 0 ? null : name)
    await inRound(measured, async () => {
      for (const [kind, all] of paths) {
        // Each path was asked for before; which ones are still in memory is the network's business.
        if (round === 0) await load(origin, all, all.length)
        const from = round * REQUESTS
        await timed(nameOf(`${engine}: ${kind}`), cpuMs, () => load(origin, inTurns(all, from), REQUESTS))
        await timed(
          nameOf(bareName(kind)),
          () => files.child.ask<number>('cpu'),
          () => load(files.origin, inTurns(all, from), REQUESTS),
        )
      }
    })
    tell(`P-17 ${engine}: reads, round ${round} of ${settings.rounds}`)
  }
  for (let round = 0; round <= settings.rounds; round++) {
    const payments = await signPayments(accounts, { round, count: PAYMENTS })
    await inRound(measured, async () => {
      const before = await cpuMs()
      await postAll(new URL(apiUrl), payments)
      await sleep(SETTLE_MS)
      const rate = ratePerCpuSecond(PAYMENTS, (await cpuMs()) - before)
      const alone = ratePerCpuSecond(PAYMENTS, await verifyAlone(files.child, payments))
      if (round === 0) return
      note(rates, `${engine}: POST /tx`, rate)
      note(rates, VERIFYING, alone)
    })
  }
  tell(`P-17 ${engine}: payments`)
  await end()
}

async function verifyAlone(files: Child, payments: readonly Payment[]): Promise<number> {
  const before = await files.ask<number>('cpu')
  await files.ask(
    'verify',
    payments.map(({ signed }) => signed),
  )
  return (await files.ask<number>('cpu')) - before
}

/** Connects so many miners, or none, and resolves when the network has them. */
async function connectMiners(
  { network, gatewayUrl }: Awaited<ReturnType<typeof startNetwork>>,
  count: number,
): Promise<() => Promise<void>> {
  const miners = startChild('miners')
  if (count > 0) await miners.ask('start', { gatewayUrl, count })
  while ((await network.ask<number>('miners')) !== count) await sleep(100)
  return () => miners.end()
}

/**
 * The same questions spread over block times of 2 s, with miners and without them in turns. What a block time takes
 * without questions is measured apart and taken off.
 *
 * @returns what it takes without questions, as a share of a processor, by the number of miners
 */
async function askInBlockTimes(
  { settings, tell }: SuiteParameters,
  chain: AnswerChain,
  measured: Measured,
): Promise<ReadonlyMap<number, number>> {
  const started = await startNetwork(chain, MINED_BLOCK_TIME_MS)
  const { origin, paths, cpuMs, end } = started
  /** CPU time of a block time at least, and its duration. */
  const inWindow = async (work: () => Promise<void>) => {
    const before = await cpuMs()
    const begunAt = performance.now()
    await work()
    await sleep(Math.max(0, MINED_BLOCK_TIME_MS - (performance.now() - begunAt)))
    return { cpuMs: (await cpuMs()) - before, tookMs: performance.now() - begunAt }
  }
  type Window = Awaited<ReturnType<typeof inWindow>>
  const counts = [0, MINERS]
  const idle = new Map(counts.map((count) => [count, [] as number[]]))
  const taken: (Window & { readonly kind: string; readonly count: number })[] = []
  for (const [, all] of paths) await load(origin, all, all.length)
  const rounds = Math.min(MAX_MINED_ROUNDS, settings.rounds)
  for (let round = 0; round < rounds; round++) {
    for (const count of round % 2 === 0 ? counts : counts.toReversed()) {
      const disconnect = await connectMiners(started, count)
      await inRound(measured, async () => {
        const still = await inWindow(async () => {})
        idle.get(count)?.push(still.cpuMs / still.tookMs)
        for (const [kind, all] of paths) {
          const asked = inTurns(all, round * MINED_REQUESTS)
          taken.push({ kind, count, ...(await inWindow(() => load(origin, asked, MINED_REQUESTS))) })
        }
      })
      await disconnect()
    }
    tell(`P-17 ${chain.engine}: with miners and without, round ${round + 1} of ${rounds}`)
  }
  const shares = new Map(Array.from(idle, ([count, all]) => [count, median(all)]))
  for (const { kind, count, cpuMs: ms, tookMs } of taken)
    note(
      measured.rates,
      minedName(chain.engine, count, kind),
      ratePerCpuSecond(MINED_REQUESTS, ms - (shares.get(count) ?? 0) * tookMs),
    )
  await end()
  return shares
}

function goalsFor(engines: readonly string[]): readonly Goal[] {
  const kinds = Object.entries(LEAST)
  return engines.flatMap((engine): readonly Goal[] => [
    ...kinds.map(([kind, atLeast]) => ({
      what: `${engine}: ${kind}`,
      over: `${engine}: ${kind}`,
      under: bareName(kind),
      atLeast,
    })),
    {
      what: `${engine}: POST /tx against the verification alone`,
      over: `${engine}: POST /tx`,
      under: VERIFYING,
      atLeast: MIN_POST,
    },
    ...kinds.map(([kind]) => ({
      what: `${engine}: ${kind} with ${MINERS} miners as without`,
      over: minedName(engine, MINERS, kind),
      under: minedName(engine, 0, kind),
      atLeast: MIN_WITH_MINERS,
    })),
  ])
}

export async function answerSpeeds(parameters: SuiteParameters): Promise<Outcome> {
  const { settings, tell } = parameters
  tell('P-17 chains of 100,000 macroblocks are made, which takes minutes')
  const { makeAnswerChains } = await benchOf<{
    readonly makeAnswerChains: (size: typeof CHAIN) => Promise<readonly AnswerChain[]>
  }>('answer-chains')
  const chains = await makeAnswerChains(CHAIN)
  const child = startChild('file-server')
  const files = { child, origin: await child.ask<string>('listen') }
  const measured: Measured = { rates: new Map(), pressures: [], wasQuiet: await quietMachine(settings) }
  const notes = [
    `a chain of ${CHAIN.blocks.toLocaleString('en-US')} macroblocks, questions about ${CHAIN.receivers.toLocaleString('en-US')} accounts and as many blocks and payments, ${IN_FLIGHT} connections, a macroblock every ${BLOCK_TIME_MS / 1_000} s`,
    'CPU time is that of the network and of the database together; the first time means an answer that the network has not given since it started',
  ]
  for (const chain of chains) {
    await askFirst(chain, child, measured.rates)
    await askOften(parameters, chain, files, measured)
    for (const [count, share] of await askInBlockTimes(parameters, chain, measured))
      notes.push(
        `${chain.engine}, ${count} miners: ${(100 * share).toFixed(1)} % of a processor without questions, which is taken off, with a macroblock every ${MINED_BLOCK_TIME_MS / 1_000} s`,
      )
  }
  await child.end()
  for (const chain of chains) await chain.remove()
  const scores = Array.from(measured.rates, ([name, samples]): Score => ({ name, samples }))
  return outcomeOf({
    id: 'P-17',
    title: 'Answers of the local network, by question and engine',
    unit: '/CPU s',
    isMoreBetter: true,
    scores,
    goals: goalsFor(chains.map(({ engine }) => engine)),
    pressures: measured.pressures,
    wasQuiet: measured.wasQuiet,
    notes,
  })
}
