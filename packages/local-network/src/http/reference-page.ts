import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { OpenApiDocument } from '@hailstone/protocol/reference'
import type { FastifyInstance } from 'fastify'

const REFERENCE_PATH = '/docs'

/** A hailstone. */
const ICON = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
  '<path d="M16 2 28 9v14l-12 7L4 23V9z" fill="#4a7dbd"/><path d="M16 2 28 9l-12 7L4 9z" fill="#a9c8ec"/></svg>',
].join('')

/**
 * Serves the reference at `/docs`, its OpenAPI document at `/docs/json`. All of it
 * comes from this process; no other server is asked.
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
}
