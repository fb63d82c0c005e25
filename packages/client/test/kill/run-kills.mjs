// Kills a paying program again and again and counts what the ledger says about its orders.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startLocalNetwork } from '@hailstone/local-network'
import { parseAddress, transactionHash } from '@hailstone/protocol'
import { createClient, createWallet } from '../../dist/node.js'
import { readBody } from '../../dist/payments/transaction-body.js'
import { flippedSignature } from '../../dist/payments/twin-hashes.js'
import { postingProxy } from './posting-proxy.mjs'

const childFile = fileURLToPath(new URL('./child.mjs', import.meta.url))

/** Where the program is killed: by row of the table of failures. */
const places = [
  { row: 'K1', place: 'intent not stored' },
  { row: 'K2', place: 'journal has room' },
  { row: 'K2', place: 'journal written', mayTear: true },
  { row: 'K2', place: 'journal synced' },
  { row: 'K2', place: 'intent stored' },
  { row: 'K2', place: 'signed' },
  { row: 'K3', place: 'bytes stored' },
  { row: 'K3', place: 'sending' },
  { row: 'K4', wire: 'request' },
  { row: 'K5', wire: 'answer' },
  { row: 'K6', place: 'answered' },
  { row: 'K6', place: 'answer stored' },
  { row: 'K7', place: 'looking' },
  { row: 'K8', place: 'compaction written' },
  { row: 'K8', place: 'compaction synced' },
  { row: 'K8', place: 'compaction renamed' },
  { row: 'K8', place: 'compaction done' },
  { row: 'K10', atRandom: true },
]

/** Places that one life passes many times. */
const often = new Set(['journal written', 'journal synced', 'looking'])

/** What happens to what is posted in a run besides. */
const faults = ['none', 'lost request', 'lost answer', 'forgotten', 'twin', 'pool flush', 'reorganisation']

/** Orders of one account, its journal, and what its programs have said. */
function newLane(number, privateKey, folder) {
  return {
    ...{ number, privateKey, path: join(folder, `journal-${number}`), orders: 0, unpaid: new Set() },
    ...{
      run: 0,
      told: new Map(),
      said: new Map(),
      taken: new Set(),
      fault: 'none',
      faultsLeft: 0,
      wire: null,
      child: null,
      damaged: 0,
    },
  }
}

function onPost(lane, random, body, raw) {
  if (lane.wire !== null) {
    const { wire } = lane
    lane.wire = null
    const kill = () => killed(lane, wire)
    if (wire === 'answer') return { cutAnswerAt: 0, cut: kill }
    return { cutRequestAt: Math.floor(random() * raw.length), cut: kill }
  }
  if (lane.faultsLeft === 0) return null
  lane.faultsLeft--
  switch (lane.fault) {
    case 'lost request':
      return { cutRequestAt: Math.floor(random() * raw.length) }
    case 'lost answer':
      return { cutAnswerAt: Math.floor(random() * 200) }
    case 'forgotten':
      return { answer: acceptance(body) }
    case 'twin':
      return { body: twinOf(body), cutAnswerAt: 0 }
    default:
      return null
  }
}

const acceptance = (body) =>
  JSON.stringify({ err: 0, result: [{ hash: transactionHash(readBody(body)), status: 0 }] })

function twinOf(body) {
  const [{ sign }] = JSON.parse(body)
  return body.replace(sign, flippedSignature(sign))
}

function killed(lane, place) {
  lane.killedAt ??= place
  lane.child?.kill('SIGKILL')
}

function start() {
  const child = spawn(process.execPath, [childFile], { stdio: ['pipe', 'pipe', 'inherit'] })
  const run = { child, startedAtMs: performance.now(), lines: [], ended: once(child, 'close') }
  run.ready = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text)
      if (line.event === 'ready') resolve()
      else run.lines.push(line)
      run.heard?.(line)
    })
    child.once('close', resolve)
  })
  return run
}

