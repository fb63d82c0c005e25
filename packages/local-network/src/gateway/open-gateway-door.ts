import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { acceptedConnections } from '../accepted-connections.ts'
import { type Relay, relayLine } from '../cluster/relay-line.ts'
import type { FairTurns } from '../fair-turns.ts'
import type { FaultLayers } from '../faults/create-faults.ts'
import { RANK } from '../faults/crowd.ts'
import { Line } from '../faults/line.ts'
import { type Door, openDoor } from '../faults/open-door.ts'
import { type OriginRules, refusalOfUpgrade } from '../http/answered-origins.ts'
import { refuseBrokenRequest, requestLimits } from '../http/request-limits.ts'
import { createAdmissionQueue } from './admission-queue.ts'

/** Every honest frame of a miner is far smaller; a larger one closes its own connection with code 1009. */
const LARGEST_FRAME_BYTES = 64 * 1024
const UPGRADE_REQUIRED = 426
/** Nobody has a reason to send further requests before an upgrade. */
const MOST_OPEN_REQUESTS = 2
/** How long a miner waits for a leader, and how often it is looked for. */
const LONGEST_WAIT_MS = 5000
const WAIT_MS = 50

/** Of several processes over one database. */
export type GatewaySharing = {
  readonly isLeading: () => boolean
  /** Where the leader takes miners; null while nobody does. */
  readonly relay: () => Relay | null
}

export type GatewayDoor = Door & {
  /** Of the entrance for connections that other processes bring; null where there are none. */
  readonly relayPort: number | null
}

type DoorParameters = {
  readonly host: string
  readonly port: number
  readonly faults: FaultLayers
  readonly welcome: (socket: WebSocket, request: IncomingMessage) => void
  /** Upgrades are taken in turns with the messages of the miners that are connected. */
  readonly turns: FairTurns<object>
  readonly origins: OriginRules
  /** Largest number of connections. */
  readonly mostConnections: number
  readonly shared?: GatewaySharing | undefined
}

/** Listens for miners. @throws {NodeError} `PORT_IN_USE`, `SOCKET_FAILED` */
export async function openGatewayDoor(parameters: DoorParameters): Promise<GatewayDoor> {
  const { faults, shared } = parameters
  const server = createGatewayServer(parameters)
  const mostOpenRequests = (): number => MOST_OPEN_REQUESTS
  const role = 'gateway' as const
  const readLater = createAdmissionQueue({ acceptedByApi: () => acceptedConnections('api') })
  const common = {
    ...parameters,
    scheme: 'ws',
    role,
    server,
    later: faults.later,
    mostOpenRequests,
    readLater,
  }
  if (shared === undefined) {
    const door = await openDoor({ ...common, admit: faults.socket.admit })
    return withoutWatch({ ...door, relayPort: null }, server)
  }
  const front = await openDoor({ ...common, admit: (line, enter) => admitOrRelay(parameters, line, enter) })
  try {
    return withoutWatch(bothDoors(front, await openRelayDoor(common, shared)), server)
  } catch (error) {
    await front.close()
    throw error
  }
}

/**
 * An entrance of its own for what other processes bring. Here nothing is passed on any further: two processes that
 * each take the other for the leader would hand one connection to and fro without end.
 */
function openRelayDoor(
  common: Omit<Parameters<typeof openDoor>[0], 'admit'>,
  { isLeading }: GatewaySharing,
): Promise<Door> {
  const admit = (line: Line, enter: () => void): void => {
    if (isLeading()) enter()
    else line.destroy()
  }
  return openDoor({ ...common, port: 0, admit })
}

function admitOrRelay({ faults, shared }: DoorParameters, line: Line, enter: () => void): void {
  if (shared === undefined || shared.isLeading()) faults.socket.admit(line, enter)
  else relayWhenPossible(shared, line, performance.now() + LONGEST_WAIT_MS, { faults, enter })
}

/** A miner that comes while a new leader is being found waits for it, as long as it likes to. */
function relayWhenPossible(
  shared: GatewaySharing,
  line: Line,
  deadline: number,
  { faults, enter }: { readonly faults: FaultLayers; readonly enter: () => void },
): void {
  if (line.destroyed) return
  const relay = shared.relay()
  if (shared.isLeading()) faults.socket.admit(line, enter)
  else if (relay !== null) {
    line.onRank?.(RANK.staked)
    relayLine(line, relay)
  } else if (performance.now() > deadline) line.destroy()
  else faults.later(WAIT_MS, () => relayWhenPossible(shared, line, deadline, { faults, enter }))
}

const bothDoors = (front: Door, back: Door): GatewayDoor => ({
  port: front.port,
  relayPort: back.port,
  size: () => front.size() + back.size(),
  shut: async () => void (await Promise.all([front.shut(), back.shut()])),
  reopen: async () => void (await Promise.all([front.reopen(), back.reopen()])),
  close: async (patienceMs) => void (await Promise.all([front.close(patienceMs), back.close(patienceMs)])),
})

/** Ends the watch over slow requests together with the door. */
const withoutWatch = (door: GatewayDoor, server: Server): GatewayDoor => ({
  ...door,
  close: (patienceMs) => door.close(patienceMs).finally(() => server.close()),
})

function createGatewayServer({ faults, welcome, turns, origins }: DoorParameters): Server {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_FRAME_BYTES,
    clientTracking: false,
    // The session answers pings itself, as many as the sender reads.
    autoPong: false,
  })
  const server = createServer(requestLimits, (_, response) => {
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

const hasHungUp = (stream: Duplex): boolean => stream.destroyed || (stream instanceof Line && stream.hasEnded)

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
