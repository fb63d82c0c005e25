import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { openBrowser } from '@hailstone/test-browser'
import type { Browser } from 'playwright-core'
import { build, defaultClientConditions, type Rolldown } from 'vite'

const entry = (name: string): string => fileURLToPath(new URL(`../browser/${name}.ts`, import.meta.url))

/** Builds the entry for browsers as an application's bundler would, from the sources. */
async function bundled(): Promise<ReadonlyMap<string, string>> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@hailstone/source', ...defaultClientConditions] },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      rolldownOptions: {
        input: { page: entry('page'), 'signer-worker': entry('signer-worker') },
        output: { entryFileNames: '[name].js' },
        preserveEntrySignatures: 'strict',
      },
    },
  })
  const { output } = result as Rolldown.RolldownOutput
  return new Map(
    output.flatMap((file) => (file.type === 'chunk' ? [[`/${file.fileName}`, file.code] as const] : [])),
  )
}

export type BrowserPages = {
  readonly browser: Browser
  /** Origin of the pages; browsers trust it as they trust https. */
  readonly origin: string
  /** The same pages under a name that browsers do not trust. */
  readonly insecureOrigin: string
  /** Resolves when a page asks for `/blocked/<name>`, which is never answered. */
  readonly blockedAt: (name: string) => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** A Chromium, and a server with an empty page that loads this package. */
export async function openBrowserPages(): Promise<BrowserPages> {
  const files = await bundled()
  const blocked = new Map<string, () => void>()
  const server = createServer(({ url = '/' }, response) => {
    if (url.startsWith('/blocked/')) {
      blocked.get(url)?.()
      return
    }
    const script = files.get(url)
    const type = script === undefined ? 'text/html' : 'text/javascript'
    response.setHeader('content-type', `${type}; charset=utf-8`)
    response.end(script ?? '<!doctype html><script type="module" src="/page.js"></script>')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const browser = await openBrowser(['--host-resolver-rules=MAP insecure.test 127.0.0.1'])
  return {
    browser,
    origin: `http://127.0.0.1:${port}`,
    insecureOrigin: `http://insecure.test:${port}`,
    blockedAt: (name) => new Promise((resolve) => void blocked.set(`/blocked/${name}`, resolve)),
    [Symbol.asyncDispose]: async () => {
      await browser.close()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