/** Loses what was written and not synced: the last record, from any byte on. */
function tear(path, random) {
  const file = readFileSync(path)
  const end = file.lastIndexOf(0x0a) + 1
  const begin = file.lastIndexOf(0x0a, end - 2) + 1
  if (begin === 0) return
  writeFileSync(path, file.fill(0, begin + Math.floor(random() * (end - begin))))
}

/**
 * @param options `kills`, `lanes`, `seed`, `log`
 * @returns what was killed and what became of the orders
 */
export async function runKills({
  kills,
  lanes: laneCount = 2,
  seed = Date.now() % 1e9,
  log = () => undefined,
}) {
  const random = randomOf(seed)
  const folder = mkdtempSync(join(tmpdir(), 'hailstone-kill-'))
  const network = await startLocalNetwork({
    ...{ blockTimeMs: 300, seed: `kill ${seed}` },
    gateway: { maxMicroblocks: 40, maxTransactionsPerMicroblock: 25, maxTransactions: 1_000 },
  })
  const { address: to } = createWallet()
  const report = {
    seed,
    kills: 0,
    byRow: {},
    byFault: {},
    settles: [],
    unsettled: 0,
    /** Lanes whose time to settle is being measured: the network is left in peace then. */
    settling: 0,
    forks: 0,
    falselyFailed: 0,
    damaged: 0,
    torn: 0,
  }
  try {
    const lanes = network.accounts.developers
      .slice(0, laneCount)
      .map(({ privateKey }, number) => newLane(number, privateKey, folder))
    await Promise.all(lanes.map((lane) => runLane(lane, { kills, network, to, random, report, log })))
    return { ...report, ...(await judge(network, lanes)) }
  } finally {
    await network.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runLane(lane, { kills, network, to, random, report, log }) {
  const proxy = await postingProxy(network.apiUrl, (body, raw) => onPost(lane, random, body, raw))
  const common = { apiUrl: proxy.apiUrl, privateKey: lane.privateKey, to: parseAddress(to), path: lane.path }
  let spare = start()
  try {
    for (let run = 1; report.kills < kills; run++) {
      lane.run = run
      for (let added = 0; added < 2; added++) lane.unpaid.add(`lane ${lane.number} order ${++lane.orders}`)
      if (run % 7 === 0) {
        await settleAll(lane, common, report)
        continue
      }
      const current = spare
      await current.ready
      spare = start()
      await killOnce(lane, { common, current, network, random, report })
      if (report.kills % 100 === 0) log(`${report.kills} kills, ${lane.orders} orders in lane ${lane.number}`)
    }
    await settleAll(lane, common, report)
  } finally {
    spare.child.kill('SIGKILL')
    await proxy[Symbol.asyncDispose]()
  }
}

const pick = (items, random) => items[Math.floor(random() * items.length)]

/** One life of the program, ended at a place that is drawn. */
async function killOnce(lane, { common, current, network, random, report }) {
  const { row, place, wire = null, mayTear = false } = pick(places, random)
  lane.fault = pick(faults, random)
  lane.faultsLeft = 2
  lane.wire = wire
  lane.killedAt = null
  lane.child = current.child
  const nth = often.has(place) ? 1 + Math.floor(random() * 6) : 1
  await current.ready
  listen(lane, current, report)
  const kill = place === undefined ? null : { place, nth }
  current.child.stdin.write(`${JSON.stringify({ ...common, orders: [...lane.unpaid], kill })}\n`)
  // A place that is not reached, or none that was drawn: then at any moment.
  const late = setTimeout(
    () => killed(lane, 'any'),
    place === undefined && wire === null ? random() * 500 : 1_500,
  )
  const disturb = disturbances[lane.fault]
  const trouble = disturb && setTimeout(() => disturb(network, random, report), random() * 600)
  await current.ended
  clearTimeout(late)
  clearTimeout(trouble)
  lane.wire = null
  const isThere = current.lines.some(({ event }) => event === 'killed') || lane.killedAt === wire
  const counted = isThere ? row : 'K10'
  report.kills++
  report.byRow[counted] = (report.byRow[counted] ?? 0) + 1
  report.byFault[lane.fault] = (report.byFault[lane.fault] ?? 0) + 1
  if (isThere && mayTear && random() < 0.5) {
    tear(lane.path, random)
    report.torn++
  }
}

/** What is done to the network itself, at a moment of its own. */
const disturbances = {
  'pool flush': (network, _, report) => {
    if (report.settling === 0) network.control.forgetPool()
  },
  /** Not before the chain is as high as it was: a payment is final after three macroblocks. */
  reorganisation: async (network, random, report) => {
    const height = network.height()
    if (report.settling > 0 || height < 6 || height < (report.nextForkAt ?? 0)) return
    report.nextForkAt = Number.POSITIVE_INFINITY
    await network.control.reorganise(1 + Math.floor(random() * 2), { keepTransactions: random() < 0.5 })
    report.nextForkAt = height
    report.forks++
  },
}

function listen(lane, run, report) {
  const hear = (line) => {
    if (line.memo !== undefined) {
      const told = `${Math.round(performance.now())} ${lane.run} ${line.status ?? line.event}${line.code ?? ''}`
      lane.told.set(line.memo, [...(lane.told.get(line.memo) ?? []), told])
    }
    if (line.event === 'damaged') report.damaged += line.records
    if (line.event === 'taken') lane.taken.add(line.memo)
    if (line.event === 'settled') lane.unpaid.delete(line.memo)
    if (line.isFinal || line.event === 'settled') {
      lane.said.set(line.memo, (lane.said.get(line.memo) ?? new Set()).add(line.status))
    }
  }
  for (const line of run.lines) hear(line)
  run.heard = hear
}

/** A life that nobody ends: everything that is open has to settle, measured from the start of the process. */
async function settleAll(lane, common, report) {
  lane.faultsLeft = 0
  lane.wire = null
  const waiting = [...lane.unpaid].filter((memo) => lane.taken.has(memo))
  report.settling++
  const run = start()
  lane.child = run.child
  await run.ready
  const startMs = performance.now() - run.startedAtMs
  let slowestMs = 0
  listen(lane, run, report)
  const { heard } = run
  run.heard = (line) => {
    heard(line)
    if (line.event === 'settled' && waiting.includes(line.memo))
      slowestMs = performance.now() - run.startedAtMs
  }
  run.child.stdin.write(`${JSON.stringify({ ...common, orders: [...lane.unpaid], kill: null })}\n`)
  const tooLate = setTimeout(() => run.child.kill('SIGKILL'), 30_000)
  await run.ended
  clearTimeout(tooLate)
  report.settling--
  if (waiting.length > 0) report.settles.push({ ms: Math.round(slowestMs), startMs: Math.round(startMs) })
  report.unsettled += lane.unpaid.size
}

/** The ledger's own word, from its first block to its last. */
async function judge(network, lanes) {
  const client = createClient({ apiUrl: network.apiUrl })
  const executed = new Map()
  for await (const { microblocks } of client.walkChain({ fromHeight: 0 })) {
    for (const { transactions } of microblocks) {
      for (const { data, status } of transactions) {
        if (status === 'confirmed') executed.set(data, (executed.get(data) ?? 0) + 1)
      }
    }
  }
  await client.close()
  const verdict = { orders: 0, lost: 0, duplicated: 0, falselyFailed: 0, superseded: 0, wrong: [] }
  for (const lane of lanes) {
    const { number, orders, said } = lane
    for (let order = 1; order <= orders; order++) {
      const memo = `lane ${number} order ${order}`
      const times = executed.get(memo) ?? 0
      const states = said.get(memo) ?? new Set()
      verdict.orders++
      if (times === 0) verdict.lost++
      if (times !== 1) verdict.wrong.push({ memo, times, states: [...states], told: lane.told.get(memo) })
      if (times > 1) verdict.duplicated++
      if (states.has('superseded')) verdict.superseded++
      if (times > 0 && ['rejected', 'refused', 'duplicate'].some((state) => states.has(state)))
        verdict.falselyFailed++
    }
  }
  return verdict
}

/** Uniform in [0, 1), the same for the same seed (mulberry32). */
function randomOf(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
