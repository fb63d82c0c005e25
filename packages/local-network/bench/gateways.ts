import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { addressOf, type PrivateKey, parsePrivateKey, sha256Hex } from '@hailstone/protocol'
import WebSocket from 'ws'
import { startPostgres } from '../test/postgres-server.ts'
import { rawMiner } from '../test/raw-miner.ts'
import { until } from '../test/until.ts'
import { type Order, type ProcessReport, silentMiner } from './gateway-process.ts'

/** Whole pings of the gateway, which come every 25 s. */
const SPAN_MS = 25_000
const say = (...texts: readonly string[]): boolean => process.stdout.write(`${texts.join(' ')}\n`)
/** Time in which all hails of a step have been read, and the leader knows them. */
const HAILING_MS = 8000
/** Publications that are wanted in a tenth of a second. */
const AT_ONCE = 20
/** As many, so that the waiting transactions make three for each (PROTOCOL 5.7). */
const SIGNERS = AT_ONCE
const PUBLICATIONS = 100
/** Time before each round in which it is measured how much a process uses while nothing is posted. */
const IDLE_MS = 3000
const ROUNDS = 8
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

class Process {
  readonly #child: ChildProcess
  constructor() {
    this.#child = fork(fileURLToPath(new URL('./gateway-process.js', import.meta.url)), {
      serialization: 'json',
    })
  }
  async ask(order: Order): Promise<ProcessReport> {
    const answer = once(this.#child, 'message')
    this.#child.send(order)
    return (await answer)[0] as ProcessReport
  }
  readonly report = (): Promise<ProcessReport> => this.ask({ kind: 'report' })
  readonly end = (): boolean => this.#child.kill('SIGKILL')
}

const keyOf = (number: number): PrivateKey => parsePrivateKey(sha256Hex(`signer ${number}`))

/** CPU of each process between two moments, in microseconds. */
async function used(all: readonly Process[], work: () => Promise<void>): Promise<readonly number[]> {
  const before = await Promise.all(all.map((one) => one.report()))
  await work()
  const after = await Promise.all(all.map((one) => one.report()))
  return after.map(({ cpuUs }, at) => cpuUs - (before[at]?.cpuUs ?? 0))
}

/** Connections from one address; each has a port of its own, of which there are 28,000. */
const PER_ADDRESS = 20_000

/** Opens connections that have not hailed yet. @param present those that are open already */
async function openMany(url: string, count: number, present: number): Promise<readonly WebSocket[]> {
  const sockets: WebSocket[] = []
  for (let at = 0; at < count; at += 200)
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(200, count - at) }, async (_, number) => {
          const address = Math.floor((present + at + number) / PER_ADDRESS)
          // A socket that is bound by hand takes its time to find a free port.
          const socket = new WebSocket(url, address === 0 ? {} : { localAddress: `127.0.0.${1 + address}` })
          socket.on('error', () => {})
          await once(socket, 'open')
          return socket
        }),
      )),
    )
  return sockets
}

const hailText = (id: string): string =>
  JSON.stringify({ ver: 4, method: 'hail', data: { id, hash: '0'.repeat(64), token: '', sign: '00' } })

async function measureMiners(all: readonly Process[], at: Process, counts: readonly number[]): Promise<void> {
  const { url } = await at.report()
  const sockets: WebSocket[] = []
  const idle: { readonly miners: number; readonly used: readonly number[] }[] = []
  for (const miners of counts) {
    const opened = await openMany(url, miners - sockets.length, sockets.length)
    const hails = await used(all, async () => {
      for (const [number, socket] of opened.entries())
        socket.send(hailText(silentMiner(sockets.length + number)))
      // Nothing is asked meanwhile: a list of all miners would cost more than a hail.
      await pause(HAILING_MS)
    })
    await until(async () => (await at.report()).minersOnline === miners)
    sockets.push(...opened)
    if (opened.length > 0)
      say(
        `hails up to ${miners} miners, µs each:`,
        hails.map((us) => (us / opened.length).toFixed(1)).join(' · '),
      )
    await pause(2000)
    const spent = await used(all, () => pause(SPAN_MS))
    idle.push({ miners, used: spent })
    say(`${miners} miners, ms of CPU in a second:`, spent.map((us) => (us / SPAN_MS).toFixed(2)).join(' · '))
    const reports = await Promise.all(all.map((one) => one.report()))
    say(`${miners} miners, MB:`, reports.map(({ residentMb }) => residentMb).join(' · '))
  }
  const [first] = idle
  for (const { miners, used: spent } of idle.slice(1))
    say(
      `slope to ${miners}, µs per miner and second:`,
      spent
        .map((us, process) =>
          ((us - (first?.used[process] ?? 0)) / (miners - (first?.miners ?? 0)) / (SPAN_MS / 1000)).toFixed(
            3,
          ),
        )
        .join(' · '),
    )
  for (const socket of sockets) socket.terminate()
  await until(async () => (await at.report()).minersOnline === 0)
}

