import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type AcceptingPort, countAcceptedConnection } from '../accepted-connections.ts'
import { createCrowd } from './crowd.ts'
import { hasBody } from './has-body.ts'
import { Line, type LineOptions } from './line.ts'
import { listenAt } from './listen-at.ts'

export type DoorParameters = LineOptions & {
  readonly host: string
  /** 0 takes any free one. */
  readonly port: number
  /** `http` or `ws`; for error messages. */
  readonly scheme: string
  readonly role: AcceptingPort
  /** Gets the connections; it does not listen itself. */
  readonly server: Server
  /** Calls what reads a new connection, at once or later. Until then nothing of it is read. @default at once */
  readonly readLater?: ((read: () => void) => void) | undefined
  /** Lets a new connection in, now, later or never. @default now */
  readonly admit?: ((line: Line, enter: () => void) => void) | undefined
  /** Largest number of connections; beyond it those of the lowest rank are given up. @default no limit */
  readonly mostConnections?: number | undefined
}

/** A port through which every byte to and from a server goes. */
export type Door = {
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

/** @throws {NodeError} `PORT_IN_USE`, `SOCKET_FAILED` */
export async function openDoor(parameters: DoorParameters): Promise<Door> {
  const {
    host,
    scheme,
    server,
    role,
    readLater = (read) => read(),
    admit = (_, enter) => enter(),
  } = parameters
  /** No line while a connection is not read yet. */
  const connections = new Map<Socket, Line | null>()
  const crowd = createCrowd<Socket>({
    most: parameters.mostConnections ?? Number.POSITIVE_INFINITY,
    giveUp: (raw) => raw.destroy(),
  })
  const read = (raw: Socket): void => {
    if (raw.destroyed) return
    const line = new Line(raw, parameters)
    line.onRank = (rank) => crowd.rank(raw, rank)
    // Errors of a connection that nobody serves yet.
    line.on('error', () => {})
    connections.set(raw, line)
    admit(line, () => server.emit('connection', line))
  }
  const listener = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (raw) => {
    countAcceptedConnection(role)
    if (!crowd.admit(raw)) {
      raw.destroy()
      return
    }
    connections.set(raw, null)
    raw.on('error', () => {})
    raw.once('close', () => {
      connections.delete(raw)
      crowd.leave(raw)
    })
    readLater(() => read(raw))
  })
  listener.on('error', () => {})
  server.on('request', countRequests)
  const listen = (port: number): Promise<void> => listenAt(listener, { host, port, scheme })
  await listen(parameters.port)
  const { port } = listener.address() as AddressInfo
  const refuse = (): Promise<void> => new Promise((resolve) => void listener.close(() => resolve()))
  const cutAll = (): void => {
    for (const raw of connections.keys()) raw.destroy()
  }
  return {
    port,
    size: crowd.size,
    shut: () => {
      const refused = refuse()
      cutAll()
      return refused
    },
    reopen: () => (listener.listening ? Promise.resolve() : listen(port)),
    close: (patienceMs = 0) => {
      const refused = refuse()
      for (const [raw, line] of connections) {
        if (patienceMs > 0 && line?.isBusy === true) line.once('idle', () => raw.destroySoon())
        else raw.destroy()
      }
      const timer = setTimeout(cutAll, patienceMs)
      return refused.finally(() => clearTimeout(timer))
    },
  }
}

function countRequests(request: IncomingMessage, response: ServerResponse): void {
  const line: unknown = request.socket
  if (!(line instanceof Line)) return
  line.beginRequest()
  // Who has not sent all of a request has asked for nothing yet.
  if (!hasBody(request)) line.requestIsWhole()
  else request.once('end', () => line.requestIsWhole())
  response.once('close', () => line.endRequest())
}
