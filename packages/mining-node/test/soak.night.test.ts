import { monitorEventLoopDelay } from 'node:perf_hooks'
import { walletFromPrivateKey } from '@hailstone/client'
import { sha256Hex } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { liveObjects } from '../../../scripts/live-objects.ts'
import { areTimesStrict } from '../../../scripts/strict-times.ts'
import { createFleet } from '../src/fleet/create-fleet.ts'
import { createMiningNode } from '../src/node.ts'
import { heapBytes } from './heap-bytes.ts'
import { startLoadGateway } from './load-gateway.ts'
import { pause, until } from './until.ts'

/**
 * The longer sizes: HAILSTONE_SOAK_MINUTES=1440 npx vitest run test/soak.night.test.ts, one day with a fault every 30 s;
 * HAILSTONE_SOAK_MINUTES=120 HAILSTONE_SOAK_NODES=10000 for a fleet.
 */
const MINUTES = Number(process.env.HAILSTONE_SOAK_MINUTES ?? 0.5)
const NODES = Number(process.env.HAILSTONE_SOAK_NODES ?? 40)
const IS_LONG = MINUTES >= 10
const ROUND_MS = IS_LONG ? 30_000 : 300
/** Rounds until everything that grows once has grown. */
const WARM_UP = IS_LONG ? 20 : 6

/** The policy's waits, in the short form a twentieth as long. */
const randomness = IS_LONG ? undefined : () => Math.random() / 20

const held = () => {
  const counts: Record<string, number> = {}
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
  return { sockets: counts.TCPSocketWrap ?? 0, timers: counts.Timeout ?? 0, listeners }
}

// It counts what its process holds, so it needs one of its own.
it(
  `G-13: a node and a fleet of ${NODES} for ${MINUTES} minutes, with a fault each round, grow by nothing`,
  async () => {
    await using gateway = await startLoadGateway()
    const gatewayUrl = gateway.url
    const keys = function* () {
      for (let number = 0; number < NODES; number++) yield sha256Hex(`soak key ${number}`)
    }
    await using fleet = createFleet({ keys, gatewayUrl, signingThreads: 1, randomness })
    const wallet = walletFromPrivateKey(sha256Hex('soak'))
    await using node = createMiningNode({ wallet, gatewayUrl, randomness })
    let failures = 0
    node.on('failed', () => failures++)
    await Promise.all([fleet.start(), node.start()])

    async function round(): Promise<void> {
      for (let online: unknown = null; online !== NODES + 1; ) {
        online = (await gateway.ask('online')).miners
        await pause(20)
      }
      const answer = await gateway.ask('broadcast', { transactions: 2 })
      expect(answer).toMatchObject({ asked: NODES + 1, answered: NODES + 1, unexpected: 0 })
      expect(answer.good).toBe(answer.sampled)
      await until(() => fleet.health().nodes.mining === NODES && node.state.status === 'mining', 'all mine')
    }
    async function fault(): Promise<void> {
      await gateway.ask('crash')
      await pause(ROUND_MS / 2)
      await gateway.ask('reopen')
      await pause(ROUND_MS / 2)
    }
    const measure = () => ({
      objects: liveObjects(),
      heap: heapBytes(),
      rss: process.memoryUsage().rss,
      ...held(),
    })

    for (let number = 0; number < WARM_UP; number++) {
      await round()
      await fault()
    }
    await round()
    const before = measure()
    const lag = monitorEventLoopDelay({ resolution: 10 })
    lag.enable()
    const startedAt = performance.now()
    let rounds = 0
    // A busy machine takes longer for the rounds that are counted.
    for (; rounds < 5 || performance.now() - startedAt < MINUTES * 60_000; rounds++) {
      await fault()
      await round()
    }
    lag.disable()
    const after = measure()

    expect(failures).toBe(0)
    expect(after.sockets).toBe(before.sockets)
    expect(after.listeners).toBe(before.listeners)
    // A ping is due now or then.
    expect(Math.abs(after.timers - before.timers)).toBeLessThanOrEqual(5)
    // A leak adds an object for each node in each round; what the engine holds adds some tens in all.
    expect(after.objects - before.objects).toBeLessThan((rounds * NODES) / 2)
    const lagMs = lag.percentile(99) / 1e6
    if (IS_LONG) console.log({ before, after, lagMs })
    if (!IS_LONG || !areTimesStrict) return
    expect(after.heap / before.heap).toBeLessThanOrEqual(1.05)
    expect(after.rss / before.rss).toBeLessThanOrEqual(1.05)
    expect((after.rss / before.rss - 1) / (MINUTES / 60)).toBeLessThanOrEqual(0.01)
    expect(lagMs).toBeLessThanOrEqual(50)
  },
  (MINUTES + 10) * 60_000,
)
