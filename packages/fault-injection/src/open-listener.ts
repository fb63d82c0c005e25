import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createConnectionLimit } from './connection-limit.ts'
import { hasBody } from './has-body.ts'
import { listenAt } from './listen-at.ts'
import { SocketTap, type SocketTapOptions } from './socket-tap.ts'

/** Port, server and limits of a listener. */
export type ListenerParameters = SocketTapOptions & {
  readonly host: string
  /** 0 takes any free one. */
  readonly port: number
  /** `http` or `ws`; for error messages. */
  readonly scheme: string
  /** Called for each connection, before anything of it is read. @default nothing happens */
  readonly onAccepted?: (() => void) | undefined
  /** Gets the connections; it does not listen itself. */
  readonly server: Server
  /** Calls what reads a new connection, at once or later. Until then nothing of it is read. @default at once */
  readonly readLater?: ((read: () => void) => void) | undefined
  /** Lets a new connection in, now, later or never. @default now */
  readonly admit?: ((socketTap: SocketTap, enter: () => void) => void) | undefined
  /** Largest number of connections; beyond it those of the lowest rank are given up. @default no limit */
  readonly maxConnections?: number | undefined
}

/** A port through which every byte to and from a server goes. */
export type Listener = {
  readonly port: number
  /** Cuts every connection and refuses new ones, until it is opened again. */
  readonly shut: () => Promise<void>
  /** @throws {NodeError} `PORT_IN_USE` when somebody took the port meanwhile */
  readonly reopen: () => Promise<void>
  /**
   * Refuses new connections, ends idle ones, and the others when they are answered or the time is up. Idempotent.
   */
  readonly close: (patienceMs?: number) => Promise<void>
  /** Connections at this moment. */
  readonly size: () => number
}

/** Opens a port and hands its connections to a server. @throws {NodeError} `PORT_IN_USE`, `SOCKET_FAILED` */
export async function openListener(parameters: ListenerParameters): Promise<Listener> {
  const {
    host,
    scheme,
    server,
    onAccepted = () => {},
    readLater = (read) => read(),
    admit = (_, enter) => enter(),
  } = parameters
  /** Null while a connection is not read yet. */
  const connections = new Map<Socket, SocketTap | null>()
  const limit = createConnectionLimit<Socket>({
    most: parameters.maxConnections ?? Number.POSITIVE_INFINITY,
    giveUp: (raw) => raw.destroy(),
  })
  const read = (raw: Socket): void => {
    if (raw.destroyed) return
    const socketTap = new SocketTap(raw, parameters)
    socketTap.onRank = (rank) => limit.rank(raw, rank)
    // Errors of a connection that nobody serves yet.
    socketTap.on('error', () => {})
    connections.set(raw, socketTap)
    admit(socketTap, () => server.emit('connection', socketTap))
  }
  const acceptor = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (raw) => {
    onAccepted()
    if (!limit.admit(raw)) {
      raw.destroy()
      return
    }
    connections.set(raw, null)
    raw.on('error', () => {})
    raw.once('close', () => {
      connections.delete(raw)
      limit.leave(raw)
    })
    readLater(() => read(raw))
  })
  acceptor.on('error', () => {})
  server.on('request', countRequests)
  const listen = (port: number): Promise<void> => listenAt(acceptor, { host, port, scheme })
  await listen(parameters.port)
  const { port } = acceptor.address() as AddressInfo
  const refuse = (): Promise<void> => new Promise((resolve) => void acceptor.close(() => resolve()))
  const cutAll = (): void => {
    for (const raw of connections.keys()) raw.destroy()
  }
  return {
    port,
    size: limit.size,
    shut: () => {
      const refused = refuse()
      cutAll()
      return refused
    },
    reopen: () => (acceptor.listening ? Promise.resolve() : listen(port)),
    close: (patienceMs = 0) => {
      const refused = refuse()
      for (const [raw, socketTap] of connections) {
        if (patienceMs > 0 && socketTap?.isBusy === true) socketTap.once('idle', () => raw.destroySoon())
        else raw.destroy()
      }
      const timer = setTimeout(cutAll, patienceMs)
      return refused.finally(() => clearTimeout(timer))
    },
  }
}

function countRequests(request: IncomingMessage, response: ServerResponse): void {
  const socketTap: unknown = request.socket
  if (!(socketTap instanceof SocketTap)) return
  socketTap.beginRequest()
  // Who has not sent all of a request has asked for nothing yet.
  if (!hasBody(request)) socketTap.requestIsWhole()
  else request.once('end', () => socketTap.requestIsWhole())
  response.once('close', () => socketTap.endRequest())
}
