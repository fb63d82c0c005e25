import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SettingKinds } from '@hailstone/runtime'
import { limitConnections } from '@hailstone/runtime/node'
import { assertKinds } from '../assert-kinds.ts'
import { assertFunction } from '../assert-listens.ts'
import { assertPort } from '../assert-port.ts'
import { listenError } from '../listen-error.ts'
import { factsText } from './facts-text.ts'
import { assertAccess, type HealthAccess, judgeRequest } from './health-access.ts'
import { METRICS_CONTENT_TYPE } from './metrics-text.ts'

/** Sources of the health endpoints. Each is called per request. */
export type HealthSource = {
  /** Answers `/readyz`: 200 if `isReady`, else 503. */
  readonly health: () => {
    /** True if everything that should mine does. */
    readonly isReady: boolean
  }
  /** Answers `/status`, as JSON; `query` is that of the request. Null is answered with 404. */
  readonly status: (query: URLSearchParams) => unknown
  /** Answers `/metrics`, in the text format of Prometheus. */
  readonly metrics: () => string
}

/** A running server of health and metrics. */
export type HealthServer = AsyncDisposable & {
  /** Port that the server listens on. */
  readonly port: number
  /** Ends the server. Idempotent. */
  readonly stop: () => Promise<void>
}

type ServeHealthParameters = {
  readonly port: number
  readonly host?: string | undefined
  readonly access?: (() => HealthAccess) | undefined
}

const kinds: SettingKinds<ServeHealthParameters> = { port: 'number', host: 'string', access: 'function' }

function assertParameters(source: HealthSource, parameters: ServeHealthParameters): void {
  for (const name of ['health', 'status', 'metrics'] as const)
    assertFunction(Reflect.get(Object(source), name), name)
  assertKinds('of serveHealth', parameters, kinds)
  assertPort(Object(parameters).port)
}

/** The descriptors of a miner are for its sessions; whoever asks for health needs one at a time. */
const MAX_CONNECTIONS = 64
/** In ms. */
const TIMES: ServerOptions = {
  headersTimeout: 3_000,
  requestTimeout: 3_000,
  keepAliveTimeout: 2_000,
  connectionsCheckingInterval: 500,
}
const LOOPBACK = '127.0.0.1'

/**
 * Serves `/livez`, `/readyz`, `/health`, `/metrics` and `/status`. `/livez` is 200 while the
 * process answers: what a supervisor that restarts should ask, since no restart makes a network offer microblocks.
 * `/readyz` is 503 while the miner is not ready. `/health` has the text of `/readyz` and the status of `/livez`.
 * Few connections are kept, for seconds; when there are too many, the one that was silent longest is ended.
 * Everything is read-only. Requests under a foreign host name are refused, so that no web page reads along. Other
 * machines need a token for all but `/livez`.
 *
 * @param parameters.port 0 takes any free one
 * @param parameters.host an address of this machine; one that is not loopback needs a token. Default: `127.0.0.1`
 * @param parameters.access called for each request, so that a token can be replaced while it serves
 * @throws {NodeError} `PORT_IN_USE`, `CONFIGURATION_INVALID`, `ARGUMENT_INVALID`
 */
export async function serveHealth(
  source: HealthSource,
  parameters: ServeHealthParameters,
): Promise<HealthServer> {
  assertParameters(source, parameters)
  const { port, host = LOOPBACK, access = () => ({}) } = parameters
  assertAccess(host, access())
  const server = createServer(TIMES, (request, response) => {
    void answer({ source, access }, request, response)
  })
  const { stop } = limitConnections(server, { most: MAX_CONNECTIONS })
  server.on('clientError', (_, socket) => socket.destroy())
  // Without descriptors a connection cannot be accepted; the next one may be.
  server.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(listenError(cause, { host, port })))
    server.listen({ host, port }, resolve)
  })
  const listening = server.address() as AddressInfo
  try {
    // A name may mean another address than it says.
    assertAccess(listening.address, access())
  } catch (error) {
    await stop()
    throw error
  }
  return { port: listening.port, stop, [Symbol.asyncDispose]: stop }
}

type Reply = { readonly status: number; readonly text: string; readonly type?: string | undefined }

type Served = { readonly source: HealthSource; readonly access: () => HealthAccess }

async function answer(served: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, text, type = 'application/json' } = await guardedReply(served, request)
  response.writeHead(status, {
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(request.method === 'HEAD' ? undefined : text)
}

/** Answers 500 if a source throws or rejects: that must not end the process. */
async function guardedReply({ source, access }: Served, request: IncomingMessage): Promise<Reply> {
  try {
    const refused = judgeRequest(request, await access())
    return refused === null ? await replyTo(source, request) : refusal(refused)
  } catch {
    return refusal(500)
  }
}

async function replyTo(source: HealthSource, { url = '/', method }: IncomingMessage): Promise<Reply> {
  if (method !== 'GET' && method !== 'HEAD') return refusal(405)
  switch (url.replace(/\?.*$/, '')) {
    case '/livez':
      // A source that throws is answered with 500.
      await source.health()
      return { status: 200, text: factsText({ isLive: true }) }
    case '/readyz': {
      const health = await source.health()
      return { status: health.isReady ? 200 : 503, text: factsText(health) }
    }
    case '/health':
      return { status: 200, text: factsText({ isLive: true, ...(await source.health()) }) }
    case '/status': {
      const status = await source.status(new URLSearchParams(url.replace(/^[^?]*/, '')))
      return status === null ? refusal(404) : { status: 200, text: factsText(status) }
    }
    case '/metrics':
      return { status: 200, text: await source.metrics(), type: METRICS_CONTENT_TYPE }
    default:
      return refusal(404)
  }
}

const refusal = (status: number): Reply => ({ status, text: `{"status":${status}}\n` })
