import { compileFunction } from 'node:vm'

/** A device on which an app is opened again and again, in a browser or in an imitation of its service workers. */
export type Device = {
  /** Opens a path in a window of its own and closes it. Returns the version whose script ran; null if none did. */
  readonly visit: (path?: string) => Promise<string | null>
  /** Lets the browser look for a newer worker, and waits until that is installed or refused. */
  readonly update: () => Promise<void>
}

type Listener = (event: unknown) => void
type Worker = {
  readonly text: string
  readonly listeners: Map<string, Listener>
  readonly isHasty: () => boolean
}

/** Cache storage that keeps answers as they are, with their redirections. */
function memoryCaches(base: string) {
  const stores = new Map<string, Map<string, Response>>()
  const urlOf = (asked: string | Request): string =>
    new URL(typeof asked === 'string' ? asked : asked.url, base).href
  function opened(name: string) {
    const kept = stores.get(name) ?? new Map<string, Response>()
    stores.set(name, kept)
    return {
      keys: async () => [...kept.keys()].map((url) => new Request(url)),
      match: async (asked: string | Request) => kept.get(urlOf(asked))?.clone(),
      put: async (asked: string | Request, answer: Response) => void kept.set(urlOf(asked), answer),
      delete: async (asked: string | Request) => kept.delete(urlOf(asked)),
      addAll: async (all: readonly (string | Request)[]) => {
        const answers = await Promise.all(all.map((one) => fetch(urlOf(one))))
        if (!answers.every(({ ok }) => ok)) throw new TypeError('A file is missing.')
        for (const [index, answer] of answers.entries()) kept.set(urlOf(all[index] ?? ''), answer)
      },
    }
  }
  return {
    open: async (name: string) => opened(name),
    keys: async () => [...stores.keys()],
    delete: async (name: string) => stores.delete(name),
    match: async (asked: string | Request, { cacheName }: { readonly cacheName?: string } = {}) => {
      for (const name of cacheName === undefined ? stores.keys() : [cacheName]) {
        const kept = stores.get(name)?.get(urlOf(asked))
        if (kept !== undefined) return kept.clone()
      }
      return undefined
    },
  }
}

/** Runs the text of service workers over real requests, and follows what browsers do around them. */
export function imitatedDevice(base: string): Device {
  const caches = memoryCaches(base)
  let active: Worker | undefined
  let waiting: Worker | undefined

  class OwnRequest extends Request {
    constructor(asked: string | Request, init?: RequestInit) {
      super(typeof asked === 'string' ? new URL(asked, base) : asked, init)
    }
  }

  function start(text: string): Worker {
    const listeners = new Map<string, Listener>()
    let isHasty = false
    const self = {
      location: new URL(base),
      addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
      clients: { claim: async () => undefined },
      skipWaiting: async () => {
        isHasty = true
      },
    }
    compileFunction(text, ['self', 'caches', 'Request'])(self, caches, OwnRequest)
    return { text, listeners, isHasty: () => isHasty }
  }

  async function tell(worker: Worker, name: string): Promise<void> {
    let done: Promise<unknown> = Promise.resolve()
    worker.listeners.get(name)?.({ waitUntil: (promise: Promise<unknown>) => (done = promise) })
    await done
  }

  async function activate(): Promise<void> {
    if (waiting === undefined) return
    active = waiting
    waiting = undefined
    await tell(active, 'activate')
  }

  async function load(path: string, mode: 'navigate' | 'cors'): Promise<Response> {
    const request = Object.defineProperty(new OwnRequest(path), 'mode', { value: mode })
    let answered: Promise<Response> | undefined
    active?.listeners.get('fetch')?.({
      request,
      respondWith: (answer: Promise<Response>) => {
        answered = answer
      },
    })
    const isWorkers = answered !== undefined
    const answer = await (answered ?? fetch(request))
    if (mode === 'navigate' && isWorkers && answer.redirected) throw new TypeError('net::ERR_FAILED')
    return answer
  }

  async function visit(path = '/'): Promise<string | null> {
    await activate()
    const page = await load(path, 'navigate').catch(() => null)
    if (page === null || !/^text\/html/.test(page.headers.get('content-type') ?? '')) return null
    const [, address] = / src="([^"]+)"/.exec(await page.text()) ?? []
    const script = address === undefined ? null : await load(address, 'cors').catch(() => null)
    if (script === null || !script.ok || !/javascript/.test(script.headers.get('content-type') ?? ''))
      return null
    return /version = '([^']+)'/.exec(await script.text())?.[1] ?? null
  }

  async function update(): Promise<void> {
    const answer = await fetch(new URL('service-worker.js', base), { redirect: 'error' }).catch(() => null)
    if (answer === null || !answer.ok || !/javascript/.test(answer.headers.get('content-type') ?? '')) return
    const text = await answer.text().catch(() => null)
    if (text === null || text === (waiting ?? active)?.text) return
    const worker = start(text)
    const isInstalled = await tell(worker, 'install').then(
      () => true,
      () => false,
    )
    if (!isInstalled) return
    waiting = worker
    if (active === undefined || worker.isHasty()) await activate()
  }

  return { visit, update }
}
