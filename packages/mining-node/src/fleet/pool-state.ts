import type { SessionEvent } from '../session/effect.ts'
import type { SessionState, StopReason, WaitReason } from '../session/state.ts'
import { isShortage } from './descriptor-guard.ts'
import type { NodeStatus } from './fleet-health.ts'
import type { FleetNode } from './fleet-node.ts'

/** State of a pool: counts over all of its nodes, and their end. */
export type FleetPoolState = {
  readonly status: Readonly<Record<NodeStatus, number>>
  readonly published: number
  readonly refused: number
  /** Of the session clock; null before the first. */
  readonly lastBeaconAt: number | null
  /** Reason for which all nodes were stopped; null if they were not. */
  readonly endedBy: StopReason | null
}

export const EMPTY_POOL: FleetPoolState = {
  status: { idle: 0, connecting: 0, waitingForBeacon: 0, mining: 0, waiting: 0, stopped: 0 },
  published: 0,
  refused: 0,
  lastBeaconAt: null,
  endedBy: null,
}

/** Returns the state after a node got another status; `before` is null for a new node. */
export function afterStatus(
  pool: FleetPoolState,
  before: NodeStatus | null,
  now: NodeStatus,
): FleetPoolState {
  if (before === now) return pool
  const status = { ...pool.status }
  if (before !== null) status[before]--
  status[now]++
  return { ...pool, status }
}

/** Returns the state after an event of a node. */
export function afterEvent(pool: FleetPoolState, { type }: SessionEvent, at: number): FleetPoolState {
  if (type === 'published') return { ...pool, published: pool.published + 1, lastBeaconAt: at }
  return type === 'beaconRefused' ? { ...pool, refused: pool.refused + 1 } : pool
}

/** Returns true for a beacon, and where the first session of all began. */
export const isOffer = ({ status }: FleetPoolState, { type }: SessionEvent): boolean =>
  type === 'beaconReceived' || (type === 'hailed' && status.mining + status.waitingForBeacon <= 1)

/** Returns what an event of a node, which is in this state after it, says about its gateway; null if it says nothing. */
export function gatewayNews(
  event: SessionEvent,
  state: SessionState,
): 'beaconSeen' | 'succeeded' | 'failed' | 'refused' | null {
  if (event.type === 'beaconReceived') return 'beaconSeen'
  if (event.type === 'connected') return 'succeeded'
  if (event.type !== 'disconnected') return null
  return isGatewaysFault(event.reason) ? 'failed' : isRefused(state) ? 'refused' : null
}

/**
 * Returns true for a node that a gateway turned away, and that may be welcome elsewhere. A link that is lost says nothing: a
 * restart looks the same.
 */
export function isRefused(state: SessionState): boolean {
  if (state.status !== 'waiting') return false
  const { reason, delayMs } = state
  if (reason.kind === 'connectionClosed') return reason.said !== undefined
  // Where the API says so, nothing is planned.
  if (reason.kind === 'stakeTooLow') return delayMs > 0
  return reason.kind === 'wrongProtocolVersion' || reason.kind === 'duplicateKey'
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

const isHailed = ({ status }: SessionState): boolean => status === 'mining' || status === 'waitingForBeacon'

/** True for a node that connects by itself. Those that are held back or ended do not find out whether a gateway is back. */
const isComing = (state: SessionState): boolean =>
  state.status === 'connecting' || (state.status === 'waiting' && state.delayMs > 0)

/**
 * Yields the nodes that move to another gateway: one to each that may be back, and as many as others have too many.
 *
 * @param probes gateways that may be back; those that a node is at, or on its way to, are not probed
 */
export function* movesOf<Node extends Pick<FleetNode, 'state' | 'settings'>>(
  nodes: Iterable<Node>,
  surplus: ReadonlyMap<string, number>,
  probes: readonly string[],
): Generator<readonly [Node, to: string | undefined]> {
  if (surplus.size + probes.length === 0) return
  const all = [...nodes]
  const isTried = (url: string): boolean =>
    all.some(({ state, settings }) => settings.gatewayUrl === url && (isHailed(state) || isComing(state)))
  const [left, open] = [new Map(surplus), probes.filter((url) => !isTried(url))]
  for (const node of all) {
    if (!isHailed(node.state)) continue
    const { gatewayUrl } = node.settings
    const probe = open.pop()
    const tooMany = left.get(gatewayUrl) ?? 0
    if (probe === undefined && tooMany > 0) left.set(gatewayUrl, tooMany - 1)
    if (probe !== undefined || tooMany > 0) yield [node, probe]
  }
}
