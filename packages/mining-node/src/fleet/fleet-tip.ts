import type { Client } from '@hailstone/client'
import type { Hash, NodeError } from '@hailstone/protocol'
import { followTip, type TipHeight } from '../watchers/chain-tip.ts'
import { followPublications, type IncludedMicroblock } from '../watchers/follow-publications.ts'
import { type Watch, watchHandle } from '../watchers/watch-handle.ts'

/** The chain as a fleet sees it: one poll for all nodes. */
export type FleetTip = Watch & {
  readonly published: (microblockHash: Hash, node: number) => void
  /** True if a node of the fleet published it, and lately. */
  readonly has: (microblockHash: Hash) => boolean
  readonly height: () => (TipHeight & { readonly readAtMs: number }) | null
}

/** Macroblocks after which a published microblock will not come any more; twice that is kept. */
const GENERATION_MACROBLOCKS = 10

/** Follows the height, and finds the published microblocks of all nodes in the macroblocks that go by. */
export function followFleetTip(parameters: {
  readonly client: Client
  readonly pollIntervalMs: number | undefined
  readonly now: () => number
  readonly onIncluded: (microblock: IncludedMicroblock, node: number) => void
  readonly onHeight: (tip: TipHeight) => void
  /** Others mine. Called once for all macroblocks that a poll caught up with. */
  readonly onMined: () => void
  readonly onError: (error: NodeError) => void
}): FleetTip {
  const { client, pollIntervalMs, now, onIncluded, onHeight, onMined, onError } = parameters
  let height: ReturnType<FleetTip['height']> = null
  /** Publishing node by microblock. The older generation is dropped every ten macroblocks. */
  let young = new Map<Hash, number>()
  let old = new Map<Hash, number>()
  let macroblocks = 0

  const { leave } = followTip(client, {
    pollIntervalMs,
    onError,
    onAnswer: (tip) => {
      height = { ...tip, readAtMs: now() }
    },
    onHeight,
    onMined,
    onCalculated: () => {
      if (++macroblocks % GENERATION_MACROBLOCKS !== 0) return
      old = young
      young = new Map()
    },
  })
  const publications = followPublications({
    client,
    pollIntervalMs,
    onError,
    onIncluded: (microblock) => {
      const node = young.get(microblock.microblockHash) ?? old.get(microblock.microblockHash)
      if (node !== undefined) onIncluded(microblock, node)
    },
  })
  const stop = async (): Promise<void> => {
    await Promise.all([leave(), publications.stop()])
  }
  return {
    ...watchHandle(stop),
    height: () => height,
    has: publications.has,
    published: (microblockHash, node) => {
      young.set(microblockHash, node)
      publications.published(microblockHash)
    },
  }
}
