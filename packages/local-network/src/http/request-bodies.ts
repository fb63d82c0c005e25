import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiRefusal } from './api-refusal.ts'
import { wholeBodyOf } from './whole-bodies.ts'

const JSON_MEDIA = 'application/json'
const FORM_MEDIA = 'application/x-www-form-urlencoded'

/** The network has one sentence for everything it cannot make sense of. */
export const SOMETHING_WRONG = 'Something went wrong...'

const malformed = (): ApiRefusal => new ApiRefusal(400, SOMETHING_WRONG)

/** Ordinary JSON, numbers as doubles: the public server rounds large ones, and signatures then fail. */
export function parseStrict(body: Buffer): unknown {
  if (body.length === 0) return {}
  // Takes a byte order mark away.
  const text = new TextDecoder().decode(body)
  if (!/^[ \t\r\n]*[[{]/.test(text)) throw malformed()
  try {
    return JSON.parse(text)
  } catch {
    throw malformed()
  }
}

const charsetOf = (contentType: string): string =>
  /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8'

const mediaOf = (contentType: string): string => contentType.split(';')[0]?.trim().toLowerCase() ?? ''

/**
 * Reads bodies as the public server does: JSON and forms alone. Anything else, and no content type at all, is
 * left unread and the body counts as absent (PROTOCOL 2.4, check 1).
 */
export function readBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addHook('onRequest', async (request) => {
    const { headers } = request.raw
    if (![JSON_MEDIA, FORM_MEDIA].includes(mediaOf(headers['content-type'] ?? '')))
      delete headers['content-type']
  })
  server.addHook('preParsing', async ({ raw }, _, payload) => {
    const body = wholeBodyOf(raw)
    return body === undefined ? payload : Readable.from([body], { objectMode: false })
  })
  server.addContentTypeParser(
    JSON_MEDIA,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const charset = charsetOf(request.headers['content-type'] ?? '')
      if (!charset.startsWith('utf-')) throw new ApiRefusal(415, SOMETHING_WRONG)
      return parseStrict(body)
    },
  )
  server.addContentTypeParser(FORM_MEDIA, { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) =>
    Object.fromEntries(new URLSearchParams(body.toString('utf8'))),
  )
  server.addContentTypeParser('*', (_, payload, done) => {
    payload.resume()
    done(null, undefined)
  })
}
