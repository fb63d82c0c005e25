import type { ClientCore } from '@hailstone/client'
import type { Hash, NodeError } from '@hailstone/protocol'
import { type FollowedChain, followChain } from './follow-chain.ts'
import type { CalculatedMacroblock, ChainPlace, RevertedMacroblock } from './read-chain.ts'

/** The height a client's network answers. */
export type TipHeight = {
  /** The highest that was seen on the chain as it is; the key block of this height is open. */
  readonly height: number
  /** The network answers a lower height than before, of the same chain: it has not caught up. */
  readonly isStale: boolean
  /** Base of the API node that answered. */
  readonly source: string
}

export type TipSubscriber = {
  readonly pollIntervalMs?: number | undefined
  /** After every poll that was answered. */
  readonly onAnswer?: ((tip: TipHeight) => void) | undefined
  /** After every poll that brought a change. */
  readonly onHeight?: ((tip: TipHeight) => void) | undefined
  /** Each macroblock whose rewards are booked, in order of height, from the newest at the beginning on. */
  readonly onCalculated?: ((macroblock: CalculatedMacroblock, place: ChainPlace) => void) | undefined
  /**
   * Somebody mines: macroblocks with microblocks were calculated. Once a poll, however many it caught up with after
   * the network was away: those were mined while nobody could see it.
   */
  readonly onMined?: (() => void) | undefined
  /** Each macroblock that is on the chain no more, the newest first, before those that took their place. */
  readonly onReverted?: ((macroblock: RevertedMacroblock) => void) | undefined
  readonly onError?: ((error: NodeError) => void) | undefined
}

/** The one poll of the height of a network, shared by everything in this process that watches it. */
export type ChainTip = {
  /** Returns the way out, which waits for the poll in flight when it was the last subscriber. */
  readonly subscribe: (subscriber: TipSubscriber) => () => Promise<void>
  /** The height of a key block that passed by. */
  readonly heightOf: (keyBlockHash: Hash) => number | undefined
  /** The key block of a height that passed by, on the chain as it is. */
  readonly hashAt: (height: number) => Hash | undefined
  /** Where the newest calculated macroblock was seen; null before one was. */
  readonly place: () => ChainPlace | null
}

/** Chains by the clock they are watched with, then by what the clients share. */
const chains = new WeakMap<
  object,
  { byName: Map<string, FollowedChain>; byObject: WeakMap<object, FollowedChain> }
>()

function chainOf({ clock, sharingKey }: ClientCore): FollowedChain {
  const ofClock = chains.get(clock) ?? { byName: new Map(), byObject: new WeakMap() }
  chains.set(clock, ofClock)
  const known =
    typeof sharingKey === 'string' ? ofClock.byName.get(sharingKey) : ofClock.byObject.get(sharingKey)
  if (known !== undefined) return known
  const chain = followChain()
  if (typeof sharingKey === 'string') ofClock.byName.set(sharingKey, chain)
  else ofClock.byObject.set(sharingKey, chain)
  return chain
}

/** The chain behind a client. Clients of the same API nodes watch it together. */
export function chainTipOf(client: ClientCore): ChainTip {
  const chain = chainOf(client)
  const { heightOf, hashAt, place } = chain
  return { subscribe: (subscriber) => chain.subscribe(client, subscriber), heightOf, hashAt, place }
}
