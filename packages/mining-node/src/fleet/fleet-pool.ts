import type { Address, Hash } from '@hailstone/protocol'
import { callbackError } from '../failure.ts'
import { waitsInDoubt } from '../hold-reason.ts'
import { describeSession, type Explanation } from '../session/describe-session.ts'
import type { SessionEvent } from '../session/effect.ts'
import { createInbox } from '../session/inbox.ts'
import type { UntimedInput } from '../session/input.ts'
import type { HoldReason, SessionSettings, SessionState, StopReason } from '../session/state.ts'
import { isShortage } from './descriptor-guard.ts'
import { detached } from './detached.ts'
import { eventOf } from './fleet-event-of.ts'
import type { FleetEvent } from './fleet-events.ts'
import type { FleetNodeView } from './fleet-health.ts'
import { FleetNode, type FleetParts } from './fleet-node.ts'
import type { GatewayChoice } from './gateway-choice.ts'
import {
  afterEvent,
  afterStatus,
  EMPTY_POOL,
  type FleetPoolState,
  gatewayNews,
  isOffer,
  isRefused,
  movesOf,
} from './pool-state.ts'

/** All nodes of a fleet and the one queue of what happens to them. */
export type FleetPool = {
  /** False for an address that is in the pool already. */
  readonly add: (index: number, address: Address) => boolean
  readonly begin: (index: number) => void
  /** Keeps a node away from its gateway, or releases it with null. */
  readonly hold: (address: Address, reason: HoldReason | null) => void
  /** Ends every node for good, also those that have not begun. */
  readonly end: (reason: StopReason) => void
  readonly state: () => FleetPoolState
  readonly size: () => number
  readonly views: () => IterableIterator<PooledNodeView>
  readonly view: (address: Address) => PooledNodeView | undefined
  readonly addresses: () => Iterable<Address>
  readonly has: (address: Address) => boolean
  readonly addressOf: (index: number) => Address | undefined
  /** Takes all connections for dead, over a few seconds: ten thousand at once would be a storm. */
  readonly resume: (gapMs: number) => void
  /** Moves nodes from gateways with more than their share. */
  readonly rebalance: () => void
  readonly stop: (parallelism: number) => Promise<void>
}

/** State of a node, without its account. */
export type PooledNodeView = Omit<FleetNodeView, 'account'>

type FleetPoolParameters = Omit<FleetParts, 'feed' | 'nextSettings' | 'onEvent' | 'onState'> & {
  readonly gateways: GatewayChoice
  /** Of all sessions. */
  readonly settings: Omit<SessionSettings, 'gatewayUrl'>
  readonly emit: (event: FleetEvent) => void
  readonly onPublished: (microblockHash: Hash, node: number, keyBlockHash: Hash) => void
  /** A beacon came, or the first session began. */
  readonly onOffered: () => void
  readonly onRefused: () => void
  /** Called when a node was cut off again right after it published. */
  readonly onSuspected: (address: Address) => void
}

