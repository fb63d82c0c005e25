import type { Client } from '@hailstone/client'
import type { Hash, NodeError } from '@hailstone/protocol'
import { type SeenTip, tipAgeOf, withHeight } from '../health/tip-age.ts'
import { behindOf, NO_LEAD, withGrowth, withNamed, withShown } from '../key-block-lead.ts'
import type { SessionClock } from '../session/clock.ts'
import { followTip, type TipHeight } from '../watchers/chain-tip.ts'
import { followPublications, type IncludedMicroblock } from '../watchers/follow-publications.ts'
import { type Watch, watchHandle } from '../watchers/watch-handle.ts'
import { detached } from './detached.ts'

/** The chain as a fleet sees it: one poll for all nodes. */
export type FleetTip = Watch & {
  readonly published: (microblockHash: Hash, node: number, keyBlockHash: Hash) => void
  /** True if a node of the fleet published it, and lately. */
  readonly has: (microblockHash: Hash) => boolean
  /** Null before the API answered; `ageMs` is the age of its newest block. */
  readonly height: () => (TipHeight & { readonly ageMs: number }) | null
  /** Says that the gateways are ahead of the API; null while they are not. */
  readonly behind: () => string | null
}

/** Publications that are remembered, of each node in a large fleet and of all in a small one. */
const KEPT_OF_EACH = 16
const KEPT_AT_LEAST = 4_096

/** Follows the height, and finds the published microblocks of all nodes in the macroblocks that go by. */
export function followFleetTip(parameters: {
  readonly client: Client
  readonly pollIntervalMs: number | undefined
  readonly size: () => number
  readonly clock: SessionClock
  readonly blockTimeMs: number
  readonly onIncluded: (microblock: IncludedMicroblock, node: number) => void
  readonly onMissed: (microblockHash: Hash, node: number) => void
  readonly onExcluded: () => void
  readonly onHeight: (tip: TipHeight) => void
  /** Others mine. Called once for all macroblocks that a poll caught up with. */
  readonly onMined: () => void
  readonly onError: (error: NodeError) => void
}): FleetTip {
  const { client, pollIntervalMs, clock, blockTimeMs, onIncluded, onHeight, onMined, onError } = parameters
  let answer: TipHeight | null = null
  let seen: SeenTip | null = null
  let lead = NO_LEAD
  let keyBlockHash = '' as Hash

  const { leave, place } = followTip(client, {
    pollIntervalMs,
    onError,
    onAnswer: (tip) => {
      if (tip.height !== answer?.height) lead = withGrowth(lead)
      answer = tip
      seen = withHeight(seen, tip.height, clock.now())
    },
    onHeight,
    onMined,
    onCalculated: ({ keyBlock: { hash } }) => {
      lead = withShown(lead, hash)
    },
  })
  const publications = followPublications({
    client,
    pollIntervalMs,
    onError,
    limit: () => Math.max(KEPT_AT_LEAST, KEPT_OF_EACH * parameters.size()),
    onIncluded: (microblock, { node }) => onIncluded(microblock, node),
    onMissed: (microblockHash, { node }) => parameters.onMissed(microblockHash, node),
    onExcluded: parameters.onExcluded,
  })
  const behind = (): string | null =>
    answer === null ? null : behindOf(lead, { blockTimeMs, source: answer.source })

  function height(): ReturnType<FleetTip['height']> {
    if (answer === null || seen === null) return null
    const now = { atMs: clock.now(), unixMs: clock.wallNow(), minedAtMs: place().at?.timeMs }
    const isStale = answer.isStale || behind() !== null
    return { ...answer, isStale, ageMs: Math.round(tipAgeOf(seen, now)) }
  }

  const stop = async (): Promise<void> => {
    await Promise.all([leave(), publications.stop()])
  }
  return {
    ...watchHandle(stop),
    height,
    behind,
    has: publications.has,
    published: (microblockHash, node, named) => {
      // One text for all nodes that name it.
      if (named !== keyBlockHash) keyBlockHash = detached(named)
      const isShown = place().heightOf(keyBlockHash) !== undefined
      lead = withNamed(lead, { keyBlockHash, atMs: clock.now(), isShown })
      publications.published(microblockHash, keyBlockHash, node)
    },
  }
}
