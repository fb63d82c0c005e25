import { readdir, readFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isLoopbackHost } from '@hailstone/runtime'
import {
  addressBlock,
  CommandLineError,
  type ConnectionLimit,
  limitConnections,
  servingTimes,
} from '@hailstone/runtime/node'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type Access, createAccess } from './access.ts'
import { alertId, alertRoutes } from './alerts/alert-routes.ts'
import { type Alerts, openAlerts } from './alerts/alerts.ts'
import { serveMetrics } from './alerts/serve-metrics.ts'
import { createWebhookGate } from './alerts/webhook-gate.ts'
import type { BrandLook } from './brand-look.ts'
import { type ExportSource, nameOf, serveExports } from './exports/serve-exports.ts'
import { readSnapshot } from './figures/read-snapshot.ts'
import { createTurns } from './in-turn.ts'
import { issuesText } from './issues-text.ts'
import { labelId, labelRoutes } from './labels/label-routes.ts'
import { openLabelTables } from './labels/label-tables.ts'
import { createLabels } from './labels/labels.ts'
import { serveLive } from './live/serve-live.ts'
import { createNetworkQuestions, type NetworkQuestions } from './network-questions.ts'
import type { Follower } from './open-follower.ts'
import type { OpenIdSettings } from './people/open-id-client.ts'
import { openPeopleTables } from './people/people-tables.ts'
import { createPersonStore, type PersonStore } from './people/person-store.ts'
import { servePeople } from './people/serve-people.ts'
import { cookieOf } from './people/visitors.ts'
import { openApi, type Route, routes } from './routes.ts'
import { serveChanges } from './serve-changes.ts'
import { serveHealth } from './serve-health.ts'

export type ConsoleServer = AsyncDisposable & {
  readonly url: string
  /** Address that signs in once, within 15 minutes, while the console has no people. */
  readonly signInUrl: () => string
  /** True if people sign in by name, and links of the command do not. */
  readonly hasPeople: () => Promise<boolean>
  readonly stop: () => Promise<void>
}

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

/** Places that the console listens on and answers to. */
export type ConsolePlace = {
  /** @default 0, any free port */
  readonly port?: number | undefined
  /** Address to listen on. @default 127.0.0.1 */
  readonly host?: string | undefined
  /** Names beyond this machine by which people reach it, over https. @default none */
  readonly allowedHosts?: readonly string[] | undefined
  /** Addresses of proxies on other machines that are believed whom they ask for. @default none */
  readonly proxies?: readonly string[] | undefined
}

/**
 * Serves page, API and exports of one token.
 *
 * @param parameters.follower fills the tables that are read
 * @throws {CommandLineError} beyond this machine while nobody can sign in
 */
