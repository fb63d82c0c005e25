import { createServer, type Server, type ServerOptions, STATUS_CODES } from 'node:http'
import { stringifyJson } from '@hailstone/protocol'
import type { FastifyInstance } from 'fastify'
import { SOMETHING_WRONG } from './request-bodies.ts'

/** Limits of one connection, in time and memory: Node's own, which Fastify leaves to a server that it is given. */
export const requestLimits: ServerOptions = {
  /** Until the next question on a connection. */
  keepAliveTimeout: 72_000,
  /** Until the head of a request is there; counted from the opening of a connection too. */
  headersTimeout: 10_000,
  /** Until all of a request is there. */
  requestTimeout: 20_000,
  /** Interval at which the times are checked, in ms. */
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16 * 1024,
}

const statuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

type Connection = {
  readonly destroyed: boolean
  readonly writable: boolean
  readonly destroy: () => void
  readonly end: (text: string) => void
}

/** Answers a request that could not be parsed like the API does, and closes its connection. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, connection: Connection): void {
  if (connection.destroyed || error.code === 'ECONNRESET' || !connection.writable) {
    connection.destroy()
    return
  }
  const body = stringifyJson({ err: 1n, message: SOMETHING_WRONG })
  const head = [
    `HTTP/1.1 ${statuses[error.code ?? ''] ?? '400 Bad Request'}`,
    'content-type: application/json; charset=utf-8',
    'access-control-allow-origin: *',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  connection.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Creates a server for web sockets alone, which answers every other request with a status. */
export function createUpgradeServer(status: number): Server {
  const server = createServer(requestLimits, (_, response) => {
    response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' })
    response.end(STATUS_CODES[status])
  })
  return server.on('clientError', refuseBrokenRequest)
}

/**
 * Starts the watch over slow requests. Node starts it when a server listens itself; this one gets its connections
 * handed over and never does.
 */
export function watchSlowRequests(server: FastifyInstance): void {
  server.server.emit('listening')
}

/** Ends the watch, which nothing else would. To be registered before the server is ready. */
export function endWatchOnClose(server: FastifyInstance): void {
  server.addHook('onClose', async ({ server: http }) => void http.close(() => {}))
}
