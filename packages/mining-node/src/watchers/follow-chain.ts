import { type ClientCore, getHeight, type PinnedCore, pinnedCore } from '@hailstone/client'
import type { Hash, NodeError } from '@hailstone/protocol'
import type { TipHeight, TipSubscriber } from './chain-tip.ts'
import { asNodeError } from './failure.ts'
import { guarded } from './guarded.ts'
import {
  type CalculatedMacroblock,
  type ChainPlace,
  type ReadChain,
  type RevertedMacroblock,
  readChain,
  type Standing,
} from './read-chain.ts'
import { pause } from './repeat.ts'
import { POLL_INTERVAL_MS } from './watch-handle.ts'

/** A chain that is polled while somebody subscribes, through the client of whoever does. */
export type FollowedChain = {
  readonly subscribe: (client: ClientCore, subscriber: TipSubscriber) => () => Promise<void>
  readonly heightOf: (keyBlockHash: Hash) => number | undefined
  readonly hashAt: (height: number) => Hash | undefined
  readonly place: () => ChainPlace | null
}

export function followChain(): FollowedChain {
  const subscribers = new Set<Subscribed>()
  let tip: TipHeight | null = null
  let loop: Loop | null = null
  let chain: ReadChain | null = null
  let place: ChainPlace | null = null
  /** In the poll that is under way. */
  let isMined = false
  /** Grows at every failure: another subscriber's client may fare better. */
  let turn = 0

  const publish = (tell: (subscriber: Subscribed) => unknown): void => {
    for (const subscriber of [...subscribers]) tell(subscriber)
  }

  function clientInTurn(): ClientCore | undefined {
    const clients = [...new Set([...subscribers].map(({ client }) => client))]
    return clients[turn % clients.length]
  }

  async function poll(client: ClientCore, signal: AbortSignal): Promise<void> {
    const core = pinnedCore(client)
    const height = await getHeight(core, { signal })
    if (signal.aborted || chain === null) return
    const reached = chain.height()
    // The next block is told at once; anything else is looked at first.
    const isNext = reached === null || height === reached + 1 || height === reached + 2
    if (isNext) tell(core, height, false)
    const standing = await followTo(chain, core, height, signal)
    if (signal.aborted || isNext) return
    if (standing === 'current') tell(core, height, false)
    else distrust(client, core, standing === 'behind')
  }

  async function followTo(
    of: ReadChain,
    core: PinnedCore,
    height: number,
    signal: AbortSignal,
  ): Promise<Standing> {
    isMined = false
    try {
      return await of.follow(core, height, signal)
    } finally {
      if (isMined) publish(({ onMined }) => onMined())
    }
  }

  /** Another node may know more. What was seen before stays, and is old until then. */
  function distrust(client: ClientCore, core: PinnedCore, isBehind: boolean): void {
    client.transport.distrust?.(core.source)
    if (tip !== null) tell(core, tip.height, isBehind || tip.isStale)
  }

  function tell({ source }: PinnedCore, height: number, isStale: boolean): void {
    const next: TipHeight = { height, isStale, source }
    const hasChanged = height !== tip?.height || isStale !== tip.isStale
    tip = next
    publish(({ onAnswer }) => onAnswer(next))
    if (hasChanged) publish(({ onHeight }) => onHeight(next))
  }

  async function run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const client = clientInTurn()
      if (client === undefined) return
      try {
        await poll(client, signal)
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        failures++
        turn++
        const failure = asNodeError(error)
        publish(({ onError }) => onError(failure))
      }
      await pause(client, { intervalMs: shortestInterval(), failures, signal })
    }
  }

  const shortestInterval = (): number =>
    Math.min(...[...subscribers].map(({ pollIntervalMs = POLL_INTERVAL_MS }) => pollIntervalMs))

  function subscribe(client: ClientCore, subscriber: TipSubscriber): () => Promise<void> {
    const own = protectedFrom(client, subscriber)
    subscribers.add(own)
    const known = tip
    if (loop === null) loop = begin()
    else if (known !== null)
      queueMicrotask(() => {
        if (!subscribers.has(own)) return
        void own.onAnswer(known)
        void own.onHeight(known)
      })
    const of = loop
    return async () => {
      subscribers.delete(own)
      if (subscribers.size > 0) return
      of.controller.abort()
      if (loop === of) loop = null
      await of.done
    }
  }

  /** Knows nothing of an earlier loop: whoever begins anew sees the chain as it is now. */
  function begin(): Loop {
    tip = null
    place = null
    chain = readChain({
      onCalculated: (macroblock, reached) => {
        place = reached
        if (macroblock.microblocks.length > 0) isMined = true
        publish(({ onCalculated }) => onCalculated(macroblock, reached))
      },
      onReverted: (macroblock) => publish(({ onReverted }) => onReverted(macroblock)),
      onError: (error) => publish(({ onError }) => onError(error)),
    })
    const controller = new AbortController()
    return { controller, done: run(controller.signal) }
  }

  return {
    subscribe,
    heightOf: (keyBlockHash) => chain?.links.heightOf(keyBlockHash),
    hashAt: (height) => chain?.links.hashAt(height),
    place: () => (loop === null ? null : place),
  }
}

type Loop = { readonly controller: AbortController; readonly done: Promise<void> }

type Subscribed = {
  readonly client: ClientCore
  readonly pollIntervalMs: number | undefined
  readonly onAnswer: (tip: TipHeight) => unknown
  readonly onHeight: (tip: TipHeight) => unknown
  readonly onCalculated: (macroblock: CalculatedMacroblock, place: ChainPlace) => unknown
  readonly onMined: () => unknown
  readonly onReverted: (macroblock: RevertedMacroblock) => unknown
  readonly onError: (error: NodeError) => unknown
}

/** A subscriber that throws harms neither the poll nor the others. */
function protectedFrom(client: ClientCore, subscriber: TipSubscriber): Subscribed {
  const { pollIntervalMs, onAnswer, onHeight, onCalculated, onMined, onReverted, onError } = subscriber
  return {
    client,
    pollIntervalMs,
    onAnswer: guarded({ event: 'answer', callback: onAnswer, onError }),
    onHeight: guarded({ event: 'height', callback: onHeight, onError }),
    onCalculated: guarded({ event: 'macroblock', callback: onCalculated, onError }),
    onMined: guarded({ event: 'macroblock', callback: onMined, onError }),
    onReverted: guarded({ event: 'macroblock', callback: onReverted, onError }),
    onError: guarded({ event: 'error', callback: onError, onError: undefined }),
  }
}
