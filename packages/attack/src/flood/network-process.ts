// A network in a process of its own: what is flooded must not share an event loop with who measures it.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type LocalNetwork, type LocalNetworkOptions, startLocalNetwork } from '@hailstone/local-network'
import { answerParent } from '../child.ts'
import { threadMs } from '../process-figures.ts'

/** Addresses and accounts of the flooded network, for the attacker and the honest users. */
export type NetworkAccess = {
  readonly apiUrl: string
  readonly gatewayUrl: string
  readonly nativeTokenId: string
  /** Accounts with stake. The honest miner has the first one. */
  readonly accounts: readonly { readonly address: string; readonly privateKey: string }[]
}

export type NetworkFigures = {
  /** Longest time the event loop stood still since the last reset, in ms. */
  readonly longestLagMs: number
  /** Most processor time between two turns of the event loop since the last reset, in ms. */
  readonly longestTurnMs: number
  /** Sessions of the gateway that have introduced themselves. */
  readonly miners: number
  /** Publications that were accepted since the start, by address. */
  readonly accepted: Readonly<Record<string, number>>
  /** Publications that were judged since the start. */
  readonly judged: number
}

const lag = monitorEventLoopDelay({ resolution: 10 })
const accepted: Record<string, number> = {}
const TICK_MS = 5
let judged = 0
let longestTurnMs = 0
let lastMs = threadMs()
let network: LocalNetwork | undefined

setInterval(() => {
  const nowMs = threadMs()
  longestTurnMs = Math.max(longestTurnMs, nowMs - lastMs)
  lastMs = nowMs
}, TICK_MS)

answerParent({
  async start(options: LocalNetworkOptions): Promise<NetworkAccess> {
    network = await startLocalNetwork({ seed: 'attack', blockTimeMs: 500, ...options })
    network.on('publicationJudged', ({ address, verdict }) => {
      judged++
      if (verdict === 'accepted' && address !== null) accepted[address] = (accepted[address] ?? 0) + 1
    })
    lag.enable()
    return {
      apiUrl: network.apiUrl,
      gatewayUrl: network.gatewayUrl,
      nativeTokenId: network.tokens.native.id,
      accounts: network.accounts.developers.map(({ address, privateKey }) => ({ address, privateKey })),
    }
  },
  figures: (): NetworkFigures => ({
    longestLagMs: lag.max / 1e6,
    longestTurnMs,
    miners: network?.gateway.minersOnline().length ?? 0,
    accepted,
    judged,
  }),
  resetLag: () => {
    lag.reset()
    longestTurnMs = 0
  },
})
