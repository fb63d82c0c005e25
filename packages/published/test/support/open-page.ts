import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openBrowser } from '@hailstone/test-browser'
import sirv from 'sirv'
import { build } from 'vite'

export type OpenPage = AsyncDisposable & {
  /** Calls a function of the page and waits for what it promises. */
  readonly call: (name: string, argument: unknown) => Promise<unknown>
  /** Exceptions and console errors of the page. */
  readonly complaints: readonly string[]
}

/** Builds a page with Vite as its user would, without any setting for us, and opens it in a Chromium. */
export async function openPage(root: string): Promise<OpenPage> {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    worker: { format: 'es' },
    build: { target: 'es2022' },
  })
  const server = createServer(sirv(join(root, 'dist')))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const browser = await openBrowser()
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return {
    call: (name, argument) =>
      page.evaluate(([called, given]) => Reflect.get(globalThis, String(called))(given), [name, argument]),
    complaints,
    [Symbol.asyncDispose]: async () => {
      await browser.close()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
