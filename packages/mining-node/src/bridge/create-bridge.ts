import { type LogFields, systemClock } from '@hailstone/client'
import { assertArgument, NodeError } from '@hailstone/protocol'
import { guarded, type SettingKinds } from '@hailstone/runtime'
import { assertKinds } from '../assert-kinds.ts'
import { assertPort } from '../assert-port.ts'
import { loadWs, type Ws } from '../node/load-ws.ts'
import { createAdmission } from './admission.ts'
import { createBridgeCounts } from './bridge-counts.ts'
import { createBridgeServer, listen, urlOf } from './bridge-server.ts'
import { createSessions } from './bridge-sessions.ts'
import { type BridgeSettings, parseLimits, parseOrigins, parseUpstreams } from './bridge-settings.ts'
import { createGateways, type UpstreamHealth } from './open-gateway.ts'

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
  /** Refuses new sessions, closes the open ones with 1001, and terminates after the grace what is left. Idempotent. */
  readonly stop: (options?: {
    /** Time that clients get to answer the close, in ms. */
    readonly graceMs?: number | undefined
  }) => Promise<void>
}

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
  const begunAt = now()
  const { server, connections, clients } = createBridgeServer({ ws, limits, tls, isBehindProxy })
  const sessions = createSessions({ gateways, admission, limits, counts, connections, clients, log })

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    sessions.admit(request, socket, head).catch((error: unknown) => {
      log('warn', 'bridge failed', { reason: String(error) })
      socket.destroy()
    })
  })

  await listen(server, { host: settings.host ?? '127.0.0.1', port: settings.port ?? 0 })
  const pinging = setInterval(sessions.ping, limits.pingMs)
  pinging.unref()

  let stopping: Promise<void> | undefined
  const stop: Bridge['stop'] = ({ graceMs = GRACE_MS } = {}) => (stopping ??= drain(graceMs))

  async function drain(graceMs: number): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    await sessions.drain(graceMs)
    clearInterval(pinging)
    gateways.stop()
    await sessions.end()
    // Also those that wait for a gateway, and those without their TLS.
    connections.endAll()
    await closed
  }

  return {
    url: urlOf(server, tls === undefined ? 'ws:' : 'wss:'),
    health: () => ({
      isReady: !sessions.isDraining() && gateways.isAnyLeft(),
      ...gateways.health(),
      sessions: sessions.size(),
      connections: connections.size(),
      ...counts.read(),
    }),
    metrics: () =>
      counts.metrics({
        sessions: sessions.size(),
        isDraining: sessions.isDraining(),
        uptimeMs: now() - begunAt,
        failing: gateways.health().upstreams.filter(({ isFailing }) => isFailing).length,
      }),
    stop,
    [Symbol.asyncDispose]: () => stop(),
  }
}

async function installedWs(): Promise<Ws> {
  try {
    return await loadWs()
  } catch (cause) {
    const facts = { path: 'ws', expected: 'the package ws to be installed beside this one', found: 'none' }
    throw new NodeError('CONFIGURATION_INVALID', facts, { cause })
  }
}
