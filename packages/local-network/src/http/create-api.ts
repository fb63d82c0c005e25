import { NodeError, type VerifyText } from '@hailstone/protocol'
import fastify, { type FastifyInstance } from 'fastify'
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
}

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
  const { verify = createTextVerifier(), logger = silentLogger } = options
  const network = await options.store.parameters()
  if (network === undefined) throw new NodeError('STORE_INVALID', { reason: 'it has no parameters' })
  const server = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true },
    frameworkErrors: (_, request, reply) => sendMissingPage(request, reply),
  })
  behaveLikePublicServer(server, logger)
  readBodies(server)
  for (const { register } of apiRoutes({ ...options, network, verify, logger })) register(server)
  await serveReference(server)
  await server.ready()
  return server
}
