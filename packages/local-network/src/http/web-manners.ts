import { isNodeError, type NodeError } from '@hailstone/protocol'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../logger.ts'
import { ApiRefusal } from './api-refusal.ts'
import { SOMETHING_WRONG } from './request-bodies.ts'
import { API_PREFIX, sendJson } from './route.ts'

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/** The page of the public server's web framework. */
const missingPage = (method: string, path: string): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Error</title>
</head>
<body>
<pre>Cannot ${escaped(method)} ${escaped(path)}</pre>
</body>
</html>
`

export function sendMissingPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path = '/'] = request.url.split('?')
  return reply
    .code(404)
    .header('access-control-allow-origin', '*')
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    .header('x-content-type-options', 'nosniff')
    .type('text/html; charset=utf-8')
    .send(missingPage(request.method, path))
}

/** Time for which a browser need not ask again whether it may ask; the longest that Chromium takes. In s. */
const PREFLIGHT_LASTS_S = 7200

/** Every origin may read every answer, errors too; a preflight is answered whatever its path. */
function allowEveryOrigin(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    reply.header('access-control-allow-origin', '*')
    if (request.method !== 'OPTIONS') return
    const asked = request.headers['access-control-request-headers']
    if (asked !== undefined)
      reply.header('access-control-allow-headers', asked).header('vary', 'Access-Control-Request-Headers')
    return reply
      .header('access-control-allow-methods', 'GET,HEAD,PUT,PATCH,POST,DELETE')
      .header('access-control-max-age', String(PREFLIGHT_LASTS_S))
      .code(204)
      .send()
  })
}

/** Whatever is wrong with the database is for the log; a client can only come back later. */
const storeMessages: Readonly<Record<string, string>> = {
  STORE_UNREACHABLE: 'The store does not answer at the moment.',
  STORE_FULL: 'The store has no room at the moment.',
  STORE_NOT_REPLICATED: 'The store takes nothing at the moment.',
}

/** Time in which the log has one line about requests that the store did not answer, in ms. */
const STORE_LINE_MS = 60_000

/** Returns a function that logs why the store does not answer, once a minute: everybody's requests fail for it. */
function storeLog(logger: Logger): (path: string, error: NodeError) => void {
  let nextMs = 0
  return (path, { message }) => {
    const now = performance.now()
    if (now < nextMs) return
    nextMs = now + STORE_LINE_MS
    logger.error('the store does not answer', { path, reason: message })
  }
}

/** Failures in the network's shape. What is our own fault is logged and says nothing of its cause. */
function answerErrors(server: FastifyInstance, logger: Logger): void {
  const logStore = storeLog(logger)
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const away = isNodeError(error) ? storeMessages[error.code] : undefined
    if (isNodeError(error) && away !== undefined) {
      logStore(request.url, error)
      return sendJson(reply.code(503), { err: 1n, message: away })
    }
    const statusCode = error.statusCode ?? 500
    // A refusal is a decision, which anybody can bring about as often as they like.
    const isDecided = error instanceof ApiRefusal
    if (statusCode >= 500 && !isDecided)
      logger.error('request failed', { path: request.url, reason: error.stack ?? error.message })
    const message = isDecided ? error.message : SOMETHING_WRONG
    return sendJson(reply.code(statusCode), { err: 1n, message })
  })
  server.setNotFoundHandler((request, reply) => {
    const [path = '/'] = request.url.split('?')
    const isForProgram =
      path.toLowerCase().startsWith(`${API_PREFIX}/`) && /\bjson\b/i.test(request.headers.accept ?? '')
    if (!isForProgram) return sendMissingPage(request, reply)
    return sendJson(reply.code(404), { err: 1n, message: `There is no ${request.method} ${path}.` })
  })
}

/** Adds the headers and behaviour that all answers of the public server share. */
export function behaveLikePublicServer(server: FastifyInstance, logger: Logger): void {
  allowEveryOrigin(server)
  answerErrors(server, logger)
}
