import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isLoopbackHost } from '@hailstone/runtime'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Access, createAccess } from './access.ts'
import { csvOf } from './csv.ts'
import type { Figure, FigureContext } from './figures/figure.ts'
import { serveLive } from './live/serve-live.ts'
import type { Follower } from './open-follower.ts'
import { openApiOf, type Route, routes } from './routes.ts'

export type ConsoleServer = AsyncDisposable & {
  readonly url: string
  /** Address that signs in once, within 15 minutes. */
  readonly signInUrl: () => string
  readonly stop: () => Promise<void>
}

const COOKIE = 'hailstone-console'

/** Nothing from elsewhere, in nobody's frame, and no text of a token or label becomes markup. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
].join('; ')

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

const PAGE = fileURLToPath(new URL('../dist/page/', import.meta.url))

/**
 * Serves page, API and exports of one token on loopback.
 *
 * @param parameters.follower fills the tables that are read
 */
export async function serveConsole(parameters: {
  readonly follower: Follower
  /** @default 0, any free port */
  readonly port?: number | undefined
  readonly now?: (() => number) | undefined
}): Promise<ConsoleServer> {
  const { follower, port = 0, now = Date.now } = parameters
  const access = createAccess({ now })
  const server = fastify({ logger: false, bodyLimit: 1024 })
  guard(server, access)
  await servePage(server, access)
  server.get('/openapi.json', async () => openApiOf('0.1.0'))
  for (const route of routes) serveRoute(server, route, { follower, now })
  serveLive(server, follower)
  await server.listen({ host: '127.0.0.1', port })
  const { port: bound } = server.server.address() as { readonly port: number }
  const url = `http://127.0.0.1:${bound}`
  const stop = (): Promise<void> => server.close()
  return {
    url,
    signInUrl: () => `${url}/sign-in?link=${access.issueLink()}`,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

const sessionOf = ({ headers }: FastifyRequest): string | undefined =>
  new RegExp(`(?:^|; )${COOKIE}=([A-Za-z0-9_-]+)`).exec(headers.cookie ?? '')?.[1]

/** Names of other hosts are refused: a web page can make its own name point here. */
const isOwnHost = (host: string | undefined): boolean =>
  host !== undefined && isLoopbackHost(host.replace(/:\d+$/, ''))

/** Browsers that say nothing of the site still name the origin of a form. */
const isFromElsewhere = ({ headers }: FastifyRequest): boolean =>
  !['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined) ||
  ![undefined, `http://${headers.host}`].includes(headers.origin)

function guard(server: FastifyInstance, access: Access): void {
  server.addHook('onRequest', async (request, reply) => {
    reply
      .header('content-security-policy', POLICY)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store')
    if (!isOwnHost(request.headers.host))
      return reply.code(403).send({ error: 'The console answers on this machine alone.' })
    const path = request.url.split('?')[0] ?? ''
    if (!path.startsWith('/v1/') && path !== '/sign-out') return
    if (isFromElsewhere(request)) return reply.code(403).send({ error: 'Other pages may not ask here.' })
    if (!access.isOpen(sessionOf(request)))
      return reply
        .code(401)
        .send({ error: 'Not signed in: open the link that the command printed, or start it again.' })
  })
}

async function servePage(server: FastifyInstance, access: Access): Promise<void> {
  const files = await readdir(PAGE, { recursive: true, withFileTypes: true })
  for (const file of files) {
    if (!file.isFile()) continue
    const path = join(file.parentPath, file.name)
    const body = await readFile(path)
    const url = `/${path.slice(PAGE.length).replaceAll('\\', '/')}`
    const type = types[extname(file.name)] ?? 'application/octet-stream'
    const send = async (_: FastifyRequest, reply: FastifyReply) => reply.type(type).send(body)
    server.get(url === '/index.html' ? '/' : url, send)
  }
  server.get<{ Querystring: { readonly link?: string } }>('/sign-in', async ({ query }, reply) => {
    const session = typeof query.link === 'string' ? access.redeem(query.link) : null
    if (session === null)
      return reply
        .code(403)
        .type('text/plain; charset=utf-8')
        .send('This link was used, or is older than 15 minutes. Start the console again for a new one.\n')
    // Lax: the link is opened from a terminal or a mail, which strict cookies would not survive.
    return reply
      .header('set-cookie', `${COOKIE}=${session}; HttpOnly; SameSite=Lax; Path=/`)
      .redirect('/', 303)
  })
  server.post('/sign-out', async (request, reply) => {
    access.end(sessionOf(request))
    return reply.code(204).send()
  })
}

type Source = {
  readonly follower: Follower
  readonly now: () => number
}

function serveRoute(server: FastifyInstance, route: Route, source: Source): void {
  server.get(route.path, async (request, reply) => {
    const read = route.query.safeParse(request.query)
    if (!read.success)
      return reply.code(400).send({
        error: read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
      })
    return answer(route, source, read.data)
  })
  if (!route.isFigure) return
  server.get(`${route.path}.csv`, async (request, reply) => {
    const read = route.query.safeParse(request.query)
    if (!read.success)
      return reply.code(400).send({ error: 'The parameters are those of the same path without .csv.' })
    const { data, token } = await answer(route, source, read.data)
    const name = `${token.symbol.toLowerCase()}-${route.path.slice(4)}.csv`
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(csvOf(data as Figure, token))
  })
}

/** The answer that page, API and export get, with the height that all of it was read at. */
async function answer(route: Route, { follower, now }: Source, query: unknown) {
  const { token, index } = follower
  // One transaction: a macroblock that arrives between two questions is in none of them.
  const [data, height, time] = await index.queries.transaction().execute(async (queries) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(queries)
    const tip = await queries
      .selectFrom('block')
      .select(['height', 'time', 'day'])
      .orderBy('height', 'desc')
      .limit(1)
      .executeTakeFirst()
    const { total_supply: supply } = await queries
      .selectFrom('token')
      .select('total_supply')
      .where('id', '=', token.number)
      .executeTakeFirstOrThrow()
    const context: FigureContext = { queries, token, supply, today: tip?.day ?? -1 }
    return [
      await route.compute(context, query as never),
      tip?.height ?? null,
      tip === undefined ? null : Number(tip.time),
    ] as const
  })
  const { state, failure, reorganisations } = follower.status()
  const ageSeconds = time === null ? null : Math.max(0, Math.floor(now() / 1000) - time)
  return {
    status: { height, ageSeconds, state, failure, reorganisations },
    token: { id: token.id, symbol: token.symbol, decimals: token.decimals },
    data,
  }
}
