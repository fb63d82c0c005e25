import {
  type ClientCore,
  getHeight,
  getMacroblockOutline,
  type MacroblockOutline,
  type PinnedCore,
  pinnedCore,
} from '@hailstone/client'
import { apiError, type Hash, type NodeError } from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'
import { listenerReport } from '../failure.ts'
import { type OnDemand, onDemand } from '../repeat.ts'
import { type ChainLink, type ReadChain, readChain } from './read-chain.ts'
import { createTipPace, type TipPace } from './tip-pace.ts'
import { POLL_INTERVAL_MS } from './watch-handle.ts'

/** The height a client's network answers. */
export type TipHeight = {
  /** The highest that was seen on the chain as it is; the key block of this height is open. */
  readonly height: number
  /**
   * The network answers a lower height than before, of the same chain, or one that it cannot show: what it says is
   * not what it has.
   */
  readonly isStale: boolean
  /** Base of the API node that answered. */
  readonly source: string
}

/** Notifications of the chain poll, with their values. */
type TipEvents = {
  /** After every poll that was answered. */
  readonly onAnswer: TipHeight
  /** After every poll that brought a change. */
  readonly onHeight: TipHeight
  /**
   * Each macroblock whose rewards are booked, in order of height, from the newest at the beginning on. After a pause of
   * more than a hundred macroblocks the older ones are skipped; so is one that no node showed for minutes.
   */
  readonly onCalculated: MacroblockOutline
  /**
   * Somebody mines: macroblocks with microblocks were calculated. Once a poll, however many it caught up with after
   * the network was away: those were mined while nobody could see it.
   */
  readonly onMined: undefined
  /** Each macroblock that is on the chain no more, the newest first, before those that took their place. */
  readonly onReverted: ChainLink
  readonly onError: NodeError
}

type Listeners = { readonly [N in keyof TipEvents]?: ((given: TipEvents[N]) => unknown) | undefined }

export type TipSubscriber = Listeners & {
  /** Undefined leaves the times of polls to the chain. */
  readonly pollIntervalMs?: number | undefined
}

/** Node of a reading, and the macroblock that it has at least. */
export type ReadingPlace = {
  readonly core: PinnedCore
  /** The newest calculated macroblock that the node was seen to have; null before one was seen. */
  readonly at: ChainLink | null
  /** True while the macroblocks that follow it are read: it says nothing about how far the node is. */
  readonly isCatchingUp: boolean
  /** The height of a key block that passed by. */
  readonly heightOf: (keyBlockHash: Hash) => number | undefined
  readonly timeAt: ReadChain['timeAt']
  readonly stands: ReadChain['stands']
  readonly reach: ReadChain['reach']
  /** Stamps a value that is read now. */
  readonly stamp: () => ReadingStamp
}

/** Source of a value and time of its reading. */
export type ReadingStamp = {
  /** Base of the API node that answered. */
  readonly source: string
  /** Of the newest calculated macroblock at the time; null when it was not known. */
  readonly height: number | null
  /** Unix milliseconds. */
  readonly readAtMs: number
}

/** The chain as one subscriber sees it. */
export type FollowedTip = {
  readonly place: () => ReadingPlace
  /** Asks for the height soon: a new key block was seen elsewhere. */
  readonly expect: () => void
  /** Waits for the poll in flight when it was the last subscriber. */
  readonly leave: () => Promise<void>
}

type Member = TipSubscriber & { readonly client: ClientCore; lastTip?: TipHeight | undefined }

/** A chain that is polled while somebody follows it, through the clients of those who do. */
type Chain = {
  /** Clients of one clock that share this ask the same nodes. */
  readonly of: Pick<ClientCore, 'clock' | 'sharingKey'>
  readonly members: Set<Member>
  readonly polling: OnDemand
  readonly expect: TipPace['expect']
  readonly place: (client: ClientCore) => ReadingPlace
  /** Result of the last poll; null before the first. */
  readonly tip: () => TipHeight | null
}

/** Chains with subscribers. One without any is removed, and read from its newest macroblock when it is followed again. */
const chains = new Set<Chain>()

/** Follows the chain behind a client. All in this process who ask the same API nodes share one poll. */
export function followTip(client: ClientCore, subscriber: TipSubscriber): FollowedTip {
  const { clock, sharingKey } = client
  const known = [...chains].find(({ of }) => of.clock === clock && of.sharingKey === sharingKey)
  const chain = known ?? createChain(client)
  const { members, polling, place, expect } = chain
  const member: Member = { ...subscriber, client }
  chains.add(chain)
  members.add(member)
  polling.trigger()
  // A late subscriber gets the known tip at once, but not before this call has returned its unsubscribe function.
  queueMicrotask(() => {
    const tip = chain.tip()
    if (tip !== null && members.has(member) && member.lastTip === undefined) notifyTip(member, tip)
  })
  return {
    place: () => place(client),
    expect,
    leave: async () => {
      members.delete(member)
      if (members.size > 0) return
      chains.delete(chain)
      await polling.stop()
    },
  }
}

