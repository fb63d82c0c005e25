import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { type Child, startChild } from '../child.ts'
import { type Outcome, outcomeOf, type Score } from '../outcome.ts'
import { cpuPressure, isQuiet, quietMachine } from '../pressure.ts'
import { percentile } from '../statistics.ts'
import type { Suite, SuiteParameters } from '../suite.ts'
import { paymentRates } from './network-payments.ts'
import { answerSpeeds } from './network-speed.ts'
import { chainStarts, historyQueries } from './network-store.ts'

const MINERS = 1_000
const IN_FLIGHT = 16
const REQUESTS = 2_000
const MACROBLOCKS = 250

type Started = {
  readonly apiUrl: string
  readonly gatewayUrl: string
  readonly address: string
}
type Mined = { readonly cpuMs: number }

/** Asks the paths in turns; how long each took. */
async function load(origin: string, paths: readonly string[]): Promise<readonly number[]> {
  const pool = new Pool(origin, { connections: IN_FLIGHT })
  const taken: number[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    for (let at = next++; at < REQUESTS; at = next++) {
      const begunAt = performance.now()
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: paths[at % paths.length] ?? '/',
      })
      await body.text()
      if (statusCode !== 200) throw new Error(`status ${statusCode} for ${paths[at % paths.length]}`)
      taken.push(performance.now() - begunAt)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  await pool.close()
  return taken
}

async function requests({ settings, tell }: SuiteParameters): Promise<Outcome> {
  const [network, files, miners] = ['network', 'file-server', 'miners'].map((file) => startChild(file)) as [
    Child,
    Child,
    Child,
  ]
  const { apiUrl, gatewayUrl, address } = await network.ask<Started>('start', { blockTimeMs: 5_000 })
  await miners.ask('start', { gatewayUrl, count: MINERS })
  while ((await network.ask<number>('miners')) < MINERS) await sleep(100)
  tell(`${MINERS} miners are connected`)
  const base = new URL(apiUrl)
  const paths = ['/height', '/macroblock_by_height?height=0', `/balance?id=${address}`].map(
    (path) => base.pathname + path,
  )
  const bodies = await Promise.all(
    paths.map(async (path) => [path, await (await fetch(base.origin + path)).text()]),
  )
  const fileOrigin = await files.ask<string>('listen')
  await files.ask('put', Object.fromEntries(bodies))
  const names = { network: 'the network', files: 'node:http with the same bodies' }
  const rates = { network: [] as number[], files: [] as number[] }
  const times: number[] = []
  let wasQuiet = await quietMachine(settings)
  const pressures: (number | null)[] = []
  for (let round = 0; round < settings.rounds; round++) {
    pressures.push(cpuPressure())
    for (const [name, child, origin] of [
      ['network', network, base.origin],
      ['files', files, fileOrigin],
    ] as const) {
      const before = await child.ask<number>('cpu')
      const taken = await load(origin, paths)
      const cpuMs = (await child.ask<number>('cpu')) - before
      rates[name].push((1_000 * REQUESTS) / cpuMs)
      if (name === 'network') times.push(...taken)
    }
    pressures.push(cpuPressure())
    wasQuiet &&= pressures.slice(-2).every(isQuiet)
    tell(`N-1 round ${round + 1} of ${settings.rounds}`)
  }
  for (const child of [miners, network, files]) await child.end()
  const scores: Score[] = [
    {
      name: names.network,
      samples: rates.network,
      note: `p50 ${percentile(times, 50).toFixed(1)} ms, p99 ${percentile(times, 99).toFixed(1)} ms`,
    },
    { name: names.files, samples: rates.files },
  ]
  const title = `API requests with ${MINERS} miners connected, ${IN_FLIGHT} at once`
  return outcomeOf({
    id: 'N-1',
    title,
    unit: '/CPU s of the server',
    isMoreBetter: true,
    scores,
    goals: [],
    pressures,
    wasQuiet,
    notes: [
      "the network's CPU time is also that of its miners: their beacons, and each publication verified",
    ],
  })
}

async function growth({ settings, tell }: SuiteParameters): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-benchmark-'))
  const [memory, disk] = [startChild('network'), startChild('network')]
  await memory.ask('start', {})
  await disk.ask('start', { folder })
  const rates = { memory: [] as number[], disk: [] as number[] }
  let wasQuiet = await quietMachine(settings)
  const pressures: (number | null)[] = []
  for (let round = 0; round < settings.rounds; round++) {
    pressures.push(cpuPressure())
    for (const [name, child] of [
      ['memory', memory],
      ['disk', disk],
    ] as const) {
      const mined = await child.ask<Mined>('mine', { count: MACROBLOCKS })
      rates[name].push((1_000 * MACROBLOCKS) / mined.cpuMs)
    }
    pressures.push(cpuPressure())
    wasQuiet &&= pressures.slice(-2).every(isQuiet)
    tell(`N-2 round ${round + 1} of ${settings.rounds}`)
  }
  await disk.ask('stop')
  await disk.end()
  await memory.end()
  await rm(folder, { recursive: true })
  const scores = [
    { name: 'in memory', samples: rates.memory },
    { name: 'embedded database on disk', samples: rates.disk },
  ]
  const notes = [
    'a macroblock here holds one microblock with up to three payments, a key block and the vote of a pool',
  ]
  return outcomeOf({
    id: 'N-2',
    title: 'Macroblocks made, calculated and stored',
    unit: '/CPU s',
    isMoreBetter: true,
    scores,
    goals: [],
    pressures,
    wasQuiet,
    notes,
  })
}

export const network: Suite = {
  name: 'network-answers',
  what: 'N-1 to N-3: what the local network answers, makes and executes',
  run: async (parameters) => [
    await requests(parameters),
    await growth(parameters),
    await paymentRates(parameters),
  ],
}

export const networkHistory: Suite = {
  name: 'network-history',
  what: 'N-4: questions about long histories (ten minutes)',
  run: async (parameters) => [await historyQueries(parameters)],
}

export const networkStart: Suite = {
  name: 'network-start',
  what: 'N-5: starts over 100,000 macroblocks, bytes and rows (minutes)',
  run: async (parameters) => [await chainStarts(parameters)],
}

export const networkSpeed: Suite = {
  name: 'network-speed',
  what: 'P-17: what each question costs over a long chain, on both engines (ten minutes)',
  run: async (parameters) => [await answerSpeeds(parameters)],
}
