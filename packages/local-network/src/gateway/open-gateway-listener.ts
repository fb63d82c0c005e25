import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type FaultLayers, type Listener, openListener, SocketTap } from '@hailstone/fault-injection'
import type { WebSocket } from 'ws'
import { acceptedConnections, countAcceptedConnection } from '../accepted-connections.ts'
import type { FairTurns } from '../fair-turns.ts'
import { type OriginRules, refusalOfUpgrade } from '../http/answered-origins.ts'
import { createUpgradeServer } from '../http/request-limits.ts'
import { createAdmissionQueue } from './admission-queue.ts'
import { WebSocketServer } from './web-socket-server.ts'

/** Every honest frame of a miner is far smaller; a larger one closes its own connection with code 1009. */
const LARGEST_FRAME_BYTES = 64 * 1024
const UPGRADE_REQUIRED = 426
/** Nobody has a reason to send further requests before an upgrade. */
const MAX_OPEN_REQUESTS = 2
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
}

/** Listens for miners. @throws {NodeError} `PORT_IN_USE`, `SOCKET_FAILED` */
export async function openGatewayListener(parameters: ListenerParameters): Promise<Listener> {
  const { faults } = parameters
  const server = createGatewayServer(parameters)
  const listener = await openListener({
    ...parameters,
    scheme: 'ws',
    onAccepted: () => countAcceptedConnection('gateway'),
    server,
    later: faults.later,
    maxOpenRequests: () => MAX_OPEN_REQUESTS,
    readLater: createAdmissionQueue({ acceptedByApi: () => acceptedConnections('api') }),
    admit: faults.socket.admit,
  })
  return withoutWatch(listener, server)
}

/** Ends the watch over slow requests together with the listener. */
const withoutWatch = (listener: Listener, server: Server): Listener => ({
  ...listener,
  close: (patienceMs) => listener.close(patienceMs).finally(() => server.close()),
})

function createGatewayServer({ faults, welcome, turns, origins }: ListenerParameters): Server {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_FRAME_BYTES,
    clientTracking: false,
    // The session answers pings itself, as many as the sender reads.
    autoPong: false,
  })
  const server = createUpgradeServer(UPGRADE_REQUIRED)
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
