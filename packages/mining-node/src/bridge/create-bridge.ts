import {
  createServer as createPlainServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type LogFields, systemClock } from '@hailstone/client'
import { assertArgument, NodeError } from '@hailstone/protocol'
import { guarded, type SettingKinds } from '@hailstone/runtime'
import { addressBlock, limitConnections, openFilesLimit } from '@hailstone/runtime/node'
import type { WebSocket, WebSocketServer } from 'ws'
import { assertKinds } from '../assert-kinds.ts'
import { assertPort } from '../assert-port.ts'
import { listenError } from '../listen-error.ts'
import { loadWs, type Ws } from '../node/load-ws.ts'
import { type BridgeRefusal, createAdmission } from './admission.ts'
import { createBridgeCounts } from './bridge-counts.ts'
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
/** Longest time that a refused client has to read why. */
const REFUSED_MS = 1_000
/** Interval at which the times of requests are checked. */
const CHECK_MS = 500
/** Open files for all that is no session. */
const OWN_FILES = 64
const MIN_CONNECTIONS = 8

/** A session takes two files: one for each side. */
const connectionsOf = (openFiles: number): number =>
  Math.max(MIN_CONNECTIONS, Math.floor((openFiles - OWN_FILES) / 2))

const answers: Readonly<Record<BridgeRefusal, readonly [status: number, text: string, retryS?: number]>> = {
  draining: [503, 'This bridge is about to end. Connect again to reach another.', 1],
  origin: [403, 'Pages of this origin may not use this bridge.'],
  full: [503, 'This bridge bears no more sessions.', 10],
  address_full: [429, 'Too many sessions come from this address.', 30],
  too_often: [429, 'Sessions are opened too often from this address.', 30],
  unknown_gateway: [404, 'This bridge does not lead to that gateway.'],
  gateway_failed: [502, 'The gateway does not answer.', 5],
}

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

  const times: ServerOptions = {
    headersTimeout: limits.openMs,
    requestTimeout: limits.openMs,
    keepAliveTimeout: limits.openMs,
    connectionsCheckingInterval: Math.min(limits.openMs, CHECK_MS),
  }
  const server =
    tls === undefined
      ? createPlainServer(times)
      : createTlsServer({ ...times, handshakeTimeout: limits.openMs, cert: tls.certificate, key: tls.key })
  const connections = limitConnections(server, {
    most: Math.min(limits.connections, connectionsOf(openFilesLimit())),
    maxOfGroup: isBehindProxy ? undefined : limits.connectionsPerAddress,
    groupOf: addressBlock,
  })
  const clients: WebSocketServer = new ws.WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    // The relay answers pings, as many as its limits allow.
    autoPong: false,
    maxPayload: limits.clientFrameBytes,
  })

  function refuse(socket: Duplex, why: BridgeRefusal): void {
    counts.refused(why)
    const [status, text, retryS] = answers[why]
    const head = [
      `HTTP/1.1 ${status} Refused`,
      'connection: close',
      'content-type: text/plain; charset=utf-8',
      `content-length: ${Buffer.byteLength(text)}`,
      ...(retryS === undefined ? [] : [`retry-after: ${retryS}`]),
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
    // What is still sent is thrown away, so that the end of the other side is seen; one that never ends is not waited for.
    socket.resume()
    const last = setTimeout(() => socket.destroy(), REFUSED_MS)
    socket.once('close', () => clearTimeout(last))
    log('debug', 'bridge refused', { why })
  }

  async function admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const refusal = isDraining ? 'draining' : admission.judge(request)
    if (refusal !== undefined) return refuse(socket, refusal)
    const order = gateways.orderFor(request.url)
    if (order.length === 0) return refuse(socket, 'unknown_gateway')
    const address = admission.addressOf(request)
    admission.enter(address)
    connections.keep(request.socket)
    try {
      const gateway = await gateways.openOneOf(order, socket)
      // The end of a client that went away meanwhile was emitted already: waiting for it would never end.
      if (socket.destroyed) return gateway?.socket.terminate()
      if (gateway === undefined) return refuse(socket, 'gateway_failed')
      await carry(gateway, socket, await shakenHands(request, socket, head))
    } finally {
      admission.leave(address)
    }
  }

  const shakenHands = (
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<WebSocket | undefined> =>
    new Promise((resolve) => {
      socket.once('close', () => resolve(undefined))
      clients.handleUpgrade(request, socket, head, resolve)
    })

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
  server.on('request', (_, response) => {
    response
      .writeHead(426, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      .end('This is a bridge for WebSockets.\n')
  })
  const pinging = setInterval(() => {
    for (const pair of relays) pair.ping()
  }, limits.pingMs)
  pinging.unref()

  await listen(server, { host: settings.host ?? '127.0.0.1', port: settings.port ?? 0 })

  let stopping: Promise<void> | undefined
  const stop: Bridge['stop'] = ({ graceMs = GRACE_MS } = {}) => {
    stopping ??= drain(graceMs)
    return stopping
  }

  async function drain(graceMs: number): Promise<void> {
    isDraining = true
    const closed = new Promise((resolve) => server.close(resolve))
    for (const pair of relays) pair.close(GOING_AWAY, 'the bridge ends')
    const leaving = new AbortController()
    await Promise.race([
      Promise.all([...relays].map((pair) => pair.closed)),
      systemClock.sleep(graceMs, leaving.signal).catch(() => undefined),
    ])
    leaving.abort()
    clearInterval(pinging)
    gateways.stop()
    const left = [...relays]
    for (const pair of left) pair.terminate()
    await Promise.all(left.map((pair) => pair.closed))
    relays.clear()
    // Also those that wait for a gateway, and those without their TLS.
    connections.endAll()
    await closed
  }

  return {
    url: addressOf(server, tls === undefined ? 'ws:' : 'wss:'),
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

async function installedWs(): Promise<Ws> {
  try {
    return await loadWs()
  } catch (cause) {
    const facts = { path: 'ws', expected: 'the package ws to be installed beside this one', found: 'none' }
    throw new NodeError('CONFIGURATION_INVALID', facts, { cause })
  }
}

async function listen(server: Server, at: { readonly host: string; readonly port: number }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(listenError(cause, at)))
    server.listen(at, resolve)
  })
}

function addressOf(server: Server, protocol: string): string {
  const { address, family, port } = server.address() as AddressInfo
  return `${protocol}//${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
