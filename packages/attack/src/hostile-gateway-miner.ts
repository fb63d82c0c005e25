import { createMiningNode, createWallet, type MiningNode } from '@hailstone/mining-node'
import { answerParent } from './child.ts'
import { cpuMs, threadMs } from './process-figures.ts'

/** How the miner of a hostile gateway is, as seen from its own process. */
export type MinerFigures = {
  /** Longest time between two turns of the event loop, in which other processes of the machine may have run. */
  readonly longestGapMs: number
  /** Processor time of the longest of these turns, of the thread of the event loop where the system tells. */
  readonly longestTurnMs: number
  /** Processor time since the reset as a share of one core. */
  readonly cpuShare: number
  readonly status: string
  readonly why: string
  /** Sum over all gateways. */
  readonly faults: number
  readonly published: number
  readonly stops: number
  readonly memoryMB: number
}

const TICK_MS = 5

const wallet = createWallet()
let node: MiningNode | undefined
let stops = 0
let longest = { gapMs: 0, turnMs: 0 }
let last = { atMs: performance.now(), threadMs: threadMs(), cpuMs: cpuMs() }
let reset = last

setInterval(() => {
  const now = { atMs: performance.now(), threadMs: threadMs(), cpuMs: cpuMs() }
  longest = {
    gapMs: Math.max(longest.gapMs, now.atMs - last.atMs - TICK_MS),
    turnMs: Math.max(longest.turnMs, now.threadMs - last.threadMs),
  }
  last = now
}, TICK_MS)

answerParent({
  start: async ({ gatewayUrls }: { readonly gatewayUrls: readonly string[] }) => {
    node = createMiningNode({ wallet, gatewayUrls })
    node.on('stopped', () => stops++)
    await node.start()
    return wallet.address
  },
  reset: () => {
    longest = { gapMs: 0, turnMs: 0 }
    reset = last
  },
  figures: (): MinerFigures => {
    const { state, gateways, publications } = (node as MiningNode).snapshot()
    return {
      longestGapMs: longest.gapMs,
      longestTurnMs: longest.turnMs,
      cpuShare: (last.cpuMs - reset.cpuMs) / (last.atMs - reset.atMs),
      status: state.status,
      why: state.why,
      faults: gateways.reduce((sum, gateway) => sum + gateway.faults, 0),
      published: publications.published,
      stops,
      memoryMB: process.memoryUsage().rss / 1e6,
    }
  },
})
