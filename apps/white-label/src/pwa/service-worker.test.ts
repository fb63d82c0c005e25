import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ROUTE_PATTERN } from '../../../../packages/brand/src/hosts/app-routes.ts'

const HOST = 'https://app.acme.example'
const NAME = 'hailstone-acme-app-000000000002'
const OLDER = 'hailstone-acme-app-000000000001'
const SCRIPT = '/assets/main-new.js'
const built: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/': ['text/html; charset=utf-8', '<!doctype html>'],
  [SCRIPT]: ['text/javascript', 'code'],
  '/brand/brand.json': ['application/json', '{}'],
}
type Listener = (event: unknown) => void

let listeners: Map<string, Listener>
let stores: Map<string, Map<string, Response>>
/** Answers of the host and of the browser's cache by address; any other address gets the page with status 200. */
let served: Map<string, (request: { readonly cache?: string }) => Response>
let isHasty: boolean

const urlOf = (asked: string | { readonly url: string }): URL =>
  new URL(typeof asked === 'string' ? asked : asked.url, HOST)
const answerOf = (type: string, text: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(text, { headers: { 'Content-Type': type, ...headers } })
const page = (): Response => answerOf(...(built['/'] ?? ['', '']))
const redirected = (answer: Response): Response =>
  Object.defineProperty(answer, 'redirected', { value: true })
const load = async (asked: Request): Promise<Response> => (served.get(urlOf(asked).pathname) ?? page)(asked)

async function open(name: string) {
  const kept = stores.get(name) ?? new Map<string, Response>()
  stores.set(name, kept)
  const key = (asked: string | Request): string => urlOf(asked).pathname
  return {
    keys: async () => [...kept.keys()].map((path) => ({ url: HOST + path })),
    match: async (asked: string | Request) => kept.get(key(asked)),
    put: async (asked: string | Request, answer: Response) => void kept.set(key(asked), answer),
    delete: async (asked: string | Request) => kept.delete(key(asked)),
  }
}
const match = async (asked: string | Request, { cacheName }: { readonly cacheName: string }) =>
  (await open(cacheName)).match(asked)

beforeEach(async () => {
  listeners = new Map()
  stores = new Map()
  isHasty = false
  served = new Map(Object.entries(built).map(([path, answer]) => [path, () => answerOf(...answer)]))
  vi.stubGlobal('BUILD_FILES', Object.keys(built))
  vi.stubGlobal(
    'BUILD_HASHES',
    Object.values(built).map(([, text]) => createHash('sha256').update(text).digest('base64')),
  )
  vi.stubGlobal('BUILD_NAME', NAME)
  vi.stubGlobal('fetch', load)
  const remove = async (name: string) => stores.delete(name)
  vi.stubGlobal('caches', { open, match, keys: async () => [...stores.keys()], delete: remove })
  vi.stubGlobal(
    'Request',
    class {
      readonly url: string
      readonly cache: string | undefined
      constructor(path: string, { cache }: { readonly cache?: string } = {}) {
        this.url = new URL(path, HOST).href
        this.cache = cache
      }
    },
  )
  vi.stubGlobal('self', {
    location: { origin: HOST },
    clients: { claim: async () => undefined },
    skipWaiting: async () => {
      isHasty = true
    },
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
  })
  vi.resetModules()
  // By its address, because the worker is a script without exports.
  await import(new URL('./service-worker.ts', import.meta.url).href)
})
afterEach(() => vi.unstubAllGlobals())

function tell(name: string): Promise<unknown> {
  let done: Promise<unknown> = Promise.resolve()
  listeners.get(name)?.({ waitUntil: (promise: Promise<unknown>) => (done = promise) })
  return done
}
const install = (): Promise<unknown> => tell('install')

describe('the service worker keeps', () => {
  it.each<readonly [string, string, (request: { readonly cache?: string }) => Response]>([
    ['the page in place of a script', SCRIPT, page],
    ['a script that is called a page', SCRIPT, () => answerOf('text/html', 'code')],
    ['another script', SCRIPT, () => answerOf('text/javascript', 'older code')],
    ['another page', '/', () => answerOf('text/html', '<!doctype html><title>Sign in</title>')],
    ['data of another build', '/brand/brand.json', () => answerOf('application/json', '{"n":1}')],
    ['a file with status 404', SCRIPT, () => new Response('code', { status: 404 })],
  ])('nothing when the host answers with %s, and all files once they are there', async (_, path, wrong) => {
    const right = served.get(path)
    served.set(path, wrong)
    await expect(install()).rejects.toThrow(path)
    expect(stores.size).toBe(0)
    if (right !== undefined) served.set(path, right)
    await install()
    for (const [name, [, text]] of Object.entries(built))
      expect(await stores.get(NAME)?.get(name)?.clone().text()).toBe(text)
  })

  it('nothing when the storage of the browser ends in the middle', async () => {
    const put = async (): Promise<never> => Promise.reject(new DOMException('full', 'QuotaExceededError'))
    vi.stubGlobal('caches', { ...caches, open: async (name: string) => ({ ...(await open(name)), put }) })
    await expect(install()).rejects.toThrow('full')
    expect(stores.size).toBe(0)
  })

  it('plain answers: not redirected, with the policy of the host, and for every request of their address', async () => {
    const headers = { 'Content-Security-Policy': "default-src 'none'", Vary: 'Origin' }
    served.set('/', () => redirected(answerOf('text/html', '<!doctype html>', headers)))
    await install()
    const kept = stores.get(NAME)?.get('/')
    expect([kept?.redirected, kept?.headers.get('vary')]).toEqual([false, null])
    expect(kept?.headers.get('content-security-policy')).toBe("default-src 'none'")
  })

  it('a script of the host, where the cache of the browser has the page for it', async () => {
    served.set(SCRIPT, ({ cache }) => (cache === 'reload' ? answerOf('text/javascript', 'code') : page()))
    await install()
    expect(await stores.get(NAME)?.get(SCRIPT)?.text()).toBe('code')
  })
})

describe('a new service worker', () => {
  it('mends what an older one kept, and then does not wait', async () => {
    const older = await open(OLDER)
    await older.put('/index.html', redirected(page()))
    await older.put('/assets/main-old.js', page())
    await older.put('/assets/view-old.js', answerOf('text/javascript', 'view'))
    await install()
    const kept = stores.get(OLDER)
    expect([...(kept ?? [])].map(([path, { redirected: isLed }]) => [path, isLed])).toEqual([
      ['/index.html', false],
      ['/assets/view-old.js', false],
    ])
    expect(await kept?.get('/index.html')?.text()).toBe('<!doctype html>')
    expect(isHasty).toBe(true)
  })

  it('leaves the caches of others alone, keeps one build before it, and waits if nothing was wrong', async () => {
    const names = ['hailstone-acme-app-000000000000', OLDER, 'hailstone-acme-app-two-000000000001', 'others']
    for (const name of names)
      await (await open(name)).put('/assets/main-old.js', answerOf('text/javascript', ''))
    await (await open('others')).put('/old.js', page())
    await install()
    expect(isHasty).toBe(false)
    await tell('activate')
    expect([...stores.keys()]).toEqual([...names.slice(1), NAME])
    expect(stores.get('others')?.size).toBe(2)
  })
})

/** Returns the worker's answer to a request; undefined if it leaves the request to the host. */
function opened(path: string, mode = 'navigate'): Promise<Response> | undefined {
  let answered: Promise<Response> | undefined
  const request = { url: new URL(path, HOST).href, method: 'GET', mode }
  const respondWith = (answer: Promise<Response>): void => {
    answered = answer
  }
  listeners.get('fetch')?.({ request, respondWith })
  return answered
}

describe('the service worker answers', () => {
  it('the routes of the app with its page, and leaves other pages and files of the host to it', async () => {
    await install()
    const routes = [
      '/',
      '/?brand=acme',
      '/rewards/7',
      '/i/ref_1a',
      '/wallet/send?to=terms.pdf',
      '/index.html',
    ]
    for (const path of routes) expect(await (await opened(path))?.clone().text()).toBe('<!doctype html>')
    const others = ['/terms', '/legal/privacy', '/wallets', '/iris', '/terms.pdf', '/legal/terms.HTML']
    for (const path of [...others, '/terms.pdf?page=2', '/wallet/terms.pdf'])
      expect(opened(path)).toBe(undefined)
    // A file that is opened in a window is that file.
    expect(await (await opened('/brand/brand.json'))?.text()).toBe('{}')
  })

  it('the files of older builds to pages that are still open, the newest first', async () => {
    await (await open(OLDER)).put('/assets/view-old.js', answerOf('text/javascript', 'view'))
    await install()
    expect(await (await opened('/assets/view-old.js', 'cors'))?.text()).toBe('view')
    expect(await (await opened(SCRIPT, 'cors'))?.text()).toBe('code')
  })

  it.each(['match', 'keys'])(
    'from the host where the browser cannot read what it keeps: %s',
    async (name) => {
      await install()
      const broken = async (): Promise<never> => {
        throw new DOMException('Unexpected internal error.', 'UnknownError')
      }
      vi.stubGlobal('caches', { ...caches, [name]: broken })
      served.set('/wallet', page)
      expect(await (await opened('/wallet'))?.text()).toBe('<!doctype html>')
      expect(await (await opened(SCRIPT, 'cors'))?.text()).toBe('code')
    },
  )
})

it('the routes of the service worker, of the hosts and of the app are the same', async () => {
  const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8')
  expect(await read('./service-worker.ts')).toContain(
    `/^\\/(?:index\\.html|${ROUTE_PATTERN.replaceAll('/', '\\/')})?$/`,
  )
  const [opened = '', first = ''] = await Promise.all([read('../app/opened.tsx'), read('../app/app.tsx')])
  const paths = [...opened.matchAll(/<Route path="([^"]+)"/g)].map(([, path = '']) => path)
  expect(first).toContain('/^\\/i\\/')
  const isRoute = new RegExp(`^/(?:${ROUTE_PATTERN})?$`)
  expect(paths.length).toBeGreaterThan(10)
  for (const path of [...paths, '/i/ref_0']) expect(path).toMatch(isRoute)
})
