import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { limitConnections, servingTimes } from '@hailstone/runtime/node'

/** Largest number of concurrent connections; a browser opens six. */
const MAX_CONNECTIONS = 256

export type ServedFiles = ReadonlyMap<string, Uint8Array>
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

/** Reads the headers for every file in `_headers`, in the format of static hosts. */
function headersOf(files: ServedFiles): Readonly<Record<string, string>> {
  const text = new TextDecoder().decode(files.get('_headers') ?? new Uint8Array())
  const [, forAll = ''] = /^\/\*\n((?: {2}.*\n)*)/m.exec(text) ?? []
  const lines = forAll.split('\n').filter((line) => line !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}

/** Returns the path inside the app; null for a malformed one. */
function pathOf(url: string): string | null {
  try {
    return decodeURIComponent(new URL(url, 'http://localhost').pathname).slice(1)
  } catch (error) {
    if (error instanceof URIError || error instanceof TypeError) return null
    throw error
  }
}

const compressible: ReadonlySet<string> = new Set(['html', 'js', 'css', 'json', 'webmanifest', 'svg'])
const compressed = new WeakMap<Uint8Array, Uint8Array>()

/** Compresses each file once, as static hosts do. */
function gzipOf(body: Uint8Array): Uint8Array {
  const known = compressed.get(body) ?? gzipSync(body)
  compressed.set(body, known)
  return known
}

function answer(files: ServedFiles, request: IncomingMessage, response: ServerResponse): void {
  const path = pathOf(request.url ?? '/')
  const isFile = path !== null && files.has(path)
  const name = isFile ? path : 'index.html'
  const body = files.get(name)
  const isMissing = path === null || (!isFile && /\.[a-z0-9]+$/.test(path))
  if (body === undefined || isMissing) {
    response.writeHead(404, headersOf(files)).end()
    return
  }
  const ending = name.split('.').at(-1) ?? ''
  const isGzip = compressible.has(ending) && /\bgzip\b/.test(String(request.headers['accept-encoding']))
  response.writeHead(200, {
    ...headersOf(files),
    'Content-Type': types[ending] ?? 'application/octet-stream',
    Vary: 'Accept-Encoding',
    ...(isGzip ? { 'Content-Encoding': 'gzip' } : {}),
    'Cache-Control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  response.end(isGzip ? gzipOf(body) : body)
}

/**
 * Serves files on loopback as a static host does: with their headers, and the page for every route of the app. `files`
 * is called with the address of each request. An error of it is no part of the answer, which strangers may read.
 */
export async function serveFiles(
  files: (url: string) => ServedFiles | Promise<ServedFiles>,
  {
    port = 0,
    host = '127.0.0.1',
  }: { readonly port?: number | undefined; readonly host?: string | undefined } = {},
): Promise<Served> {
  const server = createServer(servingTimes, (request, response) => {
    const current = async (): Promise<ServedFiles> => files(request.url ?? '/')
    current().then(
      (found) => answer(found, request, response),
      () => response.writeHead(500).end('The app cannot be served.'),
    )
  })
  const { stop } = limitConnections(server, { most: MAX_CONNECTIONS })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: actual } = server.address() as AddressInfo
  return { url: `http://${host}:${actual}/`, stop }
}
