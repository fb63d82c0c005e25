// `npm run docs:serve`: serves the built site on this machine.
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('dist', import.meta.url))
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

/** Serves a folder on the loopback interface and resolves with the address. */
export async function serveSite(port = 0) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname))
    let file = join(folder, path)
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html')
    const isThere = existsSync(file)
    const type = types[extname(isThere ? file : '.html')] ?? 'application/octet-stream'
    const immutable = path.startsWith('/_astro/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    response.writeHead(isThere ? 200 : 404, { 'content-type': type, 'cache-control': immutable })
    createReadStream(isThere ? file : join(folder, '404.html')).pipe(response)
  })
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await serveSite(Number(process.env.PORT ?? 4430))
  process.stdout.write(`${url}\n`)
}
