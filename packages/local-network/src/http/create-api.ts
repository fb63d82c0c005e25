import { createServer } from 'node:http'
import { NodeError, type VerifyText } from '@hailstone/protocol'
import type { ReferenceGroup } from '@hailstone/protocol/reference'
import fastify, { type FastifyInstance } from 'fastify'
import type { Answer, Question } from '../faults/http-exchange.ts'
import type { Around, Ask } from '../faults/http-faults.ts'
import { type Logger, silentLogger } from '../logger.ts'
import { createTextVerifier } from '../verify-text.ts'
import type { ApiParts } from './api-parts.ts'
import { serveReference } from './reference-page.ts'
import { BODY_LIMIT_BYTES, readBodies } from './request-bodies.ts'
import { apiRoutes } from './routes/index.ts'
import { behaveLikePublicServer, sendMissingPage } from './web-manners.ts'

export type ApiOptions = Omit<ApiParts, 'network' | 'verify' | 'logger'> & {
  /** @default Node's own curve arithmetic, with a cache of keys */
  readonly verify?: VerifyText | undefined
  /** @default silent */
  readonly logger?: Logger | undefined
  /** Stands between connections and the server. @default every request is passed on */
  readonly around?: ((ask: Ask) => Around) | undefined
  /** Routes that are no part of the network's own interface, and what the reference says of them. */
  readonly more?:
    | { readonly register: (server: FastifyInstance) => void; readonly references: readonly ReferenceGroup[] }
    | undefined
}

/** How long an idle connection is kept for the next question. */
const KEEP_ALIVE_MS = 72_000

/** A server that is not listening yet: `listen`, `inject` for questions without a socket, `close`. */
export type Api = FastifyInstance

/**
 * The HTTP interface of the network over a store that holds a chain: every route of the endpoint definitions,
 * with the answers and the manners of the public server (PROTOCOL 3). Where that one never answers, this one
 * says 400 or 404 with a sentence.
 *
 * @throws {NodeError} `STORE_INVALID` when the store is empty
 */
export async function createApi(options: ApiOptions): Promise<Api> {
  const { verify = createTextVerifier(), logger = silentLogger, more } = options
  const network = await options.store.parameters()
  if (network === undefined) throw new NodeError('STORE_INVALID', { reason: 'it has no parameters' })
  let around: Around = (_request, _response, pass) => pass()
  const server = fastify({
    serverFactory: (handle) =>
      createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) =>
        around(request, response, () => handle(request, response)),
      ),
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true },
    frameworkErrors: (_, request, reply) => sendMissingPage(request, reply),
  })
  behaveLikePublicServer(server, logger)
  readBodies(server)
  for (const { register } of apiRoutes({ ...options, network, verify, logger })) register(server)
  more?.register(server)
  await serveReference(server, more?.references)
  await server.ready()
  if (options.around !== undefined) around = options.around((question) => askServer(server, question))
  return server
}

/** The answer of the server itself, without a connection. */
async function askServer(server: FastifyInstance, question: Question): Promise<Answer> {
  const { method, url, headers, body } = question
  const answer = await server.inject({
    method: method as 'GET',
    url,
    headers,
    ...(body.length === 0 ? {} : { payload: body }),
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.rawPayload }
}
