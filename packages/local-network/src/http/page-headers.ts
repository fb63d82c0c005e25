import type { FastifyInstance } from 'fastify'

/** Of a page with nothing from elsewhere, in nobody's frame. */
const OWN_PARTS_ALONE = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const isPage = (type: unknown): boolean => String(type).startsWith('text/html')

/** Headers that keep answers what they are, and pages to themselves. A page may have a policy of its own. */
export function protectPages(server: FastifyInstance): void {
  server.addHook('onSend', async (_, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer')
    if (!isPage(reply.getHeader('content-type'))) return
    reply.header('x-frame-options', 'DENY')
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', OWN_PARTS_ALONE)
  })
}
