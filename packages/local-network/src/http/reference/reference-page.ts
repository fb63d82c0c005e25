import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { OpenApiDocument } from '@hailstone/protocol/reference'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { JSON_TYPE } from '../route.ts'
import { sendMissingPage } from '../web-manners.ts'
import type { OperationExample } from './chain-examples.ts'
import { pageContents } from './page-contents.ts'

const REFERENCE_PATH = '/docs'

/** A hailstone. */
const ICON = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
  '<path d="M16 2 28 9v14l-12 7L4 23V9z" fill="#4a7dbd"/><path d="M16 2 28 9l-12 7L4 9z" fill="#a9c8ec"/></svg>',
].join('')

/** Returns the path of a built file of `reference/`; the same from the sources and from the build. */
const built = (name: string): string =>
  fileURLToPath(new URL(`../../../dist/reference/${name}`, import.meta.url))

/** JSON inside a page: no text of it can end the element that holds it. */
const embedded = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const page = (document: OpenApiDocument): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference – Hailstone network</title>
<link rel="icon" href="${REFERENCE_PATH}/hailstone.svg">
<link rel="stylesheet" href="${REFERENCE_PATH}/reference.css">
<script type="module" src="${REFERENCE_PATH}/reference.js"></script>
</head>
<body>
<div id="reference"><p>A script of this node shows the reference here. The same as an OpenAPI document is at
<a href="${REFERENCE_PATH}/json">${REFERENCE_PATH}/json</a>.</p></div>
<script type="application/json" id="contents">${embedded(pageContents(document))}</script>
</body>
</html>
`

type ReferenceFile = { readonly type: string; readonly body: Buffer | string }

const HTML = 'text/html; charset=utf-8'

/** Every file of the page by its path below `/docs`, each made when it is first asked for. */
function filesOf(document: OpenApiDocument): ReadonlyMap<string, () => Promise<ReferenceFile>> {
  const html = async () => ({ type: HTML, body: page(document) })
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  return new Map<string, () => Promise<ReferenceFile>>([
    ['', html],
    ['/', html],
    ['/json', async () => ({ type: JSON_TYPE, body: JSON.stringify(document) })],
    ['/hailstone.svg', async () => ({ type: 'image/svg+xml', body: ICON })],
    [
      '/reference.js',
      async () => ({ type: 'text/javascript; charset=utf-8', body: await readFile(built('reference.js')) }),
    ],
    [
      '/reference.css',
      async () => ({ type: 'text/css; charset=utf-8', body: await readFile(built('reference.css')) }),
    ],
    ...operations.map((operation): [string, () => Promise<ReferenceFile>] => [
      `/operations/${operation.operationId}`,
      async () => ({ type: JSON_TYPE, body: JSON.stringify(operation) }),
    ]),
  ])
}

/**
 * Serves the reference at `/docs` and its OpenAPI document at `/docs/json`. All of it comes from this process; no other
 * server is asked. A page is a few kB and one more for each operation that is opened; each file is made at most once.
 *
 * @param document with a relative server, so that "Send" asks the node that serves the page
 * @param examples values of the running chain for `/docs/examples`, by method and path
 */
export function serveReference(
  server: FastifyInstance,
  document: OpenApiDocument,
  examples: () => Promise<Readonly<Record<string, OperationExample>>>,
): void {
  const files = filesOf(document)
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
    const { type, body } = await making
    return reply.type(type).header('cache-control', 'no-cache').send(body)
  }
  server.get(REFERENCE_PATH, answer)
  server.get(`${REFERENCE_PATH}/*`, answer)
  server.get(`${REFERENCE_PATH}/examples`, async (_, reply) => {
    const byOperation = idsOf(document, await examples())
    return reply.type(JSON_TYPE).header('cache-control', 'no-store').send(JSON.stringify(byOperation))
  })
}

/** Examples by the name of the operation; one without parameters and body needs none. */
function idsOf(
  { paths }: OpenApiDocument,
  examples: Readonly<Record<string, OperationExample>>,
): Readonly<Record<string, OperationExample>> {
  const named: Record<string, OperationExample> = {}
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId }] of Object.entries(methods)) {
      const example = examples[`${method.toUpperCase()} ${path}`]
      if (example !== undefined) named[operationId] = example
    }
  }
  return named
}