function createChain(first: ClientCore): Chain {
  const members = new Set<Member>()
  let tip: TipHeight | null = null
  /** In the poll that is under way, and in the one that last brought something. */
  let asked: PinnedCore | null = null
  let reachable: PinnedCore | null = null
  let isMined = false
  const pace = createTipPace(first.clock)

  const publish = <N extends keyof TipEvents>(name: N, given: TipEvents[N]): void => {
    for (const member of [...members]) notify(member, name, given)
  }

  const chain: ReadChain = readChain({
    onCalculated: (macroblock) => {
      reachable = asked
      isMined ||= macroblock.microblocks.length > 0
      publish('onCalculated', macroblock)
    },
    onReverted: (link) => {
      reachable = asked
      publish('onReverted', link)
    },
    onError: (error) => publish('onError', error),
  })

  async function poll(signal: AbortSignal): Promise<true> {
    const isTimed = [...members].every(({ pollIntervalMs }) => pollIntervalMs === undefined)
    if (isTimed && !pace.isDue()) return true
    const [{ client } = { client: first }] = members
    const core = pinnedCore(client)
    asked = core
    // A calculated macroblock says that the next key block is open: the height need not be asked for.
    const next = isTimed && pace.isOneExpected() ? await chain.readNext(core, signal) : null
    const height = next === null ? await getHeight(core, { signal }) : next.keyBlock.height + 1
    const reached = chain.height() ?? height - 1
    // The next block is published at once; anything else is looked at first.
    const isNext = height === reached + 1 || height === reached + 2
    const before = tip
    if (isNext) publishTip(core, height, false)
    const isCurrent = await chain.follow(core, height, next, signal)
    pace.answered(height, chain.links(), next === null)
    if (isMined) publish('onMined', undefined)
    isMined = false
    if (!isCurrent) {
      // Another node may know more. What was seen before stays, and is old until then.
      client.transport.distrust?.(core.source)
      if (before !== null) publishTip(core, before.height, true)
    } else if (!isNext) publishTip(core, height, false)
    return true
  }

  function publishTip({ source }: PinnedCore, height: number, isStale: boolean): void {
    const next = { height, isStale, source }
    tip = next
    for (const member of [...members]) notifyTip(member, next)
  }

  const polling = onDemand({
    client: first,
    get pollIntervalMs() {
      return Math.min(...[...members].map(({ pollIntervalMs = POLL_INTERVAL_MS }) => pollIntervalMs))
    },
    task: poll,
    onError: (error) => {
      // Another member's client may fare better.
      const [member] = members
      if (member && members.delete(member)) members.add(member)
      publish('onError', error)
    },
  })

  return {
    of: first,
    members,
    polling,
    expect: pace.expect,
    tip: () => tip,
    place: (client) => {
      const at = chain.links().at(-1) ?? null
      const heightOf = (hash: Hash) => chain.links().find((link) => link.hash === hash)?.height
      const core = (at && reachable) ?? pinnedCore(client)
      const { source } = core
      const stamp = () => ({ source, height: at?.height ?? null, readAtMs: client.clock.now() })
      const { timeAt, stands, reach } = chain
      return { core, at, isCatchingUp: chain.isCatchingUp(), heightOf, timeAt, stands, reach, stamp }
    },
  }
}

function notifyTip(member: Member, tip: TipHeight): void {
  const { lastTip } = member
  member.lastTip = tip
  notify(member, 'onAnswer', tip)
  if (tip.height !== lastTip?.height || tip.isStale !== lastTip.isStale) notify(member, 'onHeight', tip)
}

/** A member that throws harms neither the poll nor the others. */
function notify<N extends keyof TipEvents>(member: Member, name: N, given: TipEvents[N]): void {
  const listeners: Listeners = member
  const callback = listeners[name]
  const { client, onError } = member
  const report = listenerReport(name, name === 'onError' ? { client } : { client, onError })
  if (callback !== undefined) guarded(callback, report)(given)
}

/** @throws {NodeError} `HEIGHT_UNAVAILABLE` when the node has no longer, or not yet, what it was seen to have */
export async function assertStands({ core, at }: ReadingPlace, signal: AbortSignal): Promise<void> {
  if (at === null) return
  const { height, hash } = at
  const macroblock = await getMacroblockOutline(core, { height, signal })
  if (macroblock?.keyBlock.hash !== hash) throw apiError('HEIGHT_UNAVAILABLE', { height })
}
