import { createAnswerCheck, type OpenApiDocument } from '@hailstone/protocol/reference'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_PREFIX } from './route.ts'

/** Spellings that are served and not described. */
const ALIASES: Readonly<Record<string, string>> = { '/balance_minable': '/balance_mineable' }

/** The path as the document writes it; undefined for pages and their parts. */
function describedPath({ routeOptions }: FastifyRequest, prefixes: readonly string[]): string | undefined {
  const { url } = routeOptions
  if (url === '/health') return url
  const prefix = prefixes.find((one) => url?.startsWith(`${one}/`))
  if (url === undefined || prefix === undefined) return undefined
  const path = url.slice(prefix.length)
  return ALIASES[path] ?? path
}

const typeOf = (reply: FastifyReply): string | undefined => {
  const type = reply.getHeader('content-type')
  return type === undefined ? undefined : String(type)
}

/** No handler of the server can swallow it. */
const throwLater = (error: Error): void =>
  void setImmediate(() => {
    throw error
  })

/**
 * Compares every answer with the document of the reference. One that does not fit becomes an uncaught exception:
 * a test run must not be able to overlook it. For tests.
 *
 * @param options.prefixes where the paths of the document begin on this server
 * @param options.report by default throws where nobody catches
 */
export function validateAnswers(
  server: FastifyInstance,
  document: OpenApiDocument,
  options: {
    readonly prefixes?: readonly string[] | undefined
    readonly report?: ((error: Error) => void) | undefined
  } = {},
): void {
  const { prefixes = [API_PREFIX], report = throwLater } = options
  const problemOf = createAnswerCheck(document)
  server.addHook('onSend', async (request, reply, payload) => {
    const path = describedPath(request, prefixes)
    if (path === undefined || !['GET', 'POST'].includes(request.method)) return payload
    const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? String(payload) : ''
    const { method, url } = request
    const answer = { method, path, status: reply.statusCode, contentType: typeOf(reply), body }
    const problem = problemOf(answer)
    if (problem !== null)
      report(new Error(`The answer to ${method} ${url} is not as it is described: ${problem}. ${body}`))
    return payload
  })
}