export async function serveConsole(
  parameters: ConsolePlace & {
    readonly follower: Follower
    /** @default those of the tables, which nobody delivers */
    readonly alerts?: Alerts | undefined
    readonly now?: (() => number) | undefined
    /** People of the console. @default those of the tables */
    readonly people?: PersonStore | undefined
    /** Provider of OpenID Connect by which people sign in too. @default none */
    readonly openId?: OpenIdSettings | undefined
    /** Name, colours and icon of the partner. @default those of the console itself */
    readonly brand?: BrandLook | undefined
  },
): Promise<ConsoleServer> {
  const {
    follower,
    port = 0,
    host = '127.0.0.1',
    allowedHosts = [],
    proxies = [],
    now = Date.now,
  } = parameters
  const access = createAccess({ now })
  const people =
    parameters.people ?? createPersonStore({ queries: await openPeopleTables(follower.index), now })
  const isBeyond = !isLoopbackHost(host) || allowedHosts.length > 0
  if (isBeyond && !(await people.hasAny()))
    throw new CommandLineError(
      'Beyond this machine the console needs a person who can sign in. Add one with the same --data or --database: npm run console -- people add NAME --role owner',
    )
  if (!isLoopbackHost(host) && allowedHosts.length === 0)
    throw new CommandLineError(
      `--host ${host} needs --allow-host NAME, the name by which people reach the console.`,
    )
  const labels = createLabels(await openLabelTables(follower.index))
  const gate = createWebhookGate({ allowsLoopback: !isBeyond })
  const alerts = parameters.alerts ?? (await openAlerts({ follower, gate, now }))
  const trustProxy = isBeyond ? ['loopback', ...proxies] : false
  const connections = createConnections(['127.0.0.1', '::1', ...proxies])
  const { serverFactory } = connections
  const server = fastify({ logger: false, bodyLimit: 1024, trustProxy, serverFactory })
  sendHeaders(server)
  const names = allowedHosts.map((name) => name.toLowerCase())
  servePeople(server, {
    ...{ people, access, allowedHosts: names, issuer: `${follower.token.symbol} console` },
    openId: parameters.openId,
  })
  await servePage(server, parameters.brand)
  serveLink(server, access, people)
  server.get('/openapi.json', forAnyone, async () => openApi())
  const exportInTurn = createTurns({
    limit: MAX_EXPORTS,
    limitOfOne: MAX_EXPORTS_OF_PERSON,
    refusal: 'Too many files are exported at once. Try again in a minute.',
  })
  const question = createNetworkQuestions()
  for (const route of routes) serveRoute(server, route, { follower, now, exportInTurn, question })
  serveLive(server, follower, connections.keep)
  serveChanges(server, { routes: alertRoutes, subject: alerts, id: alertId, people })
  serveChanges(server, { routes: labelRoutes, subject: labels, id: labelId, people })
  serveMetrics(server, { alerts, follower, now })
  serveHealth(server, follower)
  await server.listen({ host, port }).catch(async (error: unknown) => {
    // Its timers would keep a process that has nothing to serve.
    await server.close()
    const { code } = error as { readonly code?: string }
    throw code === 'ENOTFOUND' ? new CommandLineError(`--host ${host} is no address of this machine.`) : error
  })
  const { port: bound } = server.server.address() as { readonly port: number }
  // Whoever listens on all addresses is reached on this machine too.
  const url = `http://${isLoopbackHost(host) ? host : '127.0.0.1'}:${bound}`
  const stop = async (): Promise<void> => {
    const ending = setTimeout(connections.endAll, FAREWELL_MS)
    await server.close().finally(() => clearTimeout(ending))
    // The end does not fail for a log that cannot be written.
    await people.writeNotes().catch(() => {})
  }
  return {
    url,
    signInUrl: () => `${url}/sign-in?link=${access.issueLink()}`,
    hasPeople: people.hasAny,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** Connections of all, and those of one address that is no proxy: the oldest of all make room. */
const MAX_CONNECTIONS = 1024
const MAX_OF_ADDRESS = 64
/** Time without a byte after which a connection ends, in ms, unless a file is being made for it. */
const SILENCE_MS = 120_000
/** Requests that are being answered get this long when the console stops, in ms. */
const FAREWELL_MS = 2000

/**
 * Makes the servers of a console; a name such as `localhost` has one for each of its addresses.
 *
 * @param uncounted addresses that many people share
 */
function createConnections(uncounted: readonly string[]) {
  const limits: ConnectionLimit[] = []
  const shared = new Set(uncounted.map((address) => addressBlock(address)))
  const serverFactory = (handle: RequestListener): Server => {
    const server = createServer(servingTimes, handle)
    server.setTimeout(SILENCE_MS)
    const groupOf = (address: string): string | null => {
      const group = addressBlock(address)
      return shared.has(group) ? null : group
    }
    limits.push(limitConnections(server, { most: MAX_CONNECTIONS, maxOfGroup: MAX_OF_ADDRESS, groupOf }))
    return server
  }
  return {
    serverFactory,
    keep: (socket: Socket): void => {
      for (const limit of limits) limit.keep(socket)
    },
    endAll: (): void => {
      for (const limit of limits) limit.endAll()
    },
  }
}

function sendHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', async (_, reply) => {
    reply
      .header('content-security-policy', POLICY)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store')
  })
}

