import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type * as browserEntry from '../src/browser.ts'
import { type BrowserPages, openBrowserPages } from './support/browser-pages.ts'
import { serve } from './support/serve.ts'

/** In the page. */
declare const client: typeof browserEntry

let pages: BrowserPages

beforeAll(async () => {
  pages = await openBrowserPages()
})
afterAll(() => pages?.[Symbol.asyncDispose]())

/**
 * An API of another origin that states its height. Preflights are answered with what a proxy before it allows, or
 * with a redirect.
 */
async function apiBehind(allowed: string | null) {
  const required: (string | undefined)[] = []
  const server = await serve(({ method, headers, url }, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-expose-headers', 'x-hailstone-height')
    if (method === 'OPTIONS') {
      if (allowed !== null) response.setHeader('access-control-allow-headers', allowed)
      response.writeHead(allowed === null ? 307 : 204, allowed === null ? { location: `${url}/` } : {})
      response.end()
      return
    }
    required.push(headers['x-hailstone-min-height'] as string | undefined)
    response.setHeader('content-type', 'application/json')
    response.setHeader('x-hailstone-height', '7')
    response.end('{"height":7}')
  })
  return { server, required }
}

const readHeights = (page: Page, apiUrl: string): Promise<number[]> =>
  page.evaluate(async (apiUrl: string) => {
    const asked = client.createClient({ apiUrl, retry: { maxAttempts: 1 } })
    const heights: number[] = []
    for (let count = 0; count < 3; count++) heights.push(await asked.getHeight())
    await asked.close()
    return heights
  }, apiUrl)

it.each([
  ['that allows a list of its own', 'Content-Type', [undefined, undefined, undefined]],
  ['that redirects', null, [undefined, undefined, undefined]],
  ['that allows the header', 'content-type, x-hailstone-min-height', [undefined, '7', '7']],
])('a page reads on behind a proxy %s', async (_, allowed, expected) => {
  const { server, required } = await apiBehind(allowed)
  await using _server = server
  const page = await pages.browser.newPage()
  await page.goto(pages.origin)
  await page.waitForFunction(() => 'client' in globalThis)
  expect(await readHeights(page, server.apiUrl)).toEqual([7, 7, 7])
  expect(required).toEqual(expected)
  await page.close()
})
