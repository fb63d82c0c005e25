import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Relay, relayLine } from '../cluster/relay-line.ts'
import type { FaultLayers } from '../faults/create-faults.ts'
import type { Line } from '../faults/line.ts'
import { type Door, openDoor } from '../faults/open-door.ts'

/** Every honest frame of a miner is far smaller; a larger one closes its own connection with code 1009. */
const LARGEST_FRAME_BYTES = 64 * 1024
const UPGRADE_REQUIRED = 426
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
  readonly shared?: GatewaySharing | undefined
}

/** Listens for miners. @throws {NodeError} `PORT_IN_USE`, `SOCKET_FAILED` */
export async function openGatewayDoor(parameters: DoorParameters): Promise<GatewayDoor> {
  const { faults, shared } = parameters
  const server = createGatewayServer(parameters)
  const common = { ...parameters, scheme: 'ws', server, later: faults.later }
  if (shared === undefined)
    return { ...(await openDoor({ ...common, admit: faults.socket.admit })), relayPort: null }
  const front = await openDoor({ ...common, admit: (line, enter) => admitOrRelay(parameters, line, enter) })
  try {
    return bothDoors(front, await openRelayDoor(common, shared))
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
  else if (relay !== null) relayLine(line, relay)
  else if (performance.now() > deadline) line.destroy()
  else faults.later(WAIT_MS, () => relayWhenPossible(shared, line, deadline, { faults, enter }))
}

const bothDoors = (front: Door, back: Door): GatewayDoor => ({
  port: front.port,
  relayPort: back.port,
  shut: async () => void (await Promise.all([front.shut(), back.shut()])),
  reopen: async () => void (await Promise.all([front.reopen(), back.reopen()])),
  close: async (patienceMs) => void (await Promise.all([front.close(patienceMs), back.close(patienceMs)])),
})

function createGatewayServer({ faults, welcome }: DoorParameters): Server {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LARGEST_FRAME_BYTES })
  const server = createServer((_, response) => {
    response.writeHead(UPGRADE_REQUIRED, { 'content-type': 'text/plain' })
    response.end(STATUS_CODES[UPGRADE_REQUIRED])
  })
  server.on('upgrade', (request, stream, head) => {
    faults.socket.upgrade(request, stream, () =>
      sockets.handleUpgrade(request, stream, head, (socket) => welcome(socket, request)),
    )
  })
  return server
}
