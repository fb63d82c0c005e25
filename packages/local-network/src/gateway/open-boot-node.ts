import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listenAt } from '@hailstone/fault-injection'
import { formatPeer, formatShortPeer } from '@hailstone/protocol'
import { limitConnections } from '@hailstone/runtime/node'
import { createUpgradeServer } from '../http/request-limits.ts'
import { WebSocketServer } from './web-socket-server.ts'

export type BootNodeOptions = {
  /** @default 0, any free port */
  readonly port?: number | undefined
  /**
   * `short` sends `{"data":{"ip","port"}}` alone, `peer` the message of gateways: which of them the public boot node
   * sends is not known.
   *
   * @default 'short'
   */
  readonly form?: 'short' | 'peer' | undefined
}

export type BootNode = {
  readonly port: number
  readonly close: () => Promise<void>
}

/** Largest number of concurrent connections; each one lasts only a moment. */
const MAX_CONNECTIONS = 256
const CLOSE_NORMAL = 1000
const UPGRADE_REQUIRED = 426
/** Frame limit. Miners have nothing to send to a boot node. */
const LARGEST_FRAME_BYTES = 1024
const CLOSE_GRACE_MS = 1000

/**
 * Listens for miners that look for a gateway: names the one of this network, under the address by which the miner
 * reached this machine, and closes.
 *
 * @throws {NodeError} `PORT_IN_USE`, `SOCKET_FAILED`
 */
export async function openBootNode(parameters: {
  readonly host: string
  readonly options: BootNodeOptions
  readonly gatewayPort: number
}): Promise<BootNode> {
  const { host, options, gatewayPort } = parameters
  const format = options.form === 'peer' ? formatPeer : formatShortPeer
  const server = createUpgradeServer(UPGRADE_REQUIRED)
  const { stop } = limitConnections(server, { most: MAX_CONNECTIONS })
  const sockets = new WebSocketServer({ server, maxPayload: LARGEST_FRAME_BYTES })
  sockets.on('connection', (socket, request) => {
    socket.on('error', () => undefined)
    socket.send(format({ host: reachedHost(request), port: gatewayPort }))
    socket.close(CLOSE_NORMAL)
    const force = setTimeout(() => socket.terminate(), CLOSE_GRACE_MS)
    socket.on('close', () => clearTimeout(force))
  })
  // It hears of the server's errors too, which `listenAt` reports.
  sockets.on('error', () => undefined)
  await listenAt(server, { host, port: options.port ?? 0, scheme: 'ws' })
  return {
    port: (server.address() as AddressInfo).port,
    close: stop,
  }
}

/** This machine as the miner sees it, IPv4 in its own form. */
const reachedHost = ({ socket }: IncomingMessage): string =>
  (socket.localAddress ?? '127.0.0.1').replace(/^::ffff:/, '')
