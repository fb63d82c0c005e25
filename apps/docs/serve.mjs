// `npm run docs:serve`: serves the built site on this machine.
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { limitConnections, servingTimes } from '@hailstone/runtime/node'

const folder = fileURLToPath(new URL('dist', import.meta.url))
/** Largest number of concurrent connections; a browser opens six. */
const MAX_CONNECTIONS = 256
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
}

/** Returns the path that was asked for; null for a malformed one. */
function pathOf(url) {
  try {
    return normalize(decodeURIComponent(new URL(url, 'http://localhost').pathname))
  } catch {
    return null
  }
}

/** Returns the file of a path, or null. */
function fileOf(path) {
  if (path === null || path.includes('\0')) return null
  const file = join(folder, path)
  const found = [file, join(file, 'index.html')].find((one) =>
    statSync(one, { throwIfNoEntry: false })?.isFile(),
  )
  return found ?? null
}

/** Serves a folder on the loopback interface and resolves with the address. */
export async function serveSite(port = 0) {
  const server = createServer(servingTimes, (request, response) => {
    const path = pathOf(request.url ?? '/')
    const file = fileOf(path)
    // A path that leads nowhere is answered with a page.
    const type = types[file === null ? '.html' : extname(file)] ?? 'application/octet-stream'
    const immutable = path?.startsWith('/_astro/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    response.writeHead(file === null ? 404 : 200, { 'content-type': type, 'cache-control': immutable })
    createReadStream(file ?? join(folder, '404.html'))
      .on('error', () => response.end())
      .pipe(response)
  })
  const { stop } = limitConnections(server, { most: MAX_CONNECTIONS })
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: stop,
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await serveSite(Number(process.env.PORT ?? 4430))
  process.stdout.write(`${url}\n`)
}
