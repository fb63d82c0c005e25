/**
 * Measures a fleet of any size: memory of an idle node, one beacon to all, return after a restart of the gateway.
 * Each contestant and the gateway are processes of their own; bare sockets that only echo are the baseline.
 *
 *   node packages/mining-node/test/fleet-soak.mjs --nodes 10000 [--threads 2] [--rounds 5] [--outage 1,7] [--json file]
 *
 * Needs built packages and 2 open files for each node and process (ulimit -n).
 */
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values: given } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1000' },
    threads: { type: 'string', default: '0,1,2' },
    rounds: { type: 'string', default: '5' },
    transactions: { type: 'string', default: '10' },
    outage: { type: 'string', default: '1,7' },
    contestants: { type: 'string', default: 'echo,fleet,undici' },
    json: { type: 'string' },
    role: { type: 'string' },
  },
})
const nodes = Number(given.nodes)
const here = fileURLToPath(import.meta.url)
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Some tasks waiting for a processor, in percent of the last ten seconds; null where nobody says. */
function pressure() {
  try {
    return Number(/some avg10=([\d.]+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1] ?? 'NaN')
  } catch {
    return null
  }
}

// ——— contestants ———

function memory() {
  for (let time = 0; time < 3; time++) globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  return { rss, heapUsed }
}

async function echoClients(url) {
  const { WebSocket } = await import('ws')
  const answer = `echo ${'x'.repeat(420)}`
  const sockets = []
  let open = 0
  const connect = (at) => {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    socket.on('open', () => {
      open++
      socket.send(`echo 02${String(at).padStart(64, '0')}`)
    })
    socket.on('message', () => socket.send(answer))
    socket.on('error', () => {})
    sockets.push(socket)
  }
  for (let at = 0; at < nodes; at++) {
    connect(at)
    while (sockets.length - open > 250) await sleep(5)
  }
  while (open < nodes) await sleep(20)
  return { stop: async () => sockets.forEach((socket) => void socket.terminate()), health: () => ({}) }
}

async function fleetClients(url, { threads, channel }) {
  const { createFleet } = await import('../dist/fleet/index.js')
  const openChannel =
    channel === 'undici' ? (await import('../dist/node/open-node-channel.js')).openNodeChannel : undefined
  const keys = function* () {
    for (let at = 0; at < nodes; at++) yield createHash('sha256').update(`soak key ${at}`).digest('hex')
  }
  const fleet = createFleet({ keys, gatewayUrl: url, signingThreads: threads, openChannel })
  await fleet.start()
  while (fleet.health().nodes.waitingForBeacon < nodes) await sleep(20)
  return fleet
}

async function contestant() {
  let client = null
  const before = memory()
  const orders = {
    start: async ({ url, ...options }) => {
      const startedAt = performance.now()
      const cpuBefore = process.cpuUsage()
      client = await (options.channel === 'echo' ? echoClients(url) : fleetClients(url, options))
      const { user, system } = process.cpuUsage(cpuBefore)
      return { joinMs: performance.now() - startedAt, joinCpuMs: (user + system) / 1000 }
    },
    memory: () => ({ before, ...memory(), health: client.health() }),
    cpu: () => process.cpuUsage(),
    stop: async () => {
      const startedAt = performance.now()
      await client.stop()
      return { stopMs: performance.now() - startedAt }
    },
  }
  process.on('message', async ({ id, type, ...parameters }) => {
    try {
      process.send({ id, answer: await orders[type](parameters) })
    } catch (error) {
      process.send({ id, error: String(error?.stack ?? error) })
    }
  })
  process.on('disconnect', () => process.exit(0))
}

// ——— referee ———

function start(script, args = [], execArgv = []) {
  const child = fork(script, args, { execArgv })
  const waiting = new Map()
  let nextId = 0
  child.on('message', ({ id, answer, error }) => {
    const { resolve, reject } = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) resolve(answer)
    else reject(new Error(error))
  })
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`${script} ended with ${code}`))
  })
  const ask = (type, parameters = {}) =>
    new Promise((resolve, reject) => {
      const id = nextId++
      waiting.set(id, { resolve, reject })
      child.send({ id, type, ...parameters })
    })
  const end = async () => {
    child.disconnect()
    if (child.exitCode === null) await once(child, 'exit')
  }
  return { ask, end }
}

