import type { Run } from '../run/run.ts'
import type { ChainView, SimulatedChain } from './simulated-chain.ts'

/** A node's view of the chain: current, some macroblocks late, or on an abandoned fork. */
export type Observation = {
  readonly view: () => ChainView
  lag: number
  /** Freezes the view for a while. */
  readonly stayBehind: (ms: number) => void
  readonly catchUp: () => void
}

export function createObservation(run: Run, chain: SimulatedChain): Observation {
  let kept: { readonly view: ChainView; readonly untilMs: number } | null = null
  const observation: Observation = {
    lag: 0,
    view: () => {
      if (kept !== null && run.time.now() < kept.untilMs) return kept.view
      kept = null
      return late(chain.view(), observation.lag)
    },
    stayBehind: (ms) => {
      kept = { view: late(chain.view(), observation.lag), untilMs: run.time.now() + ms }
    },
    catchUp: () => {
      kept = null
      observation.lag = 0
    },
  }
  return observation
}

/** Transactions of macroblocks that have not arrived are still in the pool. */
function late(view: ChainView, lag: number): ChainView {
  const blocks = view.blocks.slice(0, Math.max(1, view.blocks.length - lag))
  const hidden = view.blocks.slice(blocks.length)
  const open = hidden[0]?.keyBlock
  if (open === undefined) return view
  const pool = new Map(view.pool)
  for (const { transactions } of hidden) for (const [hash, one] of transactions) pool.set(hash, one)
  return { ...view, blocks, open, openMicroblocks: [], pool }
}
