import { createServer } from 'node:http'
import type { Answer, Around, Ask, Question } from '@hailstone/fault-injection'
import { hostError, type VerifyText } from '@hailstone/protocol'
import { openApiDocument, type ReferenceGroup } from '@hailstone/protocol/reference'
import fastify, { type FastifyInstance } from 'fastify'
import { type Logger, silentLogger } from '../logger.ts'
import { createTextVerifier } from '../verify-text.ts'
import { answerForOwnHosts, type HostRules } from './answered-hosts.ts'
import type { ApiParts } from './api-parts.ts'
import { serveExplorer } from './explorer-page.ts'
import type { LiveChain } from './kept-answers.ts'
import { withKeptCounts } from './kept-counts.ts'
import { serveMetrics } from './metrics.ts'
import { protectPages } from './page-headers.ts'
import { createQuickAnswers } from './quick-answers.ts'
import { chainExamples, type OperationExample } from './reference/chain-examples.ts'
import { serveReference } from './reference/reference-page.ts'
import { readBodies } from './request-bodies.ts'
import { endWatchOnClose, refuseBrokenRequest, requestLimits, watchSlowRequests } from './request-limits.ts'
import { createRequestTurns, type RequestTurns } from './request-turns.ts'
import { API_PREFIX } from './route.ts'
import { apiRoutes } from './routes/index.ts'
import { validateAnswers } from './validate-answers.ts'
import { behaveLikePublicServer, sendMissingPage } from './web-manners.ts'
import { BODY_LIMIT_BYTES } from './whole-bodies.ts'

/** Options of {@link createApi}. */
export type ApiOptions = Omit<ApiParts, 'network' | 'verify' | 'logger'> & {
  /** @default Node's own curve arithmetic, with a cache of keys */
  readonly verify?: VerifyText | undefined
  /** @default silent */
  readonly logger?: Logger | undefined
  /** Stands between connections and the server. @default every request is passed on */
  readonly around?: ((ask: Ask) => Around) | undefined
  /** Routes that are no part of the network's own interface, and what the reference says of them. */
  readonly more?:
    | {
        /** Adds the routes to the server before it listens. */
        readonly register: (server: FastifyInstance) => void
        /** Groups of these routes in the reference. */
        readonly references: readonly ReferenceGroup[]
        /** Initial values of their forms, by method and path. */
        readonly examples?: (() => Promise<Readonly<Record<string, OperationExample>>>) | undefined
      }
    | undefined
  /** Bodies that the network takes, by method and path: the reference offers them. @default none */
  readonly exampleBodies?: (() => Readonly<Record<string, string>>) | undefined
  /** Order in which connections have their requests answered. @default one of its own */
  readonly turns?: RequestTurns | undefined
  /** Emits macroblocks, which invalidate cached answers. @default answers are not cached */
  readonly live?: LiveChain | undefined
  /** Names this server answers for. @default those that always mean this machine */
  readonly hosts?: HostRules | undefined
  /**
   * Compares every answer with the document of the reference; one that does not fit ends the process. For tests.
   *
   * @default whether the environment sets HAILSTONE_VALIDATE_ANSWERS to 1
   */
  readonly validateAnswers?: boolean | undefined
}

const LOCAL_HOSTS: HostRules = { bound: '127.0.0.1', allowed: [] }

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
  const { verify = createTextVerifier(), logger = silentLogger, more, hosts = LOCAL_HOSTS } = options
  const { validateAnswers: isChecked = process.env.HAILSTONE_VALIDATE_ANSWERS === '1' } = options
  const network = await options.store.parameters()
  if (network === undefined) throw hostError('STORE_INVALID', { reason: 'it has no parameters' })
  let around: Around = (_request, _response, pass) => pass()
  let quick: ReturnType<typeof createQuickAnswers> = (_request, _response, pass) => pass()
  let isClosing = false
  const { turns = createRequestTurns(), live } = options
  const server = fastify({
    serverFactory: (handle) =>
      createServer(requestLimits, (request, response) =>
        around(request, response, () =>
          turns.enter(request, response, () => quick(request, response, () => handle(request, response))),
        ),
      ),
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true },
    frameworkErrors: (_, request, reply) => sendMissingPage(request, reply),
    clientErrorHandler: refuseBrokenRequest,
  })
  const document = openApiDocument({ serverUrl: API_PREFIX, moreGroups: more?.references })
  behaveLikePublicServer(server, logger)
  answerForOwnHosts(server, hosts)
  protectPages(server)
  readBodies(server)
  endWatchOnClose(server)
  const check = isChecked
    ? validateAnswers(server, document, { prefixes: prefixesOf(more?.references) })
    : undefined
  const parts = { ...options, store: withKeptCounts(options.store, live), network, verify, logger }
  const routes = apiRoutes(parts)
  for (const { register } of routes) register(server)
  serveMetrics(server, parts)
  more?.register(server)
  serveReference(server, document, async () => ({
    ...(await chainExamples(parts)),
    ...bodyExamples(options.exampleBodies?.() ?? {}),
    ...(await more?.examples?.()),
  }))
  serveExplorer(server)
  server.addHook('preClose', async () => {
    isClosing = true
  })
  await server.ready()
  watchSlowRequests(server)
  quick = createQuickAnswers({
    ...{ routes, hosts, live, check },
    isClosing: () => isClosing,
  })
  if (options.around !== undefined) around = options.around((question) => askServer(server, question))
  return server
}

const bodyExamples = (bodies: Readonly<Record<string, string>>): Record<string, OperationExample> =>
  Object.fromEntries(
    Object.entries(bodies).map(([operation, body]) => [operation, { values: {}, body, missing: [] }]),
  )

const prefixesOf = (groups: readonly ReferenceGroup[] = []): readonly string[] => [
  API_PREFIX,
  ...groups.flatMap(({ serverUrl }) => (serverUrl === undefined ? [] : [serverUrl])),
]

/** The answer of the server itself, without a connection. */
export async function askServer(server: FastifyInstance, question: Question): Promise<Answer> {
  const { method, url, headers, body } = question
  const answer = await server.inject({
    method: method as 'GET',
    url,
    headers,
    ...(body.length === 0 ? {} : { payload: body }),
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.rawPayload }
}
