import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { findChromium, openBrowser } from '@hailstone/test-browser'
import { serveBrand } from '@hailstone/white-label/serve'
import type { Browser, Page } from 'playwright-core'
import { type Goal, outcomeOf, type Score } from '../outcome.ts'
import { cpuPressure, isQuiet, quietMachine } from '../pressure.ts'
import type { Suite } from '../suite.ts'

/** Time between macroblocks of the public network. */
const BLOCK_TIME_MS = 15_000
/**
 * Six macroblocks of a round: an account that earns in each of them is read at every third one. In rounds of three, what
 * falls on the edge of a round makes it a fifth larger.
 */
const ROUND_MS = 6 * BLOCK_TIME_MS
/** Pages are measured when they have drawn and stored what they begin with. */
const SETTLE_MS = 60_000
/** Linux counts CPU time in hundredths of a second. */
const MS_PER_TICK = 10
const PHONE = { width: 390, height: 800 }
const PASSPHRASE = 'seven drops of rain'

/** Mining begins by a button, on any power and line, at any time of the day. */
const flags = {
  mining: {
    autoStart: false,
    wifiOnly: false,
    chargingOnly: false,
    minBattery: 0,
    keepAwake: true,
    quietHours: null,
  },
}

const EMPTY = 'an empty page'
const STOPPED = 'the app, stopped'
const REDUCED = 'the app mining, reduced motion'
const MINING = 'the app mining'
const ONE_PERCENT = '1 % of a core'
const MEGABYTE = '1 MB'

const cpuGoals: readonly Goal[] = [
  { what: 'mining takes at most 1.5 % of a core', over: MINING, under: ONE_PERCENT, atMost: 1.5 },
  { what: 'stopped, at most 0.8 %', over: STOPPED, under: ONE_PERCENT, atMost: 0.8 },
]
const trafficGoals: readonly Goal[] = [
  { what: 'at most 1 MB an hour beyond the beacons', over: MINING, under: MEGABYTE, atMost: 1 },
]

type ProcessLine = { readonly id: number; readonly parent: number; readonly ticks: number }

/** Reads all processes of this machine: their parents, and their CPU time in hundredths of a second. */
function readProcesses(): readonly ProcessLine[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8')
      // The name of the program stands in brackets and may hold anything.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      return [{ id: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }]
    } catch {
      return []
    }
  })
}

/** CPU time of a process and all that it started, in ms. */
function cpuMsOf(root: number, all: readonly ProcessLine[]): number {
  const own = all.find(({ id }) => id === root)?.ticks ?? 0
  const children = all.filter(({ parent }) => parent === root)
  return children.reduce((sum, { id }) => sum + cpuMsOf(id, all), own * MS_PER_TICK)
}

const childrenHere = (): readonly number[] =>
  readProcesses().flatMap(({ id, parent }) => (parent === process.pid ? [id] : []))

type Opened = { readonly name: string; readonly browser: Browser; readonly processId: number }

/** Opens a page in a browser of its own, so that its processes can be told from those of the others. */
async function open(
  name: string,
  url: string,
  reducedMotion: 'reduce' | null,
  begin: (page: Page) => Promise<void>,
): Promise<Opened> {
  const before = new Set(childrenHere())
  const browser = await openBrowser([], findChromium())
  const processId = childrenHere().find((id) => !before.has(id))
  if (processId === undefined) throw new Error('the processes of the browser were not found')
  const context = await browser.newContext({ viewport: PHONE, locale: 'en-US', reducedMotion })
  const page = await context.newPage()
  await page.goto(url)
  await begin(page)
  return { name, browser, processId }
}

async function importKey(page: Page, privateKey: string): Promise<void> {
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'I have a wallet' }).click()
  await page.getByLabel(/private key/).fill(privateKey)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await page.getByLabel('Passphrase again').fill(PASSPHRASE)
  await page.getByRole('button', { name: 'Set passphrase' }).click()
  await page.getByRole('button', { name: 'Continue without an agent' }).click()
  await page.locator('.ring-button').waitFor()
}

async function beginMining(page: Page, privateKey: string): Promise<void> {
  await importKey(page, privateKey)
  // Brands have a text of their own on this button.
  await page.locator('.ring-button').click()
}

