import { createServer, type IncomingMessage, STATUS_CODES } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import type { FaultLayers } from '../faults/create-faults.ts'
import { type Door, openDoor } from '../faults/open-door.ts'

/** Every honest frame of a miner is far smaller; a larger one closes its own connection with code 1009. */
const LARGEST_FRAME_BYTES = 64 * 1024
const UPGRADE_REQUIRED = 426

/** Listens for miners. @throws {NodeError} `PORT_IN_USE`, `SOCKET_FAILED` */
export function openGatewayDoor(parameters: {
  readonly host: string
  readonly port: number
  readonly faults: FaultLayers
  readonly welcome: (socket: WebSocket, request: IncomingMessage) => void
}): Promise<Door> {
  const { faults, welcome } = parameters
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
  return openDoor({
    ...parameters,
    scheme: 'ws',
    server,
    admit: faults.socket.admit,
    later: faults.later,
  })
}
