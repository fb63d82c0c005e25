import { createMiningNode, createWallet, type MiningNode } from '@hailstone/mining-node'
import { answerParent } from './child.ts'
import { type Turns, watchTurns } from './turn-watch.ts'

/** Figures of the miner of a hostile gateway, measured in its own process. */
export type MinerFigures = Turns & {
  readonly status: string
  readonly why: string
  /** Sum over all gateways. */
  readonly faults: number
  readonly published: number
  readonly stops: number
  readonly memoryMB: number
}

const wallet = createWallet()
let node: MiningNode | undefined
let stops = 0
const { reset, turns } = watchTurns()

answerParent({
  start: async ({ gatewayUrls }: { readonly gatewayUrls: readonly string[] }) => {
    node = createMiningNode({ wallet, gatewayUrls })
    node.on('stopped', () => stops++)
    await node.start()
    return wallet.address
  },
  reset,
  figures: (): MinerFigures => {
    const { state, gateways, publications } = (node as MiningNode).snapshot()
    return {
      ...turns(),
      status: state.status,
      why: state.why,
      faults: gateways.reduce((sum, gateway) => sum + gateway.faults, 0),
      published: publications.published,
      stops,
      memoryMB: process.memoryUsage().rss / 1e6,
    }
  },
})
