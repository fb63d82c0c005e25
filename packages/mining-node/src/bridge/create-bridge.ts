import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type LogFields, systemClock } from '@hailstone/client'
import { assertArgument, NodeError } from '@hailstone/protocol'
import { guarded, type SettingKinds } from '@hailstone/runtime'
import type { WebSocket } from 'ws'
import { assertKinds } from '../assert-kinds.ts'
import { assertPort } from '../assert-port.ts'
import { loadWs, type Ws } from '../node/load-ws.ts'
import { type BridgeRefusal, createAdmission } from './admission.ts'
import { createBridgeCounts } from './bridge-counts.ts'
import { createBridgeServer, handshake, listen, refuse, urlOf } from './bridge-server.ts'
import { type BridgeSettings, parseLimits, parseOrigins, parseUpstreams } from './bridge-settings.ts'
import { createGateways, type Opened, type UpstreamHealth } from './open-gateway.ts'
import { type Relay, relay } from './relay.ts'

/** Health of a bridge. */
export type BridgeHealth = UpstreamHealth & {
  /** False while it drains, and while no gateway answers. */
  readonly isReady: boolean
  /** Sessions that are open now. */
  readonly sessions: number
  /** Of clients, with a session or without one. */
  readonly connections: number
  /** Sessions that were opened since the start. */
  readonly opened: number
  /** By reason. */
  readonly refused: Readonly<Record<string, number>>
}

/**
 * A relay between pages, which may only open `wss:`, and gateways, which only speak `ws:`. It keeps no state, reads
 * no message and holds no key: a miner's signature covers all that matters.
 */
export type Bridge = AsyncDisposable & {
  /** `ws:` or `wss:` address; behind something that adds TLS, the outside address is another. */
  readonly url: string
  /** Returns sessions, refusals and the gateways as they are now. */
  readonly health: () => BridgeHealth
  /** In the text format of Prometheus. */
  readonly metrics: () => string
  /** Lets nobody in any more, asks everybody to go elsewhere, and after the grace ends what is left. Idempotent. */
  readonly stop: (options?: {
    /** Time that clients get to leave by themselves, in ms. */
    readonly graceMs?: number | undefined
  }) => Promise<void>
}

const GOING_AWAY = 1001
const GRACE_MS = 1_500
const kinds: SettingKinds<BridgeSettings> = {
  upstreams: 'list',
  host: 'string',
  port: 'number',
  tls: true,
  allowedOrigins: 'list',
  isBehindProxy: 'boolean',
  limits: true,
  logger: true,
}

function assertSettings(settings: BridgeSettings): void {
  assertKinds('of createBridge', settings, kinds)
  const { upstreams, port = 0 } = Object(settings)
  assertArgument(upstreams !== undefined, 'upstreams', 'a list', upstreams)
  assertPort(port)
}

/**
 * Opens a bridge.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, also without the package `ws`; `PORT_IN_USE`, `ARGUMENT_INVALID`
 * @example
 * await using bridge = await createBridge({ upstreams: ['ws://127.0.0.1:4411'], port: 4430 })
 */
