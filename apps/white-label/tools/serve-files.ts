import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Served = { readonly url: string; readonly stop: () => Promise<void> }

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
}

/** The headers a brand's build names in `_headers`, in the form static hosts read. */
function headersOf(files: ReadonlyMap<string, Uint8Array>): Readonly<Record<string, string>> {
  const text = new TextDecoder().decode(files.get('_headers') ?? new Uint8Array())
  const lines = text.split('\n').filter((line) => line.startsWith('  '))
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}

/** Serves files on loopback as a static host would: their headers, and the page for every route of the app. */
export async function serveFiles(
  files: () => ReadonlyMap<string, Uint8Array>,
  {
    port = 0,
    host = '127.0.0.1',
  }: { readonly port?: number | undefined; readonly host?: string | undefined } = {},
): Promise<Served> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const current = files()
    const path = decodeURIComponent(pathname).slice(1)
    const isFile = current.has(path)
    const body = current.get(isFile ? path : 'index.html')
    const isMissing = !isFile && /\.[a-z0-9]+$/.test(path)
    if (body === undefined || isMissing) {
      response.writeHead(404, headersOf(current)).end()
      return
    }
    const extension = (isFile ? path : 'index.html').split('.').at(-1) ?? ''
    const isForever = path.startsWith('assets/')
    response.writeHead(200, {
      ...headersOf(current),
      'Content-Type': types[extension] ?? 'application/octet-stream',
      'Cache-Control': isForever ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
    response.end(body)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: actual } = server.address() as AddressInfo
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://${host}:${actual}/`, stop }
}
