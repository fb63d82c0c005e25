import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type FaultLayers, type Listener, openListener, RANK, SocketTap } from '@hailstone/fault-injection'
import type { WebSocket } from 'ws'
import { acceptedConnections, countAcceptedConnection } from '../accepted-connections.ts'
import { formatMiners, MINERS_PATH } from '../cluster/miners-of-leader.ts'
import { type Relay, relayLine } from '../cluster/relay-line.ts'
import type { FairTurns } from '../fair-turns.ts'
import { type OriginRules, refusalOfUpgrade } from '../http/answered-origins.ts'
import { refuseBrokenRequest, requestLimits } from '../http/request-limits.ts'
import { createAdmissionQueue } from './admission-queue.ts'
import type { OnlineMiner } from './online-miner.ts'
import { WebSocketServer } from './web-socket-server.ts'

/** Every honest frame of a miner is far smaller; a larger one closes its own connection with code 1009. */
const LARGEST_FRAME_BYTES = 64 * 1024
const UPGRADE_REQUIRED = 426
/** Nobody has a reason to send further requests before an upgrade. */
const MAX_OPEN_REQUESTS = 2
/** Longest wait of a miner for a leader, and interval of the checks for one, in ms. */
const LONGEST_WAIT_MS = 5000
const WAIT_MS = 50

/** Of several processes over one database. */
export type GatewaySharing = {
  readonly isLeading: () => boolean
  /** Returns the leader's address for miners; null if there is none. */
  readonly relay: () => Relay | null
  readonly miners: () => readonly OnlineMiner[]
  /** Returns another number after each change of the miners. */
  readonly minersVersion: () => number
}

export type GatewayListener = Listener & {
  /** Of the entrance for connections that other processes bring; null where there are none. */
  readonly relayPort: number | null
}

type ListenerParameters = {
  readonly host: string
  readonly port: number
  readonly faults: FaultLayers
  readonly welcome: (socket: WebSocket, request: IncomingMessage) => void
  /** Upgrades are taken in turns with the messages of the miners that are connected. */
  readonly turns: FairTurns<object>
  readonly origins: OriginRules
  /** Largest number of connections. */
  readonly maxConnections: number
  readonly shared?: GatewaySharing | undefined
}

/** Listens for miners. @throws {NodeError} `PORT_IN_USE`, `SOCKET_FAILED` */
export async function openGatewayListener(parameters: ListenerParameters): Promise<GatewayListener> {
  const { faults, shared } = parameters
  const relayed = new WeakSet<object>()
  const server = createGatewayServer(parameters, relayed)
  const maxOpenRequests = (): number => MAX_OPEN_REQUESTS
  const readLater = createAdmissionQueue({ acceptedByApi: () => acceptedConnections('api') })
  const common = {
    ...parameters,
    scheme: 'ws',
    onAccepted: () => countAcceptedConnection('gateway'),
    server,
    later: faults.later,
    maxOpenRequests,
    readLater,
  }
  if (shared === undefined) {
    const listener = await openListener({ ...common, admit: faults.socket.admit })
    return withoutWatch({ ...listener, relayPort: null }, server)
  }
  const front = await openListener({
    ...common,
    admit: (socketTap, enter) => admitOrRelay(parameters, socketTap, enter),
  })
  try {
    return withoutWatch(bothListeners(front, await openRelayListener(common, shared, relayed)), server)
  } catch (error) {
    await front.close()
    throw error
  }
}

/**
 * An entrance of its own for what other processes bring. Here nothing is passed on any further: two processes that
 * each take the other for the leader would hand one connection to and fro without end.
 */
function openRelayListener(
  common: Omit<Parameters<typeof openListener>[0], 'admit'>,
  { isLeading }: GatewaySharing,
  relayed: WeakSet<object>,
): Promise<Listener> {
  const admit = (socketTap: SocketTap, enter: () => void): void => {
    relayed.add(socketTap)
    if (isLeading()) enter()
    else socketTap.destroy()
  }
  return openListener({ ...common, port: 0, admit })
}