/**
 * CPU of each process for payments that come in, in microseconds, without what it uses while nothing comes. Macroblocks of
 * them are closed in between, which is not counted.
 */
async function usedByPayments(
  all: readonly Process[],
  leader: Process,
  isMined: boolean,
): Promise<{ readonly used: readonly number[]; readonly microblocks: number }> {
  const sums = all.map(() => 0)
  let microblocks = 0
  for (let round = 0; round < ROUNDS; round++) {
    await leader.ask({ kind: 'sign', count: 3 * PUBLICATIONS })
    // Next to what is measured, as it differs by the minute.
    const idle = await used(all, () => pause(IDLE_MS))
    const began = performance.now()
    const spent = await used(all, async () => {
      // Few wait at a time: what a long pool costs is not of interest here.
      for (let posted = 0; posted < PUBLICATIONS; posted += AT_ONCE) {
        await leader.ask({ kind: 'post', count: 3 * AT_ONCE })
        await pause(100)
      }
      // Seldom, as the answer costs the leader as much as a publication.
      while (isMined && (await leader.report()).transactions < 3 * PUBLICATIONS) await pause(1000)
    })
    const idleSpans = (performance.now() - began) / IDLE_MS
    microblocks += (await leader.report()).microblocks
    for (const [at, us] of spent.entries()) sums[at] = (sums[at] ?? 0) + us - (idle[at] ?? 0) * idleSpans
    await leader.ask({ kind: 'close' })
    await pause(1000)
  }
  return { used: sums, microblocks }
}

async function measurePublications(
  all: readonly Process[],
  leader: Process,
  gateways: readonly Process[],
): Promise<void> {
  const urls = (await Promise.all(gateways.map((one) => one.report()))).map(({ url }) => url)
  // The first time everything is compiled.
  await usedByPayments(all, leader, false)
  const pool = await usedByPayments(all, leader, false)
  const miners = await Promise.all(
    Array.from({ length: SIGNERS }, async (_, number) => {
      const miner = await rawMiner(urls[number % urls.length] ?? '', { privateKey: keyOf(number) })
      miner.mine()
      miner.hail()
      return miner
    }),
  )
  await until(async () => (await leader.report()).minersOnline === SIGNERS)
  await usedByPayments(all, leader, true)
  const mined = await usedByPayments(all, leader, true)
  const each = (us: number): string => (us / mined.microblocks).toFixed(1)
  say('payments of a publication, µs for 3:', pool.used.map(each).join(' · '))
  const more = mined.used.map((us, at) => us - (pool.used[at] ?? 0))
  const size = (3 * PUBLICATIONS * ROUNDS) / mined.microblocks
  say(
    `${mined.microblocks} publications of ${size.toFixed(2)} transactions, µs each on top:`,
    more.map(each).join(' · '),
  )
  for (const miner of miners) miner.socket.terminate()
  await until(async () => (await leader.report()).minersOnline === 0)
}

const counts = process.argv.slice(2).map(Number)
const server = await startPostgres()
const running: Process[] = []
try {
  const most = Math.max(0, ...counts)
  const funded = [
    ...Array.from({ length: most }, (_, number) => silentMiner(number)),
    ...Array.from({ length: SIGNERS }, (_, number) => addressOf(keyOf(number))),
  ]
  const database = await server.createDatabase()
  const start = async (order: Omit<Extract<Order, { kind: 'start' }>, 'kind'>): Promise<Process> => {
    const one = new Process()
    running.push(one)
    await one.ask({ kind: 'start', ...order })
    return one
  }
  say('one process alone')
  const alone = await start({ database: null, funded })
  if (counts.length > 0) await measureMiners([alone], alone, [0, ...counts])
  await measurePublications([alone], alone, [alone])
  alone.end()
  say('leader · gateway with the miners')
  const leader = await start({ database, funded })
  const gateway = await start({ database, funded: [] })
  if (counts.length > 0) await measureMiners([leader, gateway], gateway, [0, ...counts])
  await measurePublications([leader, gateway], leader, [gateway])
  say('leader · gateway with the miners · another one without')
  const second = await start({ database, funded: [] })
  await measurePublications([leader, gateway, second], leader, [gateway])
  say('leader · two gateways, each with half of the miners and of the publications')
  await measurePublications([leader, gateway, second], leader, [gateway, second])
} finally {
  for (const one of running) one.end()
  await server.stop()
}
