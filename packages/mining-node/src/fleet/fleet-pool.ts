import { type Address, FRAME_LIMIT_BYTES, type Hash, reportError } from '@hailstone/protocol'
import { waitsInDoubt } from '../hold-reason.ts'
import type { OpenChannel } from '../session/channel.ts'
import type { SessionClock } from '../session/clock.ts'
import { describeSession, type Explanation } from '../session/describe-session.ts'
import type { SessionEvent } from '../session/effect.ts'
import type { HoldReason, SessionSettings, SessionState, StopReason, WaitReason } from '../session/state.ts'
import type { BeaconReader } from './beacon-reader.ts'
import type { BeaconVerifier } from './beacon-verifier.ts'
import { isShortage } from './descriptor-guard.ts'
import { detached } from './detached.ts'
import { eventOf } from './fleet-event-of.ts'
import type { FleetEvent } from './fleet-events.ts'
import type { FleetNodeView, NodeStatus } from './fleet-health.ts'
import { FleetNode, type FleetParts, type UntimedInput } from './fleet-node.ts'
import type { GatewayChoice } from './gateway-choice.ts'
import type { SignerPool } from './signer-pool.ts'

/** All nodes of a fleet and the one queue of what happens to them. */
export type FleetPool = {
  /** False for an address that is in the pool already. */
  readonly add: (index: number, address: Address) => boolean
  readonly begin: (index: number) => void
  /** Keeps a node away from its gateway, or releases it with null. */
  readonly hold: (address: Address, reason: HoldReason | null) => void
  /** Ends every node for good, also those that have not begun. */
  readonly end: (reason: StopReason) => void
  /** Returns the reason for which all nodes were stopped; null if they were not. */
  readonly endedBy: () => StopReason | null
  readonly counts: () => FleetPoolCounts
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

type FleetPoolCounts = {
  readonly status: Readonly<Record<NodeStatus, number>>
  readonly published: number
  readonly refused: number
  /** Of the session clock; null before the first. */
  readonly lastBeaconAt: number | null
}

export function createFleetPool(parameters: {
  readonly openChannel: OpenChannel
  readonly clock: SessionClock
  readonly random: () => number
  readonly signing: Pick<SignerPool, 'sign'>
  readonly beacons: Pick<BeaconVerifier, 'offer'>
  readonly reader: Pick<BeaconReader, 'read'>
  readonly gateways: GatewayChoice
  readonly bootNodeUrls: readonly string[]
  readonly onDuplicateKey: 'stop' | 'wait'
  readonly requireEncryption: boolean
  readonly emit: (event: FleetEvent) => void
  readonly onPublished: (microblockHash: Hash, node: number, keyBlockHash: Hash) => void
  /** A beacon came, or the first session began. */
  readonly onOffered: () => void
  readonly onRefused: () => void
  /** Called when a node was cut off again right after it published. */
  readonly onSuspected: (address: Address) => void
}): FleetPool {
  const { clock, random, gateways, emit, onPublished, onOffered, onRefused, onSuspected } = parameters
  const { bootNodeUrls, onDuplicateKey, requireEncryption } = parameters
  const nodes = new Map<number, FleetNode>()
  const byAddress = new Map<Address, FleetNode>()
  const status: Record<NodeStatus, number> = {
    idle: 0,
    connecting: 0,
    waitingForBeacon: 0,
    mining: 0,
    waiting: 0,
    stopped: 0,
  }
  const inbox: (readonly [FleetNode, UntimedInput])[] = []
  const settingsOf = new Map<string, SessionSettings>()
  let isBusy = false
  let published = 0
  let refused = 0
  let lastBeaconAt: number | null = null
  let endedBy: StopReason | null = null

  const parts: FleetParts = {
    ...parameters,
    frameLimitBytes: FRAME_LIMIT_BYTES,
    feed,
    onEvent,
    onState: (node, before) => {
      status[before.status]--
      status[node.state.status]++
    },
    nextSettings: ({ state }, { gatewayUrl }) =>
      settingsAt(gateways.reassign(gatewayUrl, state.status === 'waiting' && isRefusal(state.reason))),
  }

  /** One object for all nodes of a gateway. */
  function settingsAt(gatewayUrl: string): SessionSettings {
    const known = settingsOf.get(gatewayUrl) ?? {
      gatewayUrl,
      bootNodeUrls,
      onDuplicateKey,
      requireEncryption,
    }
    settingsOf.set(gatewayUrl, known)
    return known
  }

  /** One input after the other, each whole: what an effect reports at once waits its turn. */
  function feed(node: FleetNode, input: UntimedInput): void {
    inbox.push([node, input])
    if (isBusy) return
    isBusy = true
    for (let next = inbox.shift(); next !== undefined; next = inbox.shift()) take(...next)
    isBusy = false
  }

  /** Applies an input to a node. An exception is emitted as `failed` and does not reach other nodes. */
  function take(node: FleetNode, input: UntimedInput): void {
    try {
      node.take(input)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : 'it threw'
      const error = reportError('LISTENER_FAILED', { event: 'node', reason }, { cause })
      emit({ type: 'failed', address: node.address, error })
    }
  }

  function onEvent(node: FleetNode, event: SessionEvent): void {
    if (event.type === 'published') {
      published++
      lastBeaconAt = clock.now()
      onPublished(detached(event.microblockHash), node.index, event.keyBlockHash)
    } else if (event.type === 'beaconRefused') {
      refused++
      onRefused()
    } else if (event.type === 'beaconReceived') {
      gateways.beaconSeen(node.settings.gatewayUrl)
      onOffered()
    } else if (event.type === 'hailed' && status.mining + status.waitingForBeacon <= 1) onOffered()
    else if (event.type === 'connected') gateways.succeeded(node.settings.gatewayUrl)
    else if (event.type === 'disconnected' && isGatewaysFault(event.reason)) {
      gateways.failed(node.settings.gatewayUrl)
    } else if (event.type === 'disconnected' && isRefusal(event.reason)) {
      gateways.refused(node.settings.gatewayUrl)
    }
    if (event.type === 'disconnected' && event.reason.kind === 'publicationSuspected')
      onSuspected(node.address)
    const fleetEvent = eventOf(node, event)
    if (fleetEvent !== null) emit(fleetEvent)
  }

  function viewOf(node: FleetNode): PooledNodeView {
    const { index, address, state, settings } = node
    const { why, nextStep } = describeNode(state)
    return {
      index,
      address,
      status: state.status,
      why,
      nextStep,
      gatewayUrl: settings.gatewayUrl,
      published: node.published,
    }
  }

  return {
    add: (index, address) => {
      if (byAddress.has(address)) return false
      const node = new FleetNode({ index, address, parts, settings: settingsAt(gateways.assign()) })
      nodes.set(index, node)
      byAddress.set(address, node)
      status.idle++
      return true
    },
    begin: (index) => {
      const node = nodes.get(index)
      if (node === undefined) return
      feed(node, endedBy === null ? { type: 'start' } : { type: 'stop', reason: endedBy })
    },
    hold: (address, reason) => {
      const node = byAddress.get(address)
      if (node === undefined) return
      feed(
        node,
        reason === null
          ? { type: 'released', withOthers: waitsInDoubt(node.state) }
          : { type: 'held', reason },
      )
    },
    end: (reason) => {
      endedBy = reason
      for (const node of nodes.values()) feed(node, { type: 'stop', reason })
    },
    endedBy: () => endedBy,
    counts: () => ({ status: { ...status }, published, refused, lastBeaconAt }),
    size: () => nodes.size,
    views: function* () {
      for (const node of nodes.values()) yield viewOf(node)
    },
    view: (address) => {
      const node = byAddress.get(address)
      return node === undefined ? undefined : viewOf(node)
    },
    addresses: () => byAddress.keys(),
    has: (address) => byAddress.has(address),
    addressOf: (index) => nodes.get(index)?.address,
    rebalance: () => {
      const surplus = new Map(gateways.surplus())
      const probes = [...gateways.toProbe()]
      if (surplus.size === 0 && probes.length === 0) return
      for (const node of nodes.values()) {
        if (!isHailed(node.state)) continue
        const { gatewayUrl } = node.settings
        const probe = probes.pop()
        const left = surplus.get(gatewayUrl) ?? 0
        if (probe === undefined && left === 0) continue
        if (probe === undefined) surplus.set(gatewayUrl, left - 1)
        node.moveTo(settingsAt(gateways.move(gatewayUrl, probe)))
      }
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

/** Explains a state like a single node does, except that a shortage of this system is not blamed on the gateway. */
function describeNode(state: SessionState): Explanation {
  if (state.status !== 'waiting' || state.reason.kind !== 'gatewayUnreachable') return describeSession(state)
  const { detail } = state.reason
  if (!isShortage(detail)) return describeSession(state)
  return { why: `this system has no more files or ports to give (${detail})`, nextStep: MORE_FILES }
}

const FAULTS_OF_GATEWAYS: ReadonlySet<WaitReason['kind']> = new Set([
  'handshakeTimeout',
  'gatewayRefused',
  'gatewayMisbehaves',
  'redirectsExhausted',
  'bootNodeSilent',
  'frameTooLarge',
])

const isGatewaysFault = (reason: WaitReason): boolean =>
  reason.kind === 'gatewayUnreachable' ? !isShortage(reason.detail) : FAULTS_OF_GATEWAYS.has(reason.kind)

/** True if the gateway turned away a node that may be welcome elsewhere. */
const isRefusal = ({ kind }: WaitReason): boolean =>
  kind === 'wrongProtocolVersion' || kind === 'duplicateKey'

const isHailed = ({ status }: SessionState): boolean => status === 'mining' || status === 'waitingForBeacon'