export async function createBridge(settings: BridgeSettings): Promise<Bridge> {
  assertSettings(settings)
  const upstreams = parseUpstreams(settings.upstreams)
  const limits = parseLimits(settings.limits)
  const allowedOrigins = parseOrigins(settings.allowedOrigins)
  const { isBehindProxy = false, logger, tls } = settings
  const log = guarded((level: 'debug' | 'warn', message: string, fields: LogFields) =>
    logger?.[level](message, fields),
  )
  const ws = await installedWs()
  const gateways = createGateways({ ws, upstreams, limits })
  const now = systemClock.monotonicMs
  const admission = createAdmission({ limits, allowedOrigins, isBehindProxy, now })
  const counts = createBridgeCounts()
  const relays = new Set<Relay>()
  const begunAt = now()
  let isDraining = false
  const { server, connections, clients } = createBridgeServer({ ws, limits, tls, isBehindProxy })

  const turnAway = (socket: Duplex, why: BridgeRefusal): void => {
    counts.refused(why)
    refuse(socket, why)
    log('debug', 'bridge refused', { why })
  }
  async function admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const refusal = isDraining ? 'draining' : admission.judge(request)
    if (refusal !== undefined) return turnAway(socket, refusal)
    const order = gateways.orderFor(request.url)
    if (order.length === 0) return turnAway(socket, 'unknown_gateway')
    const address = admission.addressOf(request)
    admission.enter(address)
    connections.keep(request.socket)
    try {
      const gateway = await gateways.openOneOf(order, socket)
      // The end of a client that went away meanwhile was emitted already: waiting for it would never end.
      if (socket.destroyed) return gateway?.socket.terminate()
      if (gateway === undefined) return turnAway(socket, 'gateway_failed')
      await carry(gateway, socket, await handshake(clients, request, socket, head))
    } finally {
      admission.leave(address)
    }
  }

  async function carry(gateway: Opened, line: Duplex, client: WebSocket | undefined): Promise<void> {
    if (client === undefined || isDraining) {
      gateway.socket.terminate()
      client?.close(GOING_AWAY)
      return
    }
    const pair = relay({ client, line, gateway: gateway.socket, limits, counts, now })
    gateway.release()
    relays.add(pair)
    counts.opened()
    await pair.closed
    relays.delete(pair)
  }

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    admit(request, socket, head).catch((error: unknown) => {
      log('warn', 'bridge failed', { reason: String(error) })
      socket.destroy()
    })
  })

  await listen(server, { host: settings.host ?? '127.0.0.1', port: settings.port ?? 0 })
  const pinging = setInterval(() => {
    for (const pair of relays) pair.ping()
  }, limits.pingMs)
  pinging.unref()

  let stopping: Promise<void> | undefined
  const stop: Bridge['stop'] = ({ graceMs = GRACE_MS } = {}) => (stopping ??= drain(graceMs))

  async function drain(graceMs: number): Promise<void> {
    isDraining = true
    const closed = new Promise((resolve) => server.close(resolve))
    const left = await askToLeave(relays, graceMs)
    clearInterval(pinging)
    gateways.stop()
    for (const pair of left) pair.terminate()
    await Promise.all(left.map((pair) => pair.closed))
    relays.clear()
    // Also those that wait for a gateway, and those without their TLS.
    connections.endAll()
    await closed
  }

  return {
    url: urlOf(server, tls === undefined ? 'ws:' : 'wss:'),
    health: () => ({
      isReady: !isDraining && gateways.isAnyLeft(),
      ...gateways.health(),
      sessions: relays.size,
      connections: connections.size(),
      ...counts.read(),
    }),
    metrics: () =>
      counts.metrics({
        sessions: relays.size,
        isDraining,
        uptimeMs: now() - begunAt,
        failing: gateways.health().upstreams.filter(({ isFailing }) => isFailing).length,
      }),
    stop,
    [Symbol.asyncDispose]: () => stop(),
  }
}

/** Asks every client to go elsewhere; resolves with the sessions that are left when the grace ends. */
async function askToLeave(relays: ReadonlySet<Relay>, graceMs: number): Promise<readonly Relay[]> {
  for (const pair of relays) pair.close(GOING_AWAY, 'the bridge ends')
  const leaving = new AbortController()
  await Promise.race([
    Promise.all([...relays].map((pair) => pair.closed)),
    systemClock.sleep(graceMs, leaving.signal).catch(() => undefined),
  ])
  leaving.abort()
  return [...relays]
}

async function installedWs(): Promise<Ws> {
  try {
    return await loadWs()
  } catch (cause) {
    const facts = { path: 'ws', expected: 'the package ws to be installed beside this one', found: 'none' }
    throw new NodeError('CONFIGURATION_INVALID', facts, { cause })
  }
}
