import { isNodeError } from '@hailstone/protocol'
import type { Mutation } from '../mutation.ts'
import {
  type ClientCore,
  createMiningNode,
  type MiningNode,
  type Reward,
  watchBalance,
  watchHeight,
  watchRewards,
} from '../real.ts'
import { type Program, startProgram } from '../run/program.ts'
import type { Run } from '../run/run.ts'
import { friend, gift, miner } from '../world/accounts.ts'
import { createApiNodes } from '../world/api-nodes.ts'
import { type Publishers, STEADY, startProducer } from '../world/producer.ts'
import { SimulatedChain } from '../world/simulated-chain.ts'
import { SimulatedDisk } from '../world/simulated-disk.ts'
import { createDeliveryLog } from './delivery-log.ts'

const CALM_AT_MS = 240_000
const END_MS = CALM_AT_MS + 420_000
const MAX_EVENTS = 60_000
/** Time without network after which all values must be marked as stale, in ms. */
const NOTICED_AFTER_MS = 60_000

/**
 * A program watches height, balance and rewards of a miner while it is stopped, killed and frozen, through nodes that
 * fail, report wrong heights and follow different forks. At the end everything was delivered exactly once and in
 * order.
 */
export async function watching(run: Run, mutation: Mutation): Promise<void> {
  const { chance, time } = run
  const account = createDeliveryLog(run)
  const deepestFork = chance.pick([1, 2, 5])
  const chain = new SimulatedChain({
    now: time.now,
    deepestFork,
    onClosed: ({ ledger }) => account.holds(ledger),
  })
  const disk = new SimulatedDisk(run)
  const busy = chance.pick([0.1, 0.4, 0.9])
  let gifts = 0
  const publishers: Publishers = () => {
    if (chance.is(0.3)) {
      const one = gift(gifts++, miner.address)
      chain.publish([one])
    }
    const turns = [
      { publisher: miner.address, agent: friend.address },
      { publisher: miner.address, agent: null },
      { publisher: friend.address, agent: miner.address },
    ]
    return turns.filter(() => chance.is(busy))
  }
  const producer = startProducer(run, chain, publishers)
  producer.faultRates = { fork: chance.pick([0, 0.1, 0.4]), taken: 1, forgets: 0, depth: deepestFork }
  const nodes = createApiNodes({
    run,
    chain,
    mayLie: true,
    post: () => ({ status: 404, text: '' }),
    inspect: ({ method, path }) => {
      if (method === 'POST') run.violate('I1', `a watcher posts to ${path}`)
    },
  })
  let isCalm = false
  let lives = 0
  /** Number of running callbacks. */
  let working = 0
  let current: Life | null = null
  time.after(CALM_AT_MS, () => {
    isCalm = true
    producer.faultRates = STEADY
    nodes.calm()
    run.note('faults', 'calm')
  })

  type Life = {
    readonly program: Program
    readonly stop: () => Promise<void>
    readonly node: MiningNode | null
  }

  function live(): void {
    const program = startProgram(run, `watcher.${++lives}`)
    const delivery = mutation.delivery
    const tellReward = (reward: Reward): void => account.rewarded(reward)
    const tell = delivery?.(tellReward, program, 'rewarded') ?? tellReward
    account.begins()
    const client = nodes.clientOf(program, (sent) => mutation.transport?.(sent, program, run) ?? sent)
    const kept = disk.cursorsOf(program)
    const store = mutation.cursors?.(kept, program, run) ?? kept
    const watches = watch(program, client, store, tell)
    const node = chance.is(0.3) ? watchWithNode(program, client) : null
    const stop = async (): Promise<void> => {
      await Promise.all([...watches.map((one) => one.stop()), node?.close()])
      if (program.timers() > 0) run.violate('I4', `${program.timers()} timers are left after stop`)
    }
    current = { program, stop, node }
    if (isCalm) return
    const fate = chance.pick(['stays', 'stays', 'killed', 'killed', 'stopped'] as const)
    const atMs = chance.ms(0, 120_000)
    if (fate === 'killed') {
      time.after(atMs, () => {
        if (program.isOver()) return
        program.kill('by time')
        account.wasKilled()
        time.after(chance.ms(100, 60_000), live)
      })
    }
    if (fate === 'stopped') time.after(atMs, () => void restart(stop))
    if (chance.is(0.2)) time.after(chance.ms(0, 90_000), () => program.freeze(chance.ms(100, 90_000)))
    if (chance.is(0.2)) {
      time.after(chance.ms(0, 90_000), () => program.shiftWallClock(chance.pick([-3.6e6, 3.6e6, 3.2e10])))
    }
  }

  async function restart(stop: () => Promise<void>): Promise<void> {
    run.fault('app', 'stops')
    const startedAtMs = time.now()
    await stop()
    // A freeze lasts up to a minute and a half, and a request may take ten seconds to time out.
    if (time.now() - startedAtMs > 110_000)
      run.violate('I4', `it took ${time.now() - startedAtMs} ms to stop`)
    // Going on before the last callback is done may repeat its delivery.
    const goOn = (): void => {
      if (working > 0) time.after(1_000, goOn)
      else live()
    }
    time.after(chance.ms(500, 60_000), goOn)
  }

  function watch(
    program: Program,
    client: ClientCore,
    store: ReturnType<SimulatedDisk['cursorsOf']>,
    tell: (reward: Reward) => void,
  ) {
    const slowness = chance.pick([0, 0, 50, 2_000])
    // Owned by the app, so its timers do not count as leaks after a stop.
    const work = (): Promise<void> | undefined =>
      slowness === 0
        ? undefined
        : new Promise((done) => {
            working++
            const end = (): void => {
              working--
              done()
            }
            program.onKill(() => {
              working = 0
            })
            time.after(chance.ms(0, slowness), () => program.deliver(end))
          })
    const onError = (error: unknown): void => {
      if (isNodeError(error)) run.note('app', `${error.code} ${JSON.stringify(error.facts)}`)
      else run.violate('I4', `a watcher reports ${String(error)}`)
    }
    const common = { client, address: miner.address, pollIntervalMs: 2_000, blockTimeMs: 15_000, onError }
    return [
      watchRewards({
        ...common,
        from: -1,
        cursor: { store, name: 'rewards' },
        onReward: async (reward) => {
          await work()
          tell(reward)
        },
        onReverted: async (reward) => {
          await work()
          account.reverted(reward)
        },
      }),
      watchBalance({
        ...common,
        cursor: { store, name: 'balance' },
        onChange: (balance) => {
          account.balanceChanged(balance)
        },
      }),
      watchHeight({
        ...common,
        onChange: ({ height, isStale }) => {
          account.heightChanged(height, isStale)
        },
      }),
    ]
  }

  /** The same through a mining node, to check its snapshot. */
  function watchWithNode(program: Program, client: ClientCore): MiningNode {
    const { clock } = program
    const node = createMiningNode({ wallet: miner.wallet, client, clock, randomness: chance.next })
    node.subscribe(() => {
      if (!program.isOver()) account.snapshot(node.snapshot())
    })
    node.on('failed', ({ error }) => {
      if (error.code === 'LISTENER_FAILED') run.violate('I4', `a listener of ours fails: ${error.message}`)
    })
    void node.watch()
    return node
  }

  function lookAtAge(): void {
    const { node, program } = current ?? {}
    const seesItSinceMs = Math.max(nodes.areAwaySinceMs(), program?.runsSinceMs() ?? 0)
    const isOld = time.now() - seesItSinceMs > NOTICED_AFTER_MS
    if (isOld && node && program?.isOver() === false && !program.isFrozen()) {
      const { api, height, balance } = node.snapshot()
      const isHidden = api.status === 'reachable' || height?.isStale === false || balance?.isStale === false
      if (isHidden) run.violate('I5', 'the network is away and what was read before is shown as fresh')
    }
    time.after(5_000, lookAtAge)
  }

  live()
  time.after(NOTICED_AFTER_MS, lookAtAge)
  const isDone = (): boolean => isCalm && time.now() > CALM_AT_MS + 60_000 && account.isComplete(chain)
  const end = await time.run({ untilMs: END_MS, isDone, maxEvents: MAX_EVENTS })
  if (end === 'endless') run.violate('I4', 'it does not come to rest')
  account.judge(chain)
  const ending = current as Life | null
  if (ending !== null && !ending.program.isOver()) {
    let isStopped = false
    void ending.stop().then(() => {
      isStopped = true
    })
    await time.run({ untilMs: time.now() + 110_000, isDone: () => isStopped, maxEvents: MAX_EVENTS })
    if (!isStopped) run.violate('I4', 'it does not stop')
  }
  producer.stop()
  if (disk.everything().includes(miner.canary)) run.violate('I3', 'the key is on the disk')
}
