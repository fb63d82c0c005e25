import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { OpenApiDocument } from '@hailstone/protocol/reference'
import type { FastifyInstance } from 'fastify'
import { API_PREFIX } from './route.ts'

export const REFERENCE_PATH = '/docs'

/** A hailstone. */
const ICON = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
  '<path d="M16 2 28 9v14l-12 7L4 23V9z" fill="#4a7dbd"/><path d="M16 2 28 9l-12 7L4 9z" fill="#a9c8ec"/></svg>',
].join('')

const startPage = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hailstone network</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 40rem; padding: 0 1rem }</style>
</head>
<body>
<h1>Hailstone network</h1>
<p>This node is running. Its height is at <a href="${API_PREFIX}/height">${API_PREFIX}/height</a>,
the reference of every question it answers at <a href="${REFERENCE_PATH}">${REFERENCE_PATH}</a>
(<a href="${REFERENCE_PATH}/json">OpenAPI</a>).</p>
</body>
</html>
`

/**
 * Serves the reference at `/docs`, its OpenAPI document at `/docs/json` and a page at `/` that leads there. All
 * of it comes from this process; no other server is asked.
 *
 * @param document with a relative server, so that "try it" asks the node that serves the page
 */
export async function serveReference(server: FastifyInstance, document: OpenApiDocument): Promise<void> {
  // The plugin's own type of a document is narrower than OpenAPI.
  await server.register(swagger, { mode: 'static', specification: { document: document as never } })
  await server.register(swaggerUi, {
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
  server.get('/', (_, reply) => reply.type('text/html; charset=utf-8').send(startPage))
}
