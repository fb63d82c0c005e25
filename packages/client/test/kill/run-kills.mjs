// Kills a paying program again and again and counts what the ledger says about its orders.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalNetwork } from '@hailstone/local-network'
import { createWallet } from '../../dist/node.js'
import { bundleChild } from './bundle-child.mjs'
import { judge, memoOf } from './judge.mjs'
import { newLane, onPost, startLife, tear } from './lane.mjs'
import { lifeDealer, randomOf } from './places.mjs'
import { postingProxy } from './posting-proxy.mjs'

/** Lives of each lane that are killed before one that nobody ends. */
const KILLS_PER_ROUND = 9
/** A life that is not killed by then is killed where it stands; most end before, with everything settled. */
const UNREACHED_MS = 20_000
/** A life that nobody ends ends by itself long before this, on any machine. */
const UNSETTLED_MS = 120_000

/**
 * @param options `kills`, `lanes` (programs at a time, each with an account and a journal), `seed`, `log`
 * @returns what was killed and what became of the orders
 */
export async function runKills({ kills, lanes: laneCount, seed, log }) {
  const random = randomOf(seed)
  const folder = mkdtempSync(join(tmpdir(), 'hailstone-kill-'))
  const childFile = await bundleChild(folder)
  const network = await startLocalNetwork({
    ...{ blockTimeMs: 300, seed: `kill ${seed}` },
    gateway: { maxMicroblocks: 40, maxTransactionsPerMicroblock: 25, maxTransactions: 1_000 },
  })
  const report = { seed, kills: 0, byRow: {}, byFault: {}, forks: 0, torn: 0, unsettled: 0, settles: [] }
  const run = { childFile, network, random, deal: lifeDealer(random), report, kills, forking: false }
  const proxies = []
  try {
    const { address: to } = createWallet()
    const lanes = await Promise.all(
      network.accounts.developers.slice(0, laneCount).map(async ({ privateKey }, number) => {
        const path = join(folder, `journal-${number}`)
        const lane = newLane({ number, privateKey, path, to })
        const proxy = await postingProxy(network.apiUrl, (body, raw) => onPost(lane, random, body, raw))
        proxies.push(proxy)
        return Object.assign(lane, { apiUrl: proxy.apiUrl })
      }),
    )
    while (report.kills < kills) {
      await Promise.all(lanes.map((lane) => killRound(lane, run)))
      await Promise.all(lanes.map((lane) => settleAll(lane, run)))
      log(`${report.kills} kills`)
    }
    const damaged = lanes.reduce((sum, lane) => sum + lane.damaged, 0)
    return { ...report, damaged, ...(await judge(network.apiUrl, lanes)) }
  } finally {
    await Promise.all(proxies.map((proxy) => proxy[Symbol.asyncDispose]()))
    await network.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function killRound(lane, run) {
  for (let life = 0; life < KILLS_PER_ROUND && run.report.kills < run.kills; life++) {
    lane.unpaid.add(memoOf(lane.number, ++lane.orders))
    run.report.kills++
    await killOnce(lane, run)
  }
}

/** One life of the program, ended at a place that is drawn. */
async function killOnce(lane, run) {
  const { deal, random, report, childFile } = run
  const { row, place, nth, wire = null, fault, mayTear = false, thenFork = false } = deal()
  Object.assign(lane, { fault, faultsLeft: 2, wire, killedOnWire: false })
  const kill = place === undefined ? null : { place, nth }
  const life = startLife(lane, { childFile, orders: [...lane.unpaid], kill })
  await life.ready
  const isAnywhere = place === undefined && wire === null
  const end = setTimeout(() => life.child.kill('SIGKILL'), isAnywhere ? random() * 500 : UNREACHED_MS)
  const disturbance = disturbAt(random() * 600, fault, run)
  const signal = await life.ended
  clearTimeout(end)
  await disturbance.ended()
  lane.wire = null
  // A place that was not on the way of this life: it went on to its end.
  if (signal === null) {
    report.kills--
    return
  }
  const isThere = life.lines.some(({ event }) => event === 'killed') || lane.killedOnWire
  const hasForked = isThere && thenFork && (await fork(run))
  count(report.byRow, rowOf({ row, isThere, thenFork, hasForked }))
  count(report.byFault, fault)
  if (isThere && mayTear && random() < 0.5) {
    tear(lane.path, random)
    report.torn++
  }
}

/** A place that was not reached is any place; a block that was not taken back afterwards is waited under. */
function rowOf({ row, isThere, thenFork, hasForked }) {
  if (!isThere) return 'K10'
  return thenFork && !hasForked ? 'K7' : row
}

function count(counts, name) {
  counts[name] = (counts[name] ?? 0) + 1
}

/** Does something to the network itself while a program lives, at a moment of its own. */
function disturbAt(afterMs, fault, run) {
  let running = Promise.resolve()
  const timer = setTimeout(() => {
    if (fault === 'pool flush') run.network.control.forgetPool()
    if (fault === 'reorganisation') running = fork(run)
  }, afterMs)
  return {
    ended: () => {
      clearTimeout(timer)
      return running
    },
  }
}

/** Not before the chain is as high as it was: a payment is final after three macroblocks, and stays it. */
async function fork(run) {
  const { network, random, report } = run
  const height = network.height()
  if (run.forking || height < 6 || height < (run.nextForkAt ?? 0)) return false
  run.forking = true
  await network.control.reorganise(1 + Math.floor(random() * 2), { keepTransactions: random() < 0.5 })
  Object.assign(run, { forking: false, nextForkAt: height })
  report.forks++
  return true
}

/** A life that nobody ends: everything that is open has to settle, measured from the start of the process. */
async function settleAll(lane, { childFile, report }) {
  Object.assign(lane, { faultsLeft: 0, wire: null })
  const waiting = [...lane.unpaid].filter((memo) => lane.taken.has(memo)).length
  const life = startLife(lane, { childFile, orders: [...lane.unpaid], kill: null })
  const tooLate = setTimeout(() => life.child.kill('SIGKILL'), UNSETTLED_MS)
  await life.ended
  clearTimeout(tooLate)
  const [ms, startMs] = [life.settledMs, life.startMs].map(Math.round)
  if (waiting > 0) report.settles.push({ ms, startMs })
  report.unsettled += lane.unpaid.size
}
