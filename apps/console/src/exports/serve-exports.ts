import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Figure, PageQuery } from '../figures/figure.ts'
import type { InTurn } from '../in-turn.ts'
import type { Follower } from '../open-follower.ts'
import { includesRole } from '../people/roles.ts'
import type { Visitor } from '../people/visitors.ts'
import { LIST_ROLE, type Route } from '../routes.ts'
import { type ExportFile, exportFigure } from './export-figure.ts'
import { exportKinds } from './export-kinds.ts'
import type { PagesSource } from './read-pages.ts'

/** Rows that are read at once. */
const EXPORT_ROWS = 1000

export type ExportSource = {
  readonly follower: Follower
  readonly now: () => number
  readonly exportInTurn: InTurn
}

/** Serves a figure as a file of each kind. */
export function serveExports(server: FastifyInstance, route: Route, source: ExportSource): void {
  const role = includesRole(route.role, LIST_ROLE) ? route.role : LIST_ROLE
  const { follower, now, exportInTurn } = source
  for (const [ending, kind] of Object.entries(exportKinds))
    server.get(`${route.path}.${ending}`, { config: { role } }, async (request, reply) => {
      const read = route.query.safeParse(request.query)
      if (!read.success)
        return reply
          .code(400)
          .send({ error: `The parameters are those of the same path without .${ending}.` })
      const pageOf = pagesOf(route, read.data as PageQuery, 'limit' in (request.query as object))
      const isOfRecords = route.isOfRecords === true
      const { length, stream, token } = await whileAsked(request, reply, (signal, give) =>
        exportInTurn(
          () => exportFigure({ follower, nowMs: now(), kind, pageOf, isOfRecords, signal }, give),
          { name: nameOf(request.visitor), signal },
        ),
      )
      const name = `${token.symbol.toLowerCase()}-${route.path.slice(4)}.${ending}`
      if (length !== null) reply.header('content-length', length)
      return reply
        .type(kind.type)
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(stream)
    })
}

/** Whoever names a number of rows gets so many; a file has all pages otherwise. */
function pagesOf(route: Route, asked: PageQuery, isLimited: boolean): PagesSource['pageOf'] {
  const isWhole = 'limit' in asked && !isLimited
  return async (context, after) => {
    const query = { ...asked, ...(isWhole ? { limit: EXPORT_ROWS } : {}), ...(after && { after }) }
    const figure = (await route.compute(context, query as never)) as Figure
    return isWhole ? figure : { ...figure, next: null }
  }
}

/** Name by which the files and questions of one person are counted, whatever they are asked with. */
export const nameOf = (visitor: Visitor | null): string =>
  visitor === null || visitor.kind === 'link'
    ? 'link'
    : String(visitor.kind === 'token' ? visitor.person : visitor.person.id)

/**
 * Resolves with the file as soon as work gives it. The work ends with the reply, and until it ends the silence of the
 * connection is no reason to close it.
 */
async function whileAsked(
  { raw: { socket } }: FastifyRequest,
  { raw: reply }: FastifyReply,
  work: (signal: AbortSignal, give: (file: ExportFile) => void) => Promise<void>,
): Promise<ExportFile> {
  const gone = new AbortController()
  reply.once('close', () => gone.abort())
  if (reply.destroyed || socket.destroyed) gone.abort()
  const silenceMs = socket.timeout ?? 0
  socket.setTimeout(0)
  return new Promise((resolve, reject) => {
    work(gone.signal, resolve)
      .catch(reject)
      .finally(() => socket.setTimeout(silenceMs))
  })
}
