import { createAnswerCheck, type OpenApiDocument } from '@hailstone/protocol/reference'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WrittenAnswer } from './kept-answers.ts'
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
 * @returns a function that does the same to an answer that the server did not write
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
): (
  asked: { readonly method: 'GET' | 'POST'; readonly url: string; readonly path: string },
  answer: WrittenAnswer,
) => void {
  const { prefixes = [API_PREFIX], report = throwLater } = options
  const problemOf = createAnswerCheck(document)
  const compare = (url: string, answer: Parameters<typeof problemOf>[0]): void => {
    const problem = problemOf(answer)
    if (problem !== null)
      report(
        new Error(
          `The answer to ${answer.method} ${url} is not as it is described: ${problem}. ${answer.body}`,
        ),
      )
  }
  server.addHook('onSend', async (request, reply, payload) => {
    const path = describedPath(request, prefixes)
    if (path === undefined || !['GET', 'POST'].includes(request.method)) return payload
    const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? String(payload) : ''
    const { method, url } = request
    compare(url, { method, path, status: reply.statusCode, contentType: typeOf(reply), body })
    return payload
  })
  return ({ method, url, path }, { type, body }) =>
    compare(url, {
      method,
      path: ALIASES[path] ?? path,
      status: 200,
      contentType: type,
      body: String(body),
    })
}
