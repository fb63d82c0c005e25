import { createGenesis } from '@hailstone/ledger'
import { parsePrivateKey } from '@hailstone/protocol'
import { beforeAll, expect, test } from 'vitest'
import { withinMs } from '../../../scripts/strict-times.ts'
import { openChainStore } from '../src/store/index.ts'
import { buildCommand, runCommand } from './command-run.ts'
import { describePostgres } from './engines.ts'
import { nativeToken } from './native-token.ts'
import { type RawMiner, rawMiner } from './raw-miner.ts'
import { expectReplay } from './replay.ts'
import { until } from './until.ts'

beforeAll(buildCommand)

const SEED = 'failover'
const READERS = 8

type Failure = { readonly atMs: number; readonly url: string; readonly what: string }

/** Reads from one process, and goes to the next one when a read fails. */
function createReader(urls: readonly string[], first: number) {
  const failures: Failure[] = []
  let isEnded = false
  let reads = 0
  let at = first
  const { developers } = createGenesis({ seed: SEED, time: 0 }).accounts
  const paths = [
    '/height',
    `/balance?id=${developers[0]?.address}&token=${nativeToken()}`,
    '/lastblocks',
    '/get_tickers_all',
  ]
  async function run(): Promise<void> {
    while (!isEnded) {
      const url = urls[at % urls.length] ?? ''
      try {
        const response = await fetch(url + paths[reads % paths.length], {
          signal: AbortSignal.timeout(120_000),
        })
        await response.text()
        if (!response.ok) throw new Error(`status ${response.status}`)
        reads++
      } catch (error) {
        failures.push({ atMs: performance.now(), url, what: String(error) })
        at++
      }
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const running = run()
  return {
    failures,
    reads: () => reads,
    end: async () => {
      isEnded = true
      await running
    },
  }
}

/** A miner at each process; they sign every beacon. */
const startMiners = (gatewayUrls: readonly (string | null)[]): Promise<readonly RawMiner[]> =>
  Promise.all(
    gatewayUrls.map(async (url, number) => {
      const account = createGenesis({ seed: SEED, time: 0 }).accounts.developers[number]
      const miner = await rawMiner(String(url), { privateKey: parsePrivateKey(account?.privateKey ?? '') })
      miner.mine()
      miner.hail()
      return miner
    }),
  )

describePostgres('three processes over PostgreSQL', (server) => {
  test('D3, D-4: the leader is killed under load: each reader notices at most once, miners of others not at all, and macroblocks close again', async () => {
    const database = await server().createDatabase()
    const start = () => runCommand('--database', database, '--seed', SEED, '--block-time', '300ms')
    const leader = start()
    const leaderUrl = await leader.apiUrl
    const others = [start(), start()]
    const urls = [leaderUrl, ...(await Promise.all(others.map(({ apiUrl }) => apiUrl)))].map(String)
    const readers = Array.from({ length: READERS }, (_, first) => createReader(urls, first))
    const miners = await startMiners(await Promise.all(others.map(({ gatewayUrl }) => gatewayUrl)))
    await until(() => others.every((one) => one.reported() >= 3))
    await until(() => miners.every(({ frames }) => frames.length > 0))

    leader.child.kill('SIGKILL')
    const killedAtMs = performance.now()
    await leader.ended
    const height = Math.max(...others.map((one) => one.reported()))
    await until(() => others.every((one) => one.reported() > height + 1))
    const againMs = performance.now() - killedAtMs
    const beacons = miners.map(({ frames }) => frames.length)
    await until(() => miners.every(({ frames }, at) => frames.length > (beacons[at] ?? 0)))
    for (const miner of miners) {
      expect(miner.isOpen()).toBe(true)
      expect(miner.frames.every(({ method }) => method === 'on_leader_beacon')).toBe(true)
      miner.close()
    }
    const readsAtOnce = readers.map(({ reads }) => reads())
    await until(() => readers.every(({ reads }, at) => reads() > (readsAtOnce[at] ?? 0) + 20))

    for (const reader of readers) await reader.end()
    const failures = readers.flatMap((reader) => reader.failures)
    const after = failures.map(({ atMs }) => atMs - killedAtMs)
    expect(after.filter((ms) => ms < 0 || ms > withinMs(2_000))).toEqual([])
    // Whoever asked the leader notices once; no other process fails a read.
    expect(readers.filter((reader) => reader.failures.length > 1)).toEqual([])
    expect(failures.filter(({ url }) => url !== leaderUrl)).toEqual([])
    expect(againMs).toBeLessThan(withinMs(10_000))

    for (const { child, ended, errors } of others) {
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
      expect(errors()).toBe('')
    }
    await using store = await openChainStore({ database })
    expect(await expectReplay(store, SEED)).toBeGreaterThan(height)
    if (process.env.HAILSTONE_TELL === '1')
      process.stdout.write(
        `${JSON.stringify({ againMs, reads: readers.reduce((sum, one) => sum + one.reads(), 0), failures: failures.length })}\n`,
      )
  })
})
