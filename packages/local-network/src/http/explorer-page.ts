import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'

/** Returns the path of a built file of `apps/explorer`; the same from the sources and from the build. */
const built = (name: string): string => fileURLToPath(new URL(`../../dist/explorer/${name}`, import.meta.url))

const page = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hailstone network</title>
<link rel="icon" href="/docs/hailstone.svg">
<link rel="stylesheet" href="/explorer.css">
</head>
<body>
<div id="explorer"><p>This node is running. Its chain is shown here by a script of its own.
Every request it answers is described at <a href="/docs">/docs</a>.</p></div>
<script type="module" src="/explorer.js"></script>
</body>
</html>
`

const files = { '/explorer.js': 'text/javascript; charset=utf-8', '/explorer.css': 'text/css; charset=utf-8' }

/** Serves the page at `/` that shows the chain as it grows. It asks this node alone, by the routes everybody has. */
export function serveExplorer(server: FastifyInstance): void {
  server.get('/', (_, reply) => reply.type('text/html; charset=utf-8').send(page))
  for (const [path, type] of Object.entries(files)) {
    let reading: Promise<Buffer> | undefined
    server.get(path, async (_, reply) => {
      reading ??= readFile(built(path.slice(1)))
      const body = await reading.catch((error: unknown) => {
        reading = undefined
        throw error
      })
      return reply.type(type).header('cache-control', 'no-cache').send(body)
    })
  }
}
