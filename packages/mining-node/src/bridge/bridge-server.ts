import {
  createServer as createPlainServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { addressBlock, limitConnections, openFilesLimit } from '@hailstone/runtime/node'
import type { WebSocket, WebSocketServer } from 'ws'
import { listenError } from '../listen-error.ts'
import type { Ws } from '../node/load-ws.ts'
import type { BridgeRefusal } from './admission.ts'
import type { BridgeLimits, BridgeSettings } from './bridge-settings.ts'

/** Time after which the connection of a refused client is destroyed. */
const REFUSED_MS = 1_000
/** Interval at which the times of requests are checked. */
const CHECK_MS = 500
/** Files that are open for other things than sessions. */
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

/** The server of a bridge, which listens later, the limits of its connections, and the handshake with its clients. */
export type BridgeServer = {
  readonly server: Server
  readonly connections: ReturnType<typeof limitConnections>
  readonly clients: WebSocketServer
}

export function createBridgeServer({
  ws,
  limits,
  tls,
  isBehindProxy,
}: Pick<BridgeSettings, 'tls'> & {
  readonly ws: Ws
  readonly limits: BridgeLimits
  readonly isBehindProxy: boolean
}): BridgeServer {
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
  server.on('request', (_, response) => {
    response
      .writeHead(426, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      .end('This is a bridge for WebSockets.\n')
  })
  return { server, connections, clients }
}

/** Answers a connection with why it is refused, and ends it. */
export function refuse(socket: Duplex, why: BridgeRefusal): void {
  const [status, text, retryS] = answers[why]
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'connection: close',
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    ...(retryS === undefined ? [] : [`retry-after: ${retryS}`]),
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
  // Data of the client is discarded, so that its end is seen; a client that never ends is destroyed.
  socket.resume()
  const last = setTimeout(() => socket.destroy(), REFUSED_MS)
  socket.once('close', () => clearTimeout(last))
}

/** Resolves with the WebSocket of a client, or with undefined if it leaves before. */
export const handshake = (
  clients: WebSocketServer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<WebSocket | undefined> =>
  new Promise((resolve) => {
    socket.once('close', () => resolve(undefined))
    clients.handleUpgrade(request, socket, head, resolve)
  })

/** @throws {NodeError} `PORT_IN_USE`, `CONFIGURATION_INVALID` */
export async function listen(
  server: Server,
  at: { readonly host: string; readonly port: number },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(listenError(cause, at)))
    server.listen(at, resolve)
  })
}

export function urlOf(server: Server, protocol: string): string {
  const { address, family, port } = server.address() as AddressInfo
  return `${protocol}//${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
