/** Inserted by the build: every file of the app with the hash of its content. */
declare const BUILD_FILES: readonly string[]
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

/** Files with a hash in their name never change: what the page has loaded already is not loaded again. */
const fresh = (path: string): Request =>
  new Request(path, { cache: path.startsWith('/assets/') ? 'default' : 'reload' })

/** Loads a file whole. Some hosts answer a file that is not uploaded yet with the page and status 200. */
async function load(path: string): Promise<Response> {
  const loaded = await fetch(fresh(path))
  const isPage = /^text\/html/.test(loaded.headers.get('content-type') ?? '')
  if (!loaded.ok || (isPage && !path.endsWith('.html'))) throw new TypeError(path)
  await loaded.clone().arrayBuffer()
  return loaded
}

/** Keeps all files or none: after a failure the browser installs again later. */
async function install(): Promise<void> {
  const loaded = await Promise.all(BUILD_FILES.map(async (path) => [path, await load(path)] as const))
  const cache = await caches.open(BUILD_NAME)
  await Promise.all(loaded.map(([path, whole]) => cache.put(path, whole)))
}

async function tidyUp(): Promise<void> {
  const prefix = BUILD_NAME.replace(/[^-]*$/, '')
  const older = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== BUILD_NAME)
  await Promise.all(
    older.slice(0, Math.max(0, older.length - (KEPT_BUILDS - 1))).map((name) => caches.delete(name)),
  )
  await scope.clients.claim()
}

/** Aborts pending requests of this worker. */
let requests = new AbortController()

async function answer(request: Request): Promise<Response> {
  const current = await caches.open(BUILD_NAME)
  const wanted = request.mode === 'navigate' ? '/index.html' : request
  const kept = (await current.match(wanted)) ?? (await caches.match(wanted))
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
  // The host may have other files beside the app, such as its terms. Paths of the app's own pages have no extension.
  const isPage = request.mode === 'navigate' && !/\.[a-z0-9]+$/i.test(pathname)
  // The brand's network is never cached, not even on this origin, so that no stale amount is shown.
  const isOfApp = isPage || pathname.startsWith('/assets/') || BUILD_FILES.includes(pathname)
  if (isOfApp) respondWith.call(event, answer(request))
})
