import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostError } from '@hailstone/protocol'
import { limitConnections } from './connection-limit.ts'
import { factsText } from './facts-text.ts'
import { METRICS_CONTENT_TYPE } from './metrics-text.ts'

/** Sources of the health endpoints. Each is called per request. */
export type HealthSource = {
  readonly health: () => { readonly isReady: boolean }
  readonly status: () => unknown
  readonly metrics: () => string
}

export type HealthServer = AsyncDisposable & {
  readonly port: number
  readonly stop: () => Promise<void>
}

/** The descriptors of a miner are for its sessions; whoever asks for health needs one at a time. */
const MAX_CONNECTIONS = 64
/** In ms. All who ask are on this machine. */
const TIMES: ServerOptions = {
  headersTimeout: 3_000,
  requestTimeout: 3_000,
  keepAliveTimeout: 2_000,
  connectionsCheckingInterval: 500,
}
const LOOPBACK = '127.0.0.1'
/** Names by which a program on this machine knows it; any other is a page that was led here. */
const HOSTS = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/

/**
 * Serves `/livez`, `/readyz`, `/health`, `/metrics` and `/status` on the loopback interface. `/livez` is 200 while the
 * process answers: what a supervisor that restarts should ask, since no restart makes a network offer microblocks.
 * `/readyz` is 503 while the miner is not ready. `/health` has the text of `/readyz` and the status of `/livez`.
 * Few connections are kept, for seconds; when there are too many, the one that was silent longest is ended.
 * Everything is read-only: there is nothing to be protected by a token. Requests under a foreign host name are refused, so that no web page reads along.
 *
 * @param parameters.port 0 takes any free one
 * @throws {NodeError} `PORT_IN_USE`
 */
export async function serveHealth(
  source: HealthSource,
  { port }: { readonly port: number },
): Promise<HealthServer> {
  const server = createServer(TIMES, (request, response) => {
    connections.touch(request.socket)
    answer(source, request, response)
  })
  const connections = limitConnections(server, { most: MAX_CONNECTIONS })
  server.on('clientError', (_, socket) => socket.destroy())
  // Without descriptors a connection cannot be accepted; the next one may be.
  server.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EADDRINUSE') reject(cause)
      else reject(hostError('PORT_IN_USE', { host: LOOPBACK, port }, { cause }))
    })
    server.listen({ host: LOOPBACK, port }, resolve)
  })
  const stop = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  return { port: (server.address() as AddressInfo).port, stop, [Symbol.asyncDispose]: stop }
}

type Reply = { readonly status: number; readonly text: string; readonly type?: string | undefined }

function answer(source: HealthSource, request: IncomingMessage, response: ServerResponse): void {
  const { status, text, type = 'application/json' } = guardedReply(source, request)
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(request.method === 'HEAD' ? undefined : text)
}

/** Answers 500 if a source throws: an exception must not end the process. */
function guardedReply(source: HealthSource, request: IncomingMessage): Reply {
  try {
    return replyTo(source, request)
  } catch {
    return refusal(500)
  }
}

function replyTo(source: HealthSource, { url = '/', method, headers }: IncomingMessage): Reply {
  if (!HOSTS.test(headers.host ?? '')) return refusal(403)
  if (method !== 'GET' && method !== 'HEAD') return refusal(405)
  switch (url.replace(/\?.*$/, '')) {
    case '/livez':
      // A source that throws is answered with 500.
      source.health()
      return { status: 200, text: factsText({ isLive: true }) }
    case '/readyz': {
      const health = source.health()
      return { status: health.isReady ? 200 : 503, text: factsText(health) }
    }
    case '/health':
      return { status: 200, text: factsText({ isLive: true, ...source.health() }) }
    case '/status':
      return { status: 200, text: factsText(source.status()) }
    case '/metrics':
      return { status: 200, text: source.metrics(), type: METRICS_CONTENT_TYPE }
    default:
      return refusal(404)
  }
}

const refusal = (status: number): Reply => ({ status, text: `{"status":${status}}\n` })
