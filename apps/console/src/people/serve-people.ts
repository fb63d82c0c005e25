import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '../access.ts'
import { issuesText } from '../issues-text.ts'
import { createApiTokens } from './api-tokens.ts'
import { type PeopleRoute, peopleRoutes } from './people-routes.ts'
import type { PersonStore } from './person-store.ts'
import { RefusedError } from './refused-error.ts'
import { includesRole, type Role } from './roles.ts'
import { createSessions } from './sessions.ts'
import { createSignIn } from './sign-in.ts'
import {
  createVisitors,
  isFromElsewhere,
  type Side,
  sessionCookie,
  sideOf,
  type Visitor,
} from './visitors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The one who asks; null where nobody is asked for. */
    visitor: Visitor | null
    side: Side
  }
  interface FastifyContextConfig {
    /** Least role of a route. One without it is for owners. */
    readonly role?: Role | 'anyone'
    /** True if programs of this machine read it without a session or a token. */
    readonly isOpenHere?: boolean
  }
}

export type PeopleServer = {
  /** Names beyond this machine by which the console is reached, in lower case and without a port. */
  readonly allowedHosts: readonly string[]
  readonly people: PersonStore
  readonly access: Access
  /** Name of the console in authenticator apps. */
  readonly issuer: string
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
  server.decorateRequest('visitor', null)
  server.decorateRequest('side', null)
  // JSON alone: a form of another page can send texts, and no JSON.
  server.removeContentTypeParser('text/plain')

  server.setErrorHandler(async (error: Error & { readonly statusCode?: number }, _, reply) => {
    if (error instanceof RefusedError) return sendRefusal(reply, error)
    const { statusCode = 500 } = error
    // Sentences of Fastify are about the form of a request; all others may say too much.
    return reply.code(statusCode).send({
      error: statusCode < 500 ? error.message : 'The console could not answer. Its tables may be away.',
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
    const visitor = await visitors.find(request, request.side)
    if (visitor === null) throw await notSignedIn(people)
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
              await visitors.end(request, side)
              reply.header('set-cookie', sessionCookie(request, { side, secret }))
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

async function notSignedIn(people: PersonStore): Promise<RefusedError> {
  const hasPeople = await people.hasAny()
  const sentence = hasPeople
    ? 'Not signed in.'
    : 'Not signed in: open the link that the command printed, or start it again.'
  return new RefusedError(401, sentence, { hasPeople })
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
