import type { FastifyInstance } from 'fastify'

/** Returns the policy of a page with nothing from elsewhere, in nobody's frame. */
const ownPartsAlone = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const OF_PAGES = ownPartsAlone("'self'")
/** For the page of the reference alone: Scalar writes its styles into the page. */
export const REFERENCE_POLICY = ownPartsAlone("'self' 'unsafe-inline'")

const isPage = (type: unknown): boolean => String(type).startsWith('text/html')

/** Headers that keep answers what they are, and pages to themselves. A page may have a policy of its own. */
export function protectPages(server: FastifyInstance): void {
  server.addHook('onSend', async (_, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer')
    if (!isPage(reply.getHeader('content-type'))) return
    reply.header('x-frame-options', 'DENY')
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', OF_PAGES)
  })
}