/** Creates a pool without nodes. */
export function createFleetPool(parameters: FleetPoolParameters): FleetPool {
  const { clock, random, gateways, emit, onPublished, onOffered, onRefused, onSuspected } = parameters
  const nodes = new Map<number, FleetNode>()
  const byAddress = new Map<Address, FleetNode>()
  const settingsOf = new Map<string, SessionSettings>()
  let pool = EMPTY_POOL

  /** Applies an input to a node. An exception is emitted as `failed` and does not reach other nodes. */
  const feed = createInbox(([node, input]: readonly [FleetNode, UntimedInput]): void => {
    try {
      node.take(input)
    } catch (cause) {
      emit({ type: 'failed', address: node.address, error: callbackError('node', cause) })
    }
  })

  const parts: FleetParts = {
    ...parameters,
    feed: (node, input) => feed([node, input]),
    onEvent,
    onState: ({ state }, before) => {
      pool = afterStatus(pool, before.status, state.status)
    },
    nextSettings: ({ state }, { gatewayUrl }) => settingsAt(gateways.reassign(gatewayUrl, isRefused(state))),
  }

  /** One object for all nodes of a gateway. */
  function settingsAt(gatewayUrl: string): SessionSettings {
    const known = settingsOf.get(gatewayUrl) ?? { ...parameters.settings, gatewayUrl }
    settingsOf.set(gatewayUrl, known)
    return known
  }

  function onEvent(node: FleetNode, event: SessionEvent): void {
    pool = afterEvent(pool, event, clock.now())
    const news = gatewayNews(event, node.state)
    if (news !== null) gateways[news](node.settings.gatewayUrl)
    if (event.type === 'published')
      onPublished(detached(event.microblockHash), node.index, event.keyBlockHash)
    else if (event.type === 'beaconRefused') onRefused()
    else if (isOffer(pool, event)) onOffered()
    else if (event.type === 'disconnected' && event.reason.kind === 'publicationSuspected')
      onSuspected(node.address)
    const fleetEvent = eventOf(node, event)
    if (fleetEvent !== null) emit(fleetEvent)
  }

  return {
    add: (index, address) => {
      if (byAddress.has(address)) return false
      const node = new FleetNode({ index, address, parts, settings: settingsAt(gateways.assign()) })
      nodes.set(index, node)
      byAddress.set(address, node)
      pool = afterStatus(pool, null, 'idle')
      return true
    },
    begin: (index) => {
      const node = nodes.get(index)
      if (node !== undefined)
        feed([node, pool.endedBy ? { type: 'stop', reason: pool.endedBy } : { type: 'start' }])
    },
    hold: (address, reason) => {
      const node = byAddress.get(address)
      if (node === undefined) return
      if (reason !== null) feed([node, { type: 'held', reason }])
      else feed([node, { type: 'released', withOthers: waitsInDoubt(node.state) }])
    },
    end: (reason) => {
      pool = { ...pool, endedBy: reason }
      for (const node of nodes.values()) feed([node, { type: 'stop', reason }])
    },
    state: () => pool,
    size: () => nodes.size,
    views: function* () {
      for (const node of nodes.values()) yield viewOf(node)
    },
    view: (address) => {
      const node = byAddress.get(address)
      return node && viewOf(node)
    },
    addresses: () => byAddress.keys(),
    has: (address) => byAddress.has(address),
    addressOf: (index) => nodes.get(index)?.address,
    rebalance: () => {
      for (const [node, to] of movesOf(nodes.values(), gateways.surplus(), gateways.toProbe()))
        node.moveTo(settingsAt(gateways.move(node.settings.gatewayUrl, to)))
    },
    resume: (gapMs) => {
      for (const node of nodes.values()) clock.after(random() * RESUME_SPREAD_MS, () => node.resume(gapMs))
    },
    stop: async (parallelism) => {
      const waiting = nodes.values()
      const lane = async (): Promise<void> => {
        for (const node of waiting) await node.stop()
      }
      await Promise.all(Array.from({ length: parallelism }, lane))
    },
  }
}

const RESUME_SPREAD_MS = 5_000

const MORE_FILES = 'Raise the limit of open files (ulimit -n), or run fewer nodes in one process.'

function viewOf({ index, address, state, settings: { gatewayUrl }, published }: FleetNode): PooledNodeView {
  return { index, address, status: state.status, ...describeNode(state), gatewayUrl, published }
}

/** Explains a state like a single node does, except that a shortage of this system is not blamed on the gateway. */
function describeNode(state: SessionState): Explanation {
  if (state.status !== 'waiting' || state.reason.kind !== 'gatewayUnreachable') return describeSession(state)
  const { detail } = state.reason
  if (!isShortage(detail)) return describeSession(state)
  return { why: `this system has no more files or ports to give (${detail})`, nextStep: MORE_FILES }
}
