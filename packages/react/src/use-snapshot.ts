import type { MiningSnapshot } from '@hailstone/mining-node'
import { useSyncExternalStore } from 'react'
import { keptPer } from './kept-per.ts'
import type { WatchPort } from './mining-ports.ts'
import { useMiningParts } from './mining-provider.ts'

const unread = keptPer<WatchPort, MiningSnapshot>()

/** The node before it was started and before anything was read: a server and the page that takes over its markup agree on it. */
const unreadOf = (node: WatchPort): MiningSnapshot =>
  unread(node, '', () => {
    const { address, tokenId, leaderCheck } = node.snapshot()
    return {
      address,
      tokenId,
      leaderCheck: { ...leaderCheck, refused: 0 },
      state: { status: 'idle', why: 'not started', nextStep: 'Start mining.' },
      height: null,
      balance: null,
      publications: { published: 0, included: 0, missed: 0, refused: 0 },
      connected: { beforeMs: 0, sinceMs: null },
      rewards: [],
      lastReward: null,
      rewardsReading: null,
      gateways: [],
      lastRefusal: null,
      othersMined: { microblocks: 0, miners: 0 },
      api: { status: 'unknown', why: 'not asked yet' },
      stakes: null,
      seen: { status: 'unknown', reason: 'notAsked' },
      warnings: [],
      lastError: null,
    }
  })

/**
 * Returns the node's snapshot and re-renders after every change. Markup that a server makes shows a node of which nothing is
 * known yet.
 *
 * @example
 * const { height, publications } = useSnapshot()
 * return <p>{height?.value ?? '–'}, {publications.published} signed</p>
 */
export function useSnapshot(): MiningSnapshot {
  const { node } = useMiningParts()
  return useSyncExternalStore(node.subscribe, node.snapshot, () => unreadOf(node))
}