const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)]
const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`
const ms = (value) => (value === null || value === undefined ? '–' : `${value.toFixed(0)} ms`)

async function measure({ name, ...options }) {
  const gateway = start(fileURLToPath(new URL('fleet-gateway.mjs', import.meta.url)))
  const client = start(here, ['--role', 'contestant', '--nodes', String(nodes)], ['--expose-gc'])
  const { url } = await gateway.ask('listen')
  const { joinMs, joinCpuMs } = await client.ask('start', { url, ...options })
  while ((await gateway.ask('online')).miners < nodes) await sleep(50)
  await sleep(500)
  const { before, rss, heapUsed } = await client.ask('memory')
  const idle = {
    rssPerNode: (rss - before.rss) / nodes,
    heapPerNode: (heapUsed - before.heapUsed) / nodes,
    rss,
  }
  const rounds = []
  for (let round = 0; round < Number(given.rounds); round++) {
    const pressureBefore = pressure()
    const cpuBefore = await client.ask('cpu')
    const answer = await gateway.ask('broadcast', { transactions: Number(given.transactions) })
    const cpu = await client.ask('cpu')
    const cpuMs = (cpu.user + cpu.system - cpuBefore.user - cpuBefore.system) / 1000
    rounds.push({ ...answer, cpuMs, pressureBefore, pressureAfter: pressure() })
    await sleep(300)
  }
  const storms = []
  if (options.channel !== 'echo') {
    for (const seconds of given.outage.split(',').filter(Boolean).map(Number)) {
      await gateway.ask('crash')
      await sleep(seconds * 1000)
      const { at } = await gateway.ask('reopen')
      const giveUpAt = Date.now() + 60_000
      while ((await gateway.ask('online')).miners < nodes && Date.now() < giveUpAt) await sleep(250)
      storms.push({ outageSeconds: seconds, ...(await gateway.ask('returned', { since: at, nodes })) })
    }
  }
  const after = await client.ask('memory')
  const { stopMs } = await client.ask('stop')
  await client.end()
  await gateway.end()
  const first = {
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
    cpuMs: median(rounds.map(({ cpuMs }) => cpuMs)),
  }
  const { beacons, signing } = after.health
  return {
    name,
    options,
    joinMs,
    joinCpuMs,
    idle,
    ...first,
    rounds,
    storms,
    rssAfter: after.rss,
    beacons,
    signing,
    stopMs,
  }
}

function report(results) {
  const floor = results.find(({ name }) => name === 'echo')
  for (const result of results) {
    const { name, joinMs, joinCpuMs, idle, p50Ms, p99Ms, cpuMs, rounds, storms, rssAfter, stopMs, signing } =
      result
    const times =
      floor === undefined || floor === result ? '' : ` (${(p99Ms / floor.p99Ms).toFixed(1)} × echo)`
    const good = rounds.every((round) => round.answered === nodes && round.good === round.sampled)
    console.log(
      `\n${name}: ${nodes} nodes${signing === undefined ? '' : `, ${signing.arithmetic}, ${signing.threads} signing threads`}`,
    )
    console.log(
      `  joined in ${ms(joinMs)}, ${(joinCpuMs / nodes).toFixed(2)} ms CPU each; stopped in ${ms(stopMs)}`,
    )
    console.log(
      `  idle ${mb(idle.rss)}: ${(idle.rssPerNode / 1e3).toFixed(1)} kB resident and ${(idle.heapPerNode / 1e3).toFixed(1)} kB heap each; ${mb(rssAfter)} at the end`,
    )
    console.log(
      `  one beacon to all: p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}${times}, CPU ${ms(cpuMs)}; ${good ? 'all answered, samples verified' : 'ANSWERS MISSING OR WRONG'}`,
    )
    for (const { outageSeconds, returned, p50Ms: half, p99Ms: most, maxMs, peakShare } of storms) {
      console.log(
        `  back after ${outageSeconds} s without gateway: ${returned} of ${nodes}, p50 ${ms(half)}, p99 ${ms(most)}, max ${ms(maxMs)}, peak ${(100 * peakShare).toFixed(1)} % in 100 ms`,
      )
    }
  }
}

async function main() {
  const contestants = given.contestants.split(',').flatMap((name) => {
    if (name === 'echo') return [{ name, channel: 'echo' }]
    if (name === 'undici') return [{ name: 'fleet over undici', channel: 'undici', threads: 0 }]
    return given.threads.split(',').map((threads) => ({
      name: `fleet, ${threads} signing threads`,
      channel: 'ws',
      threads: Number(threads),
    }))
  })
  const results = []
  for (const one of contestants) results.push(await measure(one))
  report(results)
  if (given.json !== undefined) {
    const machine = { cpu: cpus()[0]?.model, cores: cpus().length, memory: totalmem(), node: process.version }
    writeFileSync(
      given.json,
      `${JSON.stringify({ at: new Date().toISOString(), machine, nodes, results }, null, 2)}\n`,
    )
  }
}

if (given.role === 'contestant') await contestant()
else await main()