function admitOrRelay({ faults, shared }: ListenerParameters, socketTap: SocketTap, enter: () => void): void {
  if (shared === undefined || shared.isLeading()) faults.socket.admit(socketTap, enter)
  else relayWhenPossible(shared, socketTap, performance.now() + LONGEST_WAIT_MS, { faults, enter })
}

/** A miner that comes while a new leader is being found waits for it, as long as it likes to. */
function relayWhenPossible(
  shared: GatewaySharing,
  socketTap: SocketTap,
  deadline: number,
  { faults, enter }: { readonly faults: FaultLayers; readonly enter: () => void },
): void {
  if (socketTap.destroyed) return
  const relay = shared.relay()
  if (shared.isLeading()) faults.socket.admit(socketTap, enter)
  else if (relay !== null) {
    socketTap.onRank?.(RANK.staked)
    relayLine(socketTap, relay)
  } else if (performance.now() > deadline) socketTap.destroy()
  else faults.later(WAIT_MS, () => relayWhenPossible(shared, socketTap, deadline, { faults, enter }))
}

const bothListeners = (front: Listener, back: Listener): GatewayListener => ({
  port: front.port,
  relayPort: back.port,
  size: () => front.size() + back.size(),
  shut: async () => void (await Promise.all([front.shut(), back.shut()])),
  reopen: async () => void (await Promise.all([front.reopen(), back.reopen()])),
  close: async (patienceMs) => void (await Promise.all([front.close(patienceMs), back.close(patienceMs)])),
})

/** Ends the watch over slow requests together with the listener. */
const withoutWatch = (listener: GatewayListener, server: Server): GatewayListener => ({
  ...listener,
  close: (patienceMs) => listener.close(patienceMs).finally(() => server.close()),
})

function createGatewayServer(
  { faults, welcome, turns, origins, shared }: ListenerParameters,
  relayed: WeakSet<object>,
): Server {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_FRAME_BYTES,
    clientTracking: false,
    // The session answers pings itself, as many as the sender reads.
    autoPong: false,
  })
  const server = createServer(requestLimits, (request, response) => {
    if (shared !== undefined && request.url === MINERS_PATH && relayed.has(request.socket)) {
      answerMiners(request, response, shared)
      return
    }
    response.writeHead(UPGRADE_REQUIRED, { 'content-type': 'text/plain', connection: 'close' })
    response.end(STATUS_CODES[UPGRADE_REQUIRED])
  })
  server.on('clientError', refuseBrokenRequest)
  server.on('upgrade', (request, stream, head) => {
    const refusal = refusalOfUpgrade(request.headers, origins)
    if (refusal !== null) {
      refuseUpgrade(stream, refusal)
      return
    }
    faults.socket.upgrade(request, stream, () =>
      turns.enter(stream, ({ freeSlot, freeMember }) => {
        // Whoever hung up while waiting needs no session.
        if (hasHungUp(stream)) stream.destroy()
        else sockets.handleUpgrade(request, stream, head, (socket) => welcome(socket, request))
        freeSlot()
        freeMember()
      }),
    )
  })
  // Node starts the watch over slow requests when a server listens itself; this one has its connections handed over.
  server.emit('listening')
  return server
}

function answerMiners(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { minersVersion, miners }: GatewaySharing,
): void {
  const etag = `"${minersVersion()}"`
  if (headers['if-none-match'] === etag) response.writeHead(304, { etag, connection: 'close' }).end()
  else {
    response.writeHead(200, { etag, 'content-type': 'application/json', connection: 'close' })
    response.end(formatMiners(miners()))
  }
}

const hasHungUp = (stream: Duplex): boolean =>
  stream.destroyed || (stream instanceof SocketTap && stream.hasEnded)

function refuseUpgrade(stream: Duplex, sentence: string): void {
  const head = [
    'HTTP/1.1 403 Forbidden',
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(sentence)}`,
    'connection: close',
  ]
  stream.on('error', () => {})
  stream.end(`${head.join('\r\n')}\r\n\r\n${sentence}`, () => stream.destroy())
}