const forAnyone = { config: { role: 'anyone' } } as const

/** Puts the look of a brand into the page; its style sheet comes after the one of the page and wins. */
function withBrand(page: string, { name }: BrandLook): string {
  const text = name.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
  const head = `<meta name="application-name" content="${text}"><link rel="stylesheet" href="/brand.css"></head>`
  return page.replace('href="data:,"', () => 'href="/brand-icon"').replace('</head>', () => head)
}

async function servePage(server: FastifyInstance, brand: BrandLook | undefined): Promise<void> {
  const files = await readdir(PAGE, { recursive: true, withFileTypes: true })
  for (const file of files) {
    if (!file.isFile()) continue
    const path = join(file.parentPath, file.name)
    const isPage = file.name === 'index.html'
    const read = await readFile(path)
    const body = isPage && brand !== undefined ? withBrand(String(read), brand) : read
    const url = `/${path.slice(PAGE.length).replaceAll('\\', '/')}`
    const type = types[extname(file.name)] ?? 'application/octet-stream'
    const send = async (_: FastifyRequest, reply: FastifyReply) => reply.type(type).send(body)
    server.get(isPage ? '/' : url, forAnyone, send)
  }
  if (brand === undefined) return
  server.get('/brand.css', forAnyone, async (_, reply) =>
    reply.type('text/css; charset=utf-8').send(brand.css),
  )
  server.get('/brand-icon', forAnyone, async (_, reply) =>
    reply.type(brand.icon.type).send(Buffer.from(brand.icon.body)),
  )
}

function serveLink(server: FastifyInstance, access: Access, people: PersonStore): void {
  type Link = { Querystring: { readonly link?: string } }
  server.get<Link>('/sign-in', forAnyone, async (request, reply) => {
    const { query, side } = request
    // With people there is nothing that a link could open.
    if (side !== 'here' || (await people.hasAny())) return reply.redirect('/', 303)
    const session = typeof query.link === 'string' ? access.redeem(query.link) : null
    if (session === null)
      return reply
        .code(403)
        .type('text/plain; charset=utf-8')
        .send('This link was used, or is older than 15 minutes. Start the console again for a new one.\n')
    return reply.header('set-cookie', cookieOf(request, { secret: session })).redirect('/', 303)
  })
}

/** Exports that wait for their turn: each one holds its figure and its file. */
const MAX_EXPORTS = 100
/** Those of one person: each figure as each kind of file at once, and room for others. */
const MAX_EXPORTS_OF_PERSON = 50

type RouteSource = ExportSource & { readonly question: NetworkQuestions }

function serveRoute(server: FastifyInstance, route: Route, source: RouteSource): void {
  server.get(route.path, { config: { role: route.role } }, async (request, reply) => {
    const read = route.query.safeParse(request.query)
    if (!read.success) return reply.code(400).send({ error: issuesText(read.error) })
    return answer(route, source, { query: read.data, name: nameOf(request.visitor) })
  })
  if (route.isFigure) serveExports(server, route, source)
}

/** The answer that page, API and export get, with the height that all of it was read at. */
async function answer(
  route: Route,
  { follower, now, question }: RouteSource,
  { query, name }: { readonly query: unknown; readonly name: string },
) {
  const { client, token: shown } = follower
  const { ask } = route
  const key = JSON.stringify([route.path, shown.id, query])
  const asked = ask && (await question(key, () => ask(client, shown, query as never), name))
  const { data, tip, token } = await readSnapshot({ follower, nowMs: now() }, (context) =>
    route.compute(context, query as never, asked as never),
  )
  const { height: _, ...status } = follower.status()
  return {
    status: { height: tip?.height ?? null, ageSeconds: tip?.ageSeconds ?? null, ...status },
    token: { id: token.id, symbol: token.symbol, decimals: token.decimals },
    data,
  }
}
