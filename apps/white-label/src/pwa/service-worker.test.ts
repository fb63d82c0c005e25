import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const HOST = 'https://app.acme.example'
const PAGE = '<!doctype html>'
type Served = { readonly type: string; readonly text: string }
type Listener = (event: unknown) => void

let listeners: Map<string, Listener>
let stores: Map<string, Map<string, Response>>
/** Files of the host; everything else gets the page with status 200. */
let served: Map<string, Served>

const pathOf = (asked: string | { readonly url: string }): string =>
  new URL(typeof asked === 'string' ? asked : asked.url, HOST).pathname
const load = async (asked: string | { readonly url: string }): Promise<Response> => {
  const { type, text } = served.get(pathOf(asked)) ?? { type: 'text/html; charset=utf-8', text: PAGE }
  return new Response(text, { headers: { 'Content-Type': type } })
}

async function open(name: string) {
  const kept = stores.get(name) ?? new Map<string, Response>()
  stores.set(name, kept)
  return {
    match: async (asked: string | Request) => kept.get(pathOf(asked))?.clone(),
    put: async (asked: string | Request, answer: Response) => void kept.set(pathOf(asked), answer),
    addAll: async (all: readonly Request[]) => {
      for (const one of all) kept.set(pathOf(one), await load(one))
    },
  }
}

beforeEach(async () => {
  listeners = new Map()
  stores = new Map()
  served = new Map([
    ['/assets/main-new.js', { type: 'text/javascript', text: 'code' }],
    ['/brand/brand.json', { type: 'application/json', text: '{}' }],
  ])
  vi.stubGlobal('BUILD_FILES', ['/index.html', '/assets/main-new.js', '/brand/brand.json'])
  vi.stubGlobal('BUILD_NAME', 'hailstone-acme-app-000000000002')
  vi.stubGlobal('fetch', load)
  vi.stubGlobal('caches', { open, match: async () => undefined })
  vi.stubGlobal(
    'Request',
    class {
      readonly url: string
      constructor(path: string) {
        this.url = new URL(path, HOST).href
      }
    },
  )
  vi.stubGlobal('self', {
    location: { origin: HOST },
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
  })
  vi.resetModules()
  // By its address, because the worker is a script without exports.
  await import(new URL('./service-worker.ts', import.meta.url).href)
})
afterEach(() => vi.unstubAllGlobals())

const install = (): Promise<unknown> => {
  let done: Promise<unknown> = Promise.resolve()
  listeners.get('install')?.({ waitUntil: (promise: Promise<unknown>) => (done = promise) })
  return done
}

it('does not install while the host answers a script with its page, and does once the script is there', async () => {
  const script = served.get('/assets/main-new.js')
  served.delete('/assets/main-new.js')
  await expect(install()).rejects.toThrow('/assets/main-new.js')
  expect(stores.size).toBe(0)
  if (script !== undefined) served.set('/assets/main-new.js', script)
  await install()
  const kept = stores.get('hailstone-acme-app-000000000002')
  expect(await kept?.get('/assets/main-new.js')?.text()).toBe('code')
  expect(await kept?.get('/index.html')?.text()).toBe(PAGE)
})

/** Returns the worker's answer to a navigation; undefined if it leaves the request to the host. */
function opened(path: string): Promise<Response> | undefined {
  let answered: Promise<Response> | undefined
  const request = { url: new URL(path, HOST).href, method: 'GET', mode: 'navigate' }
  const respondWith = (answer: Promise<Response>): void => {
    answered = answer
  }
  listeners.get('fetch')?.({ request, respondWith })
  return answered
}

it('answers the paths of the app with its page, and leaves a file beside it to the host', async () => {
  await install()
  for (const path of ['/', '/rewards/7', '/i/ref_1a', '/wallet/send?to=terms.pdf', '/index.html'])
    expect(await (await opened(path))?.text()).toBe(PAGE)
  for (const path of ['/terms.pdf', '/legal/terms.HTML', '/terms.pdf?page=2'])
    expect(opened(path)).toBe(undefined)
})