/** Passes connections on to the API and counts the bytes of both directions. */
async function countTraffic(apiUrl: string) {
  const target = new URL(apiUrl)
  let bytes = 0
  const server = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      from.on('data', (chunk) => {
        bytes += chunk.length
      })
      from.pipe(to)
      from.on('error', () => to.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const counted = new URL(apiUrl)
  counted.port = String((server.address() as AddressInfo).port)
  return { apiUrl: counted.href, bytes: () => bytes, stop: () => server.close() }
}

const keyOf = (network: LocalNetwork, index: number): string => {
  const account = network.accounts.developers[index]
  if (account === undefined) throw new Error(`there is no development account ${index}`)
  return account.privateKey
}

export const pageCost: Suite = {
  name: 'page-cost',
  what: 'P-18: CPU and traffic of an open app, all processes of its browser, beside an empty page',
  run: async ({ settings, tell }) => {
    await using network = await startLocalNetwork({ blockTimeMs: BLOCK_TIME_MS })
    const traffic = await countTraffic(network.apiUrl)
    const { gatewayUrl } = network
    const serve = (apiUrl: string) => serveBrand({ network: { apiUrl, gatewayUrl }, flags })
    const [counted, plain] = [await serve(traffic.apiUrl), await serve(network.apiUrl)]
    const opened = [
      await open(EMPTY, 'about:blank', null, async () => {}),
      await open(STOPPED, plain.url, null, (page) => importKey(page, keyOf(network, 0))),
      await open(REDUCED, plain.url, 'reduce', (page) => beginMining(page, keyOf(network, 1))),
      await open(MINING, counted.url, null, (page) => beginMining(page, keyOf(network, 2))),
    ]
    const percents = new Map(opened.map(({ name }) => [name, [] as number[]]))
    const megabytesAnHour: number[] = []
    const pressures: (number | null)[] = []
    try {
      await sleep(SETTLE_MS)
      const online = network.gateway.minersOnline().length
      if (online !== 2) throw new Error(`2 pages should mine, ${online} do`)
      let wasQuiet = await quietMachine(settings)
      for (let round = 0; round < settings.rounds; round++) {
        pressures.push(cpuPressure())
        const before = readProcesses()
        const bytesBefore = traffic.bytes()
        const startedAt = performance.now()
        await sleep(ROUND_MS)
        const tookMs = performance.now() - startedAt
        const after = readProcesses()
        for (const { name, processId } of opened) {
          const cpuMs = cpuMsOf(processId, after) - cpuMsOf(processId, before)
          percents.get(name)?.push((100 * cpuMs) / tookMs)
        }
        megabytesAnHour.push((((traffic.bytes() - bytesBefore) / 1e6) * 3_600_000) / tookMs)
        pressures.push(cpuPressure())
        wasQuiet &&= pressures.slice(-2).every(isQuiet)
        tell(`P-18 round ${round + 1} of ${settings.rounds}`)
      }
      const common = { id: 'P-18', isMoreBetter: false, pressures, wasQuiet }
      const one = (name: string): Score => ({ name, samples: [1] })
      const scores = [...percents].map(([name, samples]) => ({ name, samples }))
      return [
        outcomeOf({
          ...common,
          title: 'CPU of an open app',
          unit: '% of a core',
          scores: [...scores, one(ONE_PERCENT)],
          goals: cpuGoals,
          notes: [
            'every process of a Chromium without a GPU; each page in a browser of its own, all at the same time',
            `macroblocks of ${BLOCK_TIME_MS / 1_000} s, rounds of ${ROUND_MS / 1_000} s`,
          ],
        }),
        outcomeOf({
          ...common,
          title: 'Traffic with the API while mining',
          unit: 'MB an hour',
          scores: [{ name: MINING, samples: megabytesAnHour }, one(MEGABYTE)],
          goals: trafficGoals,
          notes: ['bytes of both directions, counted on the way; the gateway’s beacons are not among them'],
        }),
      ]
    } finally {
      for (const { browser } of opened) await browser.close()
      await Promise.all([counted.stop(), plain.stop()])
      traffic.stop()
    }
  },
}
