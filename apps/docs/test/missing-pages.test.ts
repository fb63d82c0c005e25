import { expect, it } from 'vitest'
// @ts-expect-error -- a program without types
import * as pages from '../generate/index-pages.mjs'
// @ts-expect-error -- a program without types
import * as server from '../serve.mjs'

type PageOfSite = {
  readonly url: string
  readonly title: string
  readonly order?: number | undefined
  readonly body?: string
}
const indexPages = pages.indexPages as (written: readonly PageOfSite[]) => readonly PageOfSite[]
const serveSite = server.serveSite as () => Promise<{
  readonly url: string
  readonly close: () => Promise<void>
}>

it('answers a path that leads nowhere with a page, and never with a download', async () => {
  const site = await serveSite()
  try {
    for (const path of ['/nope', '/nope/', '/tutorials/nope.html', '/a%00b', '/%ff']) {
      const response = await fetch(site.url + path)
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        404,
        'text/html; charset=utf-8',
      ])
      await response.body?.cancel()
    }
  } finally {
    await site.close()
  }
})

it('has a page for each folder, with what is directly in it, in order', () => {
  const written = [
    { url: '/tutorials/second/', title: 'Second', order: 2 },
    { url: '/tutorials/first/', title: 'First', order: 1 },
    { url: '/how-to/b/', title: 'B' },
    { url: '/how-to/a/', title: 'A' },
    { url: '/reference/errors/', title: 'Errors', order: 4 },
    { url: '/reference/errors/one/', title: 'One' },
  ]
  const made = new Map(indexPages(written).map(({ url, body }) => [url, body]))
  expect(made.get('/tutorials/')).toBe('- [First](/tutorials/first/)\n- [Second](/tutorials/second/)')
  expect(made.get('/how-to/')).toBe('- [A](/how-to/a/)\n- [B](/how-to/b/)')
  expect(made.get('/reference/')).toBe('- [Errors](/reference/errors/)')
})
