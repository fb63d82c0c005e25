import type { Client, MacroblockInfo } from '@hailstone/client'
import type { Hash, NodeError } from '@hailstone/protocol'
import { asNodeError } from './failure.ts'
import { guarded } from './guarded.ts'
import { pause } from './repeat.ts'
import { POLL_INTERVAL_MS } from './watch-handle.ts'

/** The height a client's network answers. */
export type TipHeight = {
  /** The highest that was seen; the key block of this height is open. */
  readonly height: number
  /** The network answers a lower height than before: it resynchronises or is another one. */
  readonly isStale: boolean
}

export type TipSubscriber = {
  readonly pollIntervalMs?: number | undefined
  /** After every poll that was answered. */
  readonly onAnswer?: ((tip: TipHeight) => void) | undefined
  /** After every poll that brought a change. */
  readonly onHeight?: ((tip: TipHeight) => void) | undefined
  /** Each macroblock whose rewards are booked, in order of height, from the newest at the beginning on. */
  readonly onCalculated?: ((macroblock: MacroblockInfo) => void) | undefined
  readonly onError?: ((error: NodeError) => void) | undefined
}

/** A client's one poll of the height, shared by everything that watches through this client. */
export type ChainTip = {
  /** Returns the way out, which waits for the poll in flight when it was the last subscriber. */
  readonly subscribe: (subscriber: TipSubscriber) => () => Promise<void>
  /** The height of a key block that passed by. */
  readonly heightOf: (keyBlockHash: Hash) => number | undefined
}

/** Macroblocks that are caught up with after a pause; older ones are skipped. */
const CATCH_UP_LIMIT = 100
/** Polls a macroblock may fail before it counts as a hole. */
const PATIENCE = 5
const HEIGHTS_KEPT = 256

const tips = new WeakMap<Client, ChainTip>()

export function chainTipOf(client: Client): ChainTip {
  const known = tips.get(client)
  if (known !== undefined) return known
  const tip = createChainTip(client)
  tips.set(client, tip)
  return tip
}

function createChainTip(client: Client): ChainTip {
  const subscribers = new Set<Subscribed>()
  const heights = new Map<Hash, number>()
  let tip: TipHeight | null = null
  let calculated: number | null = null
  /** For the next macroblock, since one above it was opened. */
  let attempts = 0
  let loop: Loop | null = null

  const publish = (tell: (subscriber: Subscribed) => unknown): void => {
    for (const subscriber of [...subscribers]) tell(subscriber)
  }

  async function poll(signal: AbortSignal): Promise<void> {
    const height = await client.getHeight({ signal })
    if (signal.aborted) return
    const highest = Math.max(height, tip?.height ?? 0)
    const next: TipHeight = { height: highest, isStale: height < highest }
    const hasChanged = next.height !== tip?.height || next.isStale !== tip.isStale
    tip = next
    publish(({ onAnswer }) => onAnswer(next))
    if (hasChanged) publish(({ onHeight }) => onHeight(next))
    if (!next.isStale) await catchUp(height - 1, signal)
  }

  /** Everything calculated up to the macroblock below the tip, which itself may take another moment. */
  /** Everything calculated up to the macroblock below the tip, which itself may take another moment. */
  async function catchUp(newest: number, signal: AbortSignal): Promise<void> {
    if (newest < 0) return
    calculated = Math.max(calculated ?? newest - 1, newest - CATCH_UP_LIMIT)
    while (calculated < newest && !signal.aborted) {
      const height: number = calculated + 1
      if (height < newest) attempts++
      const macroblock = await readCalculated(height, signal)
      const isHole = macroblock === null && attempts >= PATIENCE
      if (macroblock === null && !isHole) return
      calculated = height
      attempts = 0
      if (macroblock === null) continue
      keepHeight(macroblock)
      publish(({ onCalculated }) => onCalculated(macroblock))
    }
  }

  async function readCalculated(height: number, signal: AbortSignal): Promise<MacroblockInfo | null> {
    try {
      const macroblock = await client.getMacroblock({ height, signal })
      return macroblock?.isCalculated === true ? macroblock : null
    } catch (error) {
      if (signal.aborted || attempts < PATIENCE) throw error
      const failure = asNodeError(error)
      publish(({ onError }) => onError(failure))
      return null
    }
  }

  function keepHeight({ keyBlock }: MacroblockInfo): void {
    heights.set(keyBlock.hash, keyBlock.height)
    const [oldest] = heights.keys()
    if (heights.size > HEIGHTS_KEPT && oldest !== undefined) heights.delete(oldest)
  }

  async function run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      try {
        await poll(signal)
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        failures++
        const failure = asNodeError(error)
        publish(({ onError }) => onError(failure))
      }
      await pause(client, { intervalMs: shortestInterval(), failures, signal })
    }
  }

  const shortestInterval = (): number =>
    Math.min(...[...subscribers].map(({ pollIntervalMs = POLL_INTERVAL_MS }) => pollIntervalMs))

  function subscribe(subscriber: TipSubscriber): () => Promise<void> {
    const own = protectedFrom(subscriber)
    subscribers.add(own)
    const known = tip
    if (loop === null) loop = begin()
    else if (known !== null) queueMicrotask(() => subscribers.has(own) && own.onHeight(known))
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
    calculated = null
    attempts = 0
    const controller = new AbortController()
    return { controller, done: run(controller.signal) }
  }

  return { subscribe, heightOf: (keyBlockHash) => heights.get(keyBlockHash) }
}

type Loop = { readonly controller: AbortController; readonly done: Promise<void> }

type Subscribed = {
  readonly pollIntervalMs: number | undefined
  readonly onAnswer: (tip: TipHeight) => unknown
  readonly onHeight: (tip: TipHeight) => unknown
  readonly onCalculated: (macroblock: MacroblockInfo) => unknown
  readonly onError: (error: NodeError) => unknown
}

/** A subscriber that throws harms neither the poll nor the others. */
function protectedFrom(subscriber: TipSubscriber): Subscribed {
  const { pollIntervalMs, onAnswer, onHeight, onCalculated, onError } = subscriber
  return {
    pollIntervalMs,
    onAnswer: guarded({ event: 'answer', callback: onAnswer, onError }),
    onHeight: guarded({ event: 'height', callback: onHeight, onError }),
    onCalculated: guarded({ event: 'macroblock', callback: onCalculated, onError }),
    onError: guarded({ event: 'error', callback: onError, onError: undefined }),
  }
}
