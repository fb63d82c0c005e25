import { isConnectionLoss, orUnreachable, passes } from '@hailstone/database'
import { isNodeError } from '@hailstone/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '../access.ts'
import { issuesText } from '../issues-text.ts'
import { createApiTokens } from './api-tokens.ts'
import { CALLBACK, createOpenId, type OpenId } from './open-id.ts'
import type { OpenIdSettings } from './open-id-client.ts'
import { type PeopleRoute, peopleRoutes } from './people-routes.ts'
import type { PersonStore } from './person-store.ts'
import { RefusedError } from './refused-error.ts'
import { includesRole } from './roles.ts'
import { createSessions } from './sessions.ts'
import { createSignIn } from './sign-in.ts'
import { cookieOf, createVisitors, isFromElsewhere, sideOf, type Visitor } from './visitors.ts'

export type PeopleServer = {
  /** Names beyond this machine by which the console is reached, in lower case and without a port. */
  readonly allowedHosts: readonly string[]
  readonly people: PersonStore
  readonly access: Access
  /** Name of the console in authenticator apps. */
  readonly issuer: string
  readonly openId?: OpenIdSettings | undefined
}

/** Time after which a question is worth asking again while the tables are away, in s. */
const AWAY_SECONDS = 5

/** Returns a sentence for everybody, without names of hosts; null if an error is not about where the tables are. */
function whyTablesAreAway(error: Error): string | null {
  const known = orUnreachable(error)
  if (isConnectionLoss(isNodeError(known, 'STORE_UNREACHABLE') ? known.cause : known))
    return 'The database of the console does not answer. The console goes on when it does.'
  if (passes(known)) return 'The database of the console refuses what it is asked for now.'
  return isNodeError(known, 'STORE_UNREACHABLE')
    ? 'The tables of the console are not in its database. The console goes on when they are restored.'
    : null
}

const SECURE_PAGE = 'This name is reached by https alone.'

/**
 * Lets nobody reach a route without its role, and serves sign-in, people and tokens. Routes that are added later say
 * their least role in `config.role`.
 */
export function servePeople(server: FastifyInstance, parameters: PeopleServer): void {
  const { people, access, allowedHosts, issuer } = parameters
  const sessions = createSessions(people)
  const tokens = createApiTokens(people)
  const signIn = createSignIn(people, sessions)
  const visitors = createVisitors({ people, sessions, tokens, access })
  const { openId: settings } = parameters
  const openId = settings === undefined ? null : createOpenId({ settings, people, signIn })
  if (openId !== null) server.get(CALLBACK, { config: { role: 'anyone' } }, openId.takeAnswer)
  server.decorateRequest('visitor', null)
  server.decorateRequest('side', null)
  // JSON alone: a form of another page can send texts, and no JSON.
  server.removeContentTypeParser('text/plain')

  server.setErrorHandler(async (error: Error & { readonly statusCode?: number }, _, reply) => {
    if (error instanceof RefusedError) return sendRefusal(reply, error)
    const reason = whyTablesAreAway(error)
    if (reason !== null)
      return sendRefusal(reply, new RefusedError(503, reason, { retryAfterSeconds: AWAY_SECONDS }))
    const { statusCode = 500 } = error
    // Sentences of Fastify are about the form of a request; all others may say too much.
    return reply.code(statusCode).send({
      error: statusCode < 500 ? error.message : 'The console could not answer, by a fault of its own.',
    })
  })

  server.addHook('onRequest', async (request) => {
    const { role, isOpenHere = false } = request.routeOptions.config
    request.side = sideOf(request, allowedHosts)
    if (request.side === null)
      throw new RefusedError(403, 'The console does not answer to this name; --allow-host adds one.')
    // What no route has is not found; files of the page are for everybody.
    if (request.is404 || (role === 'anyone' && isReading(request))) return
    if (isFromElsewhere(request, request.side))
      throw new RefusedError(
        403,
        request.headers.origin === `http://${request.headers.host}`
          ? SECURE_PAGE
          : 'Other pages may not ask here.',
      )
    if (role === 'anyone' || (isOpenHere && request.side === 'here' && isReading(request))) return
    const visitor = await visitors.find(request)
    if (visitor === null) throw await notSignedIn(people, openId?.facts(request))
    if (!isReading(request)) assertMayChange(request, visitor)
    if (!includesRole(visitor.role, role ?? 'owner'))
      throw new RefusedError(403, `This needs the role ${role ?? 'owner'}; yours is ${visitor.role}.`)
    request.visitor = visitor
  })

  for (const route of peopleRoutes)
    server.route<{ Params: { readonly id?: string } }>({
      method: route.method,
      url: route.path.replace('{id}', ':id(^\\d{1,9}$)'),
      config: { role: route.role },
      bodyLimit: 4096,
      async handler(request, reply) {
        const body = readBody(route, request.body)
        const { visitor, side, ip: address } = request
        const answer = await route.run(
          {
            ...{ people, sessions, tokens, signIn, visitor, issuer, address, isLocal: side === 'here' },
            id: Number(request.params.id ?? 0),
            async setSession(secret) {
              await visitors.end(request)
              reply.header('set-cookie', cookieOf(request, { secret }))
            },
            openId: openId && {
              async begin() {
                const { url, cookie } = await openId.begin(request)
                reply.header('set-cookie', cookie)
                return url
              },
              async giveCode(code) {
                const { secret, cookie } = await openId.giveCode(request, code)
                reply.header('set-cookie', cookie)
                return secret
              },
              endUrl: () => openId.endUrl(request),
            },
          },
          body as never,
        )
        return route.answer === null ? reply.code(204).send() : reply.send(answer)
      },
    })
}

const isReading = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

function assertMayChange({ headers }: FastifyRequest, visitor: Visitor): void {
  if (visitor.kind === 'token') throw new RefusedError(403, 'A token reads and changes nothing.')
  if (headers['hailstone-csrf'] !== visitor.csrf)
    throw new RefusedError(
      403,
      'The header hailstone-csrf is missing or of another session. Load the page again.',
    )
}

async function notSignedIn(
  people: PersonStore,
  facts: ReturnType<OpenId['facts']> = {},
): Promise<RefusedError> {
  const hasPeople = await people.hasAny()
  const sentence = hasPeople
    ? 'Not signed in.'
    : 'Not signed in: open the link that the command printed, or start it again.'
  return new RefusedError(401, sentence, { hasPeople, ...facts })
}

function sendRefusal(reply: FastifyReply, { status, message, facts }: RefusedError): FastifyReply {
  const { retryAfterSeconds } = facts
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return reply.code(status).send({ error: message, ...facts })
}

function readBody({ body: schema }: PeopleRoute, body: unknown): unknown {
  if (schema === null) return undefined
  const read = schema.safeParse(body)
  if (read.success) return read.data
  throw new RefusedError(400, issuesText(read.error))
}
