/** Inserted by the build: addresses of the app's files, and at the same index the SHA-256 of each in base64. */
declare const BUILD_FILES: readonly string[]
declare const BUILD_HASHES: readonly string[]
/** Inserted by the build: contains a hash of all of this. */
declare const BUILD_NAME: string

type WorkerEvent = Event & { readonly waitUntil: (promise: Promise<unknown>) => void }
type FetchedEvent = Event & {
  readonly request: Request
  readonly respondWith: (answer: Promise<Response>) => void
}
type Scope = EventTarget & {
  readonly location: Location
  readonly skipWaiting: () => Promise<void>
  readonly clients: { readonly claim: () => Promise<void> }
}

const scope = self as unknown as Scope
/** The previous build is kept as well, because open pages may still load parts of it. */
const KEPT_BUILDS = 2
const PAGE = '/'
/** Paths of the app's own pages, as hosts are told them. The host may have other pages beside the app, such as its terms. */
const ROUTES =
  /^\/(?:index\.html|(?:health|i|invite|log|more|rewards|sign-in|tx|unlock|wallet)(?:\/[^.]*)?)?$/
const ASSETS = '/assets/'

const typeOf = ({ headers }: Response): string => headers.get('content-type') ?? ''

/** True unless browsers refuse a file of this type, as they do with a script that is called a page. */
function isTyped(path: string, type: string): boolean {
  if (/(?:\/|\.html)$/.test(path)) return /^text\/html/.test(type)
  if (path.endsWith('.js')) return /javascript/.test(type)
  return path.endsWith('.css') ? /^text\/css/.test(type) : !/^text\/html/.test(type)
}

/** Returns an answer that is kept: browsers refuse a redirected one for a page, and `Vary` would hide it from requests. */
function plain(answer: Response, body: BodyInit | null): Response {
  const headers = new Headers(answer.headers)
  headers.delete('vary')
  return new Response(body, { headers })
}

/** @throws {TypeError} if there is no answer, or another file than the one that was built */
async function loadWith(cache: RequestCache, path: string, wanted: string | undefined): Promise<Response> {
  const loaded = await fetch(new Request(path, { cache }))
  const bytes = await loaded.arrayBuffer()
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  if (!loaded.ok || !isTyped(path, typeOf(loaded)) || btoa(String.fromCharCode(...hash)) !== wanted)
    throw new TypeError(path)
  return plain(loaded, bytes)
}

/**
 * Files with a hash in their name never change: what the page has loaded already is not loaded again, unless the browser
 * keeps a wrong answer.
 */
const load = (path: string, wanted: string | undefined): Promise<Response> =>
  path.startsWith(ASSETS)
    ? loadWith('default', path, wanted).catch(() => loadWith('reload', path, wanted))
    : loadWith('reload', path, wanted)

/** Names of the caches of other builds of this app, oldest first. */
async function otherBuilds(): Promise<readonly string[]> {
  const appOf = (name: string): string => name.replace(/[^-]*$/, '')
  return (await caches.keys()).filter((name) => appOf(name) === appOf(BUILD_NAME) && name !== BUILD_NAME)
}

/** Mends what an older worker keeps and browsers refuse. Returns true if there was any. */
async function mend(name: string): Promise<boolean> {
  const cache = await caches.open(name)
  const mended = (await cache.keys()).map(async (request) => {
    const kept = await cache.match(request)
    if (kept === undefined) return false
    if (!isTyped(new URL(request.url).pathname, typeOf(kept))) return cache.delete(request)
    if (kept.redirected) await cache.put(request, plain(kept, await kept.arrayBuffer()))
    return kept.redirected
  })
  return (await Promise.all(mended)).includes(true)
}

/** Keeps all files or none: after a failure the browser installs again later, and the build before goes on. */
async function install(): Promise<void> {
  const loaded = await Promise.all(
    BUILD_FILES.map(async (path, index) => [path, await load(path, BUILD_HASHES[index])] as const),
  )
  const cache = await caches.open(BUILD_NAME)
  try {
    await Promise.all(loaded.map(([path, whole]) => cache.put(path, whole)))
  } catch (error) {
    await caches.delete(BUILD_NAME)
    throw error
  }
  const mended = await Promise.all((await otherBuilds()).map(mend))
  // A page that does not start cannot ask for its update.
  if (mended.includes(true)) await scope.skipWaiting()
}

async function tidyUp(): Promise<void> {
  const others = await otherBuilds()
  await Promise.all(
    others.slice(0, Math.max(0, others.length - (KEPT_BUILDS - 1))).map((name) => caches.delete(name)),
  )
  await scope.clients.claim()
}

/** Aborts pending requests of this worker. */
let requests = new AbortController()

async function keptAnswer(asked: Request | string): Promise<Response | undefined> {
  for (const cacheName of [BUILD_NAME, ...(await otherBuilds()).toReversed()]) {
    const kept = await caches.match(asked, { cacheName })
    if (kept !== undefined) return kept
  }
  return undefined
}

/** Answers from what is kept, and from the host where the browser cannot read that. */
async function answer(request: Request, isPage: boolean): Promise<Response> {
  const kept = await keptAnswer(isPage ? PAGE : request).catch(() => undefined)
  return kept ?? fetch(request, { signal: requests.signal })
}

scope.addEventListener('install', (event) => (event as WorkerEvent).waitUntil(install()))
scope.addEventListener('activate', (event) => (event as WorkerEvent).waitUntil(tidyUp()))
scope.addEventListener('message', (event) => {
  const { data } = event as MessageEvent
  if (data === 'take over') void scope.skipWaiting()
  if (data === 'which build') (event as MessageEvent).ports[0]?.postMessage(BUILD_NAME)
  // The next worker takes over once this one handles no event; a request without an answer would delay that for
  // minutes.
  if (data === 'make way') {
    requests.abort()
    requests = new AbortController()
  }
})
scope.addEventListener('fetch', (event) => {
  const { request, respondWith } = event as FetchedEvent
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== scope.location.origin) return
  const isPage = request.mode === 'navigate' && ROUTES.test(pathname)
  // The brand's network is never cached, not even on this origin, so that no stale amount is shown.
  const isOfApp =
    isPage || pathname.startsWith(ASSETS) || (pathname !== PAGE && BUILD_FILES.includes(pathname))
  if (isOfApp) respondWith.call(event, answer(request, isPage))
})
