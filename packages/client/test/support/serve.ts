import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A real HTTP server on a free port of this machine. */
export type TestServer = {
  readonly origin: string
  readonly apiUrl: string
  /** Requests that arrived, as `METHOD target`. */
  readonly requests: readonly string[]
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** Serves until disposed; connections that never end are cut then. */
export async function serve(listener: RequestListener): Promise<TestServer> {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    listener(request, response)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    apiUrl: `${origin}/api/v1`,
    requests,
    [Symbol.asyncDispose]: () => stopped(server, sockets),
  }
}

function stopped(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    for (const socket of sockets) socket.destroy()
  })
}

/** The text of a request. */
export async function bodyOf(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
