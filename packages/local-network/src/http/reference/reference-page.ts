import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { OpenApiDocument } from '@hailstone/protocol/reference'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { REFERENCE_POLICY } from '../page-headers.ts'
import { LIVE_DOCUMENT } from '../request-cost.ts'
import { JSON_TYPE } from '../route.ts'
import { sendMissingPage } from '../web-manners.ts'
import type { OperationExample } from './chain-examples.ts'
import { liveDocument } from './live-document.ts'

const REFERENCE_PATH = '/docs'

/** A hailstone. */
const ICON = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
  '<path d="M16 2 28 9v14l-12 7L4 23V9z" fill="#4a7dbd"/><path d="M16 2 28 9l-12 7L4 9z" fill="#a9c8ec"/></svg>',
].join('')

/** The build writes it; see `copy-pages.mjs`. The same path from the sources and from the build. */
const SCALAR_FILE = fileURLToPath(new URL('../../../dist/scalar.js.gz', import.meta.url))

/** The link to its maker is gone, code of the guides is read without scrolling, and colours have contrast enough. */
const STYLES = `a[href^="https://scalar.com"] { display: none }
.markdown code.hljs { white-space: pre-wrap !important; overflow-wrap: anywhere }
.light-mode { --scalar-color-2: #575757; --scalar-color-3: #666 }
.light-mode { --scalar-color-green: #04734c; --scalar-color-orange: #b33c00 }
.dark-mode { --scalar-color-3: #a4a4a4 }`

/** Settings of Scalar. Whatever it would ask of other servers is off. */
const settings = {
  url: LIVE_DOCUMENT,
  favicon: `${REFERENCE_PATH}/hailstone.svg`,
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  customCss: STYLES,
  documentDownloadType: 'direct',
  // Members with their meanings are what the page is for.
  expandAllResponses: true,
  expandAllSchemaProperties: true,
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  hideModels: true,
  featuredClients: ['shell/curl', 'python/requests', 'node/fetch'],
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}

const PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference – Hailstone network</title>
<link rel="icon" href="${REFERENCE_PATH}/hailstone.svg">
<script defer src="${REFERENCE_PATH}/scalar.js"></script>
<script defer src="${REFERENCE_PATH}/reference.js"></script>
</head>
<body>
<div id="reference"></div>
<noscript>A script of this node shows the reference here. The same as an OpenAPI document is at
<a href="${REFERENCE_PATH}/json">${REFERENCE_PATH}/json</a>.</noscript>
</body>
</html>
`

type ReferenceFile = {
  readonly type: string
  readonly body: Buffer | string
  readonly headers?: Readonly<Record<string, string>>
}

const HTML = 'text/html; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

const page = async () => ({
  type: HTML,
  body: PAGE,
  headers: { 'content-security-policy': REFERENCE_POLICY },
})

/** Every file of the page by its path below `/docs`, each made when it is first asked for. */
const filesOf = (document: OpenApiDocument): Readonly<Record<string, () => Promise<ReferenceFile>>> => ({
  '': page,
  '/': page,
  '/json': async () => ({ type: JSON_TYPE, body: JSON.stringify(document) }),
  '/hailstone.svg': async () => ({ type: 'image/svg+xml', body: ICON }),
  '/scalar.js': async () => ({
    type: JAVASCRIPT,
    body: await readFile(SCALAR_FILE),
    headers: { 'content-encoding': 'gzip' },
  }),
  '/reference.js': async () => ({
    type: JAVASCRIPT,
    body: `Scalar.createApiReference('#reference', ${JSON.stringify(settings)})\n`,
  }),
})

/**
 * Serves the reference at `/docs` and its OpenAPI document at `/docs/json`. All of it comes from this process; no other
 * server is asked. Each file is made at most once, but for the document with values of the chain.
 *
 * @param document with a relative server, so that "Send" asks the node that serves the page
 * @param examples values of the running chain, by method and path
 */
export function serveReference(
  server: FastifyInstance,
  document: OpenApiDocument,
  examples: () => Promise<Readonly<Record<string, OperationExample>>>,
): void {
  const files = new Map(Object.entries(filesOf(document)))
  const made = new Map<string, Promise<ReferenceFile>>()
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const [path = ''] = request.url.split('?')
    const name = path.slice(REFERENCE_PATH.length)
    const make = files.get(name)
    if (make === undefined) return sendMissingPage(request, reply)
    const making = made.get(name) ?? make()
    made.set(name, making)
    // What failed, for want of open files perhaps, is tried again.
    making.catch(() => made.delete(name))
    const { type, body, headers = {} } = await making
    return reply
      .type(type)
      .headers({ 'cache-control': 'no-cache', ...headers })
      .send(body)
  }
  server.get(REFERENCE_PATH, answer)
  server.get(`${REFERENCE_PATH}/*`, answer)
  server.get(LIVE_DOCUMENT, async (request, reply) => {
    const live = liveDocument(document, await examples(), `${request.protocol}://${request.host}`)
    return reply.type(JSON_TYPE).header('cache-control', 'no-store').send(JSON.stringify(live))
  })
}
