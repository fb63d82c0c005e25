import type { TransportRequest } from '@hailstone/client'
import type { Address } from '@hailstone/protocol'
import type { Program } from '../run/program.ts'
import type { Run } from '../run/run.ts'
import { friend, gift, miner, poorAgent } from '../world/accounts.ts'
import { type Balancer, createBalancer } from '../world/balancer.ts'
import { type Producer, STEADY, startProducer } from '../world/producer.ts'
import { type ClosedBlock, SimulatedChain } from '../world/simulated-chain.ts'
import { type BookedLines, createBookedLines } from './booked-lines.ts'
import type { WatchPlot } from './watch-plot.ts'

/** One chain, of which an address shows what any of its nodes knows. */
export type WatchedWorld = {
  readonly chain: SimulatedChain
  readonly lines: BookedLines
  readonly balancer: Balancer
  readonly producer: Producer
  /** Number of forks so far. */
  readonly forks: () => number
  /** Faults end. */
  readonly calm: () => void
  /** Nobody earns any more, and all nodes have the whole chain. */
  readonly settle: () => void
  /** They earn as before. */
  readonly earnAgain: () => void
}

const BLOCK_MS = 15_000
const BACKLOG_PER_BLOCK = 40
const MAX_EVENTS = 20_000
/** Rewards that are told to their end although one answer in ten goes on failing: each failure keeps what was told before. */
const LONG_BACKLOG = 300
const ONE_IN_TEN = { 'wrong shape': 0.1 }

/** Resolves when the chain has a past, of which the API may lack the newest part. */
export async function createWatchedWorld(
  run: Run,
  plot: WatchPlot,
  given: {
    readonly onClosed: (block: ClosedBlock) => void
    readonly inspect: (request: TransportRequest, program: Program) => void
    /** Others who mine, besides those of each run. */
    readonly more?: readonly { readonly publisher: Address; readonly agent: Address | null }[] | undefined
  },
): Promise<WatchedWorld> {
  const { chance, time } = run
  const lines = createBookedLines()
  let backlog = plot.backlog
  let gifts = 0
  let isQuiet = false
  const chain = new SimulatedChain({
    now: time.now,
    deepestFork: plot.deepestFork,
    onClosed: (block) => {
      lines.closed(block, time.now())
      given.onClosed(block)
    },
  })
  const earners = [
    { publisher: miner.address, agent: friend.address },
    { publisher: miner.address, agent: null },
    { publisher: friend.address, agent: miner.address },
    { publisher: friend.address, agent: poorAgent.address },
    ...(given.more ?? []),
  ] as const
  const producer = startProducer(run, chain, () => {
    if (isQuiet) return []
    for (const to of [miner.address, friend.address, poorAgent.address])
      if (chance.is(plot.transfers)) chain.publish([gift(gifts++, to)])
    const many = Math.min(backlog, BACKLOG_PER_BLOCK)
    backlog -= many
    return [
      ...Array.from({ length: many }, () => chance.pick(earners)),
      ...earners.filter(() => chance.is(plot.busy)),
    ]
  })
  const balancer = createBalancer({ run, chain, ...plot, inspect: given.inspect })
  const pastMs = BLOCK_MS * (plot.behindAtFirst + chance.whole(2, 20))
  const shownMs = pastMs - BLOCK_MS * plot.behindAtFirst
  if (plot.behindAtFirst > 0)
    time.after(shownMs, () => balancer.standStill(pastMs - shownMs + chance.ms(1_000, 200_000)))
  await time.run({ untilMs: pastMs, isDone: () => false, maxEvents: MAX_EVENTS })
  producer.faultRates = { fork: plot.forks, taken: 1, forgets: 0, depth: plot.deepestFork }
  return {
    ...{ chain, lines, balancer, producer },
    forks: () => chain.forks,
    calm: () => {
      producer.faultRates = STEADY
      if (!plot.staysMixed) balancer.settle()
      balancer.calm(plot.backlog < LONG_BACKLOG ? undefined : ONE_IN_TEN)
    },
    settle: () => {
      isQuiet = true
      balancer.settle()
    },
    earnAgain: () => {
      isQuiet = false
    },
  }
}
