import { isLoopbackHost } from '@hailstone/runtime'
import type { FastifyRequest } from 'fastify'
import type { Access } from '../access.ts'
import type { ApiTokens } from './api-tokens.ts'
import type { PersonStore } from './person-store.ts'
import type { Role } from './roles.ts'
import { csrfOf, type Sessions, type SignedIn } from './sessions.ts'

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

/** The one who asks: a person, a program with a token, or whoever opened the link of a console without people. */
export type Visitor =
  | (SignedIn & { readonly kind: 'person'; readonly role: Role; readonly csrf: string })
  | {
      readonly kind: 'token'
      readonly role: Role
      /** Number of the person who made it. */
      readonly person: number
    }
  | { readonly kind: 'link'; readonly role: Role; readonly csrf: string }

/** Side that a request came from; null for a name that is not the console's. */
export type Side = 'here' | 'beyond' | null

/** Beginnings of the cookie's name: a browser takes the second over https alone, for this host alone. */
const cookies = { here: 'hailstone-console', beyond: '__Host-hailstone-console' } as const

/**
 * Use of a cookie: `session` for a session, which browsers send from pages of the console alone; `provider` for a sign-in at
 * a provider, which browsers also send when a page of the provider leads back.
 */
type CookieUse = 'session' | 'provider'

/** Returns the name of a cookie. Cookies are the same for all ports of a host, so it has the port that the browser asks. */
function cookieName({ headers, side }: FastifyRequest, use: CookieUse): string {
  const port = /:(\d{1,5})$/.exec(headers.host ?? '')?.[1]
  const parts = [
    cookies[side ?? 'beyond'],
    ...(use === 'session' ? [] : [use]),
    ...(port === undefined ? [] : [port]),
  ]
  return parts.join('-')
}

/** Returns the origin that the browser has for the console. */
export const originOf = ({ headers, side }: FastifyRequest): string =>
  `${side === 'here' ? 'http' : 'https'}://${headers.host}`

const hostOf = ({ headers }: FastifyRequest): string =>
  (headers.host ?? '').toLowerCase().replace(/:\d+$/, '')

/** Names of other hosts are refused: a web page can make its own name point here. */
export function sideOf(request: FastifyRequest, allowedHosts: readonly string[]): Side {
  const host = hostOf(request)
  if (allowedHosts.includes(host)) return 'beyond'
  // Whoever comes from elsewhere can write any name into the request.
  return host !== '' && isLoopbackHost(host) && isLoopbackHost(request.ip.replace(/^::ffff:/, ''))
    ? 'here'
    : null
}

/** True for requests of pages of other origins. Browsers that say nothing of the site still name the origin of a form. */
export function isFromElsewhere({ headers }: FastifyRequest, side: Side): boolean {
  const own = [`https://${headers.host}`, ...(side === 'here' ? [`http://${headers.host}`] : [])]
  return (
    !['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined) ||
    (headers.origin !== undefined && !own.includes(headers.origin))
  )
}

export function cookieValue(request: FastifyRequest, use: CookieUse = 'session'): string | undefined {
  if (request.side === null) return undefined
  const cookie = new RegExp(`(?:^|; )${cookieName(request, use)}=([A-Za-z0-9_-]{43})(?:;|$)`)
  return cookie.exec(request.headers.cookie ?? '')?.[1]
}

/** Returns the header that gives a browser a secret, or takes it away without one. */
export function cookieOf(
  request: FastifyRequest,
  { use = 'session', secret }: { readonly use?: CookieUse; readonly secret: string | null },
): string {
  return [
    `${cookieName(request, use)}=${secret ?? ''}`,
    ...(request.side === 'here' ? [] : ['Secure']),
    ...(secret === null ? ['Max-Age=0'] : []),
    'HttpOnly',
    `SameSite=${use === 'session' ? 'Strict' : 'Lax'}`,
    'Path=/',
  ].join('; ')
}

export type Visitors = {
  /** Finds out who asks. @throws {RefusedError} for a token that asks too often */
  readonly find: (request: FastifyRequest) => Promise<Visitor | null>
  /** Ends the session of a request. */
  readonly end: (request: FastifyRequest) => Promise<void>
}

export function createVisitors(parameters: {
  readonly people: PersonStore
  readonly sessions: Sessions
  readonly tokens: ApiTokens
  /** Links of a console without people. */
  readonly access: Access
}): Visitors {
  const { people, sessions, tokens, access } = parameters
  return {
    async find(request) {
      const { authorization } = request.headers
      if (authorization !== undefined) {
        const token = await tokens.find(/^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '')
        return token === undefined ? null : { kind: 'token', ...token }
      }
      const secret = cookieValue(request)
      if (secret === undefined) return null
      const csrf = csrfOf(secret)
      if (request.side === 'here' && access.isOpen(secret))
        return (await people.hasAny()) ? null : { kind: 'link', role: 'owner', csrf }
      const found = await sessions.find(secret)
      return found === undefined ? null : { ...found, kind: 'person', role: found.person.role, csrf }
    },
    async end(request) {
      const secret = cookieValue(request)
      if (secret === undefined) return
      access.end(secret)
      await sessions.end(secret)
    },
  }
}
