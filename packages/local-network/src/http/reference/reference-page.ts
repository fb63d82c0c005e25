import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { OpenApiDocument } from '@hailstone/protocol/reference'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { sendMissingPage } from './web-manners.ts'

const REFERENCE_PATH = '/docs'

/** A hailstone. */
const ICON = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
  '<path d="M16 2 28 9v14l-12 7L4 23V9z" fill="#4a7dbd"/><path d="M16 2 28 9l-12 7L4 9z" fill="#a9c8ec"/></svg>',
].join('')

/** Files of the page, made once. No other path below the reference exists. */
const FILES = [
  '',
  '/',
  '/json',
  '/yaml',
  '/static/index.css',
  '/static/swagger-ui.css',
  '/static/swagger-ui-bundle.js',
  '/static/swagger-ui-standalone-preset.js',
  '/static/swagger-initializer.js',
  '/static/oauth2-redirect.html',
  '/static/oauth2-redirect.js',
  '/static/theme/hailstone.css',
  '/static/theme/hailstone.svg',
] as const

type ReferenceFile = { readonly type: string; readonly body: Buffer }

/**
 * Serves the reference at `/docs`, its OpenAPI document at `/docs/json`. All of it
 * comes from this process; no other server is asked. Each file is made at most once and sent from one buffer, however
 * many ask for it.
 *
 * @param document with a relative server, so that "try it" asks the node that serves the page
 */
export function serveReference(server: FastifyInstance, document: OpenApiDocument): void {
  let source: Promise<FastifyInstance> | undefined
  const files = new Map<string, Promise<ReferenceFile>>()
  const fileAt = (path: string): Promise<ReferenceFile> => {
    const made = files.get(path)
    if (made !== undefined) return made
    source ??= createSource(document)
    const making = source.then((origin) => makeFile(origin, path))
    files.set(path, making)
    // What failed, for want of open files perhaps, is tried again.
    making.catch(() => {
      files.delete(path)
      source = undefined
    })
    return making
  }
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const [path = ''] = request.url.split('?')
    const name = path.slice(REFERENCE_PATH.length)
    if (!FILES.some((file) => file === name)) return sendMissingPage(request, reply)
    const { type, body } = await fileAt(path)
    return reply.type(type).send(body)
  }
  server.get(REFERENCE_PATH, answer)
  server.get(`${REFERENCE_PATH}/*`, answer)
}

/** The page builder, on a server of its own that never listens. */
async function createSource(document: OpenApiDocument): Promise<FastifyInstance> {
  const source = fastify()
  // The plugin's own type of a document is narrower than OpenAPI.
  await source.register(swagger, { mode: 'static', specification: { document: document as never } })
  await source.register(swaggerUi, {
    routePrefix: REFERENCE_PATH,
    uiConfig: {
      docExpansion: 'list',
      tryItOutEnabled: true,
      deepLinking: true,
      displayRequestDuration: true,
      // The members with their meanings, not a made-up example.
      defaultModelRendering: 'model',
      defaultModelExpandDepth: 3,
    },
    theme: {
      title: 'Hailstone network – API reference',
      // The bar on top would load the document of any other server.
      css: [{ filename: 'hailstone.css', content: '.swagger-ui .topbar { display: none }' }],
      favicon: [
        { filename: 'hailstone.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: ICON },
      ],
    },
    // The page builder would show its own.
    logo: { type: 'image/svg+xml', content: ICON },
  })
  await source.ready()
  return source
}

async function makeFile(source: FastifyInstance, path: string): Promise<ReferenceFile> {
  const { statusCode, headers, rawPayload } = await source.inject({ method: 'GET', url: path })
  if (statusCode !== 200) throw new Error(`The reference has no file ${path}: status ${statusCode}.`)
  return { type: String(headers['content-type']), body: rawPayload }
}
