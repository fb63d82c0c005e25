import { isPackage } from './is-package.ts'
import { isPreview } from './refuse-frame.ts'
import { scriptAddress } from './trusted-addresses.ts'

/** A newer build of this app that waits to be installed. */
export type UpdateWatch = {
  readonly isWaiting: () => boolean
  readonly subscribe: (listener: () => void) => () => void
  /** Activates the new build and reloads the page. Called only on a person's request. */
  readonly take: () => void
}

const NEVER: UpdateWatch = { isWaiting: () => false, subscribe: () => () => undefined, take: () => undefined }
const CHECK_MS = 6 * 3_600_000
/** Limit for the browser to replace the worker before the page reloads anyway, in ms. */
const TAKE_MS = 5_000
/** Session storage key of an update that was requested and is not active yet. */
const TAKING = 'hailstone.update'

/** Installs the service worker, with which the app opens offline. Newer builds wait until they are taken. */
export function watchUpdates(): UpdateWatch {
  // The files of a package are in the package: a service worker would go on with those of the version before.
  const isServed = 'serviceWorker' in navigator && !import.meta.env.DEV && !isPackage() && !isPreview()
  if (!isServed) return NEVER
  const listeners = new Set<() => void>()
  let registration: ServiceWorkerRegistration | undefined
  let watched: ServiceWorker | null = null
  let waiting: ServiceWorker | null = null
  let isTaken = false

  function found(worker: ServiceWorker | null): void {
    waiting = worker
    for (const listener of listeners) listener()
  }

  /** Offers the worker that installs, once it is installed, unless it is the first one. */
  function watch({ installing, active }: ServiceWorkerRegistration): void {
    if (installing === watched) return
    watched = installing
    // Judged now: WebKit may tell of the first worker's "installed" when that worker already controls the page.
    const isUpdate = active !== null
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed' && isUpdate) found(installing)
    })
  }

  async function register(): Promise<void> {
    const own = await navigator.serviceWorker.register(scriptAddress('/service-worker.js'))
    registration = own
    const wasTaking = sessionStorage.getItem(TAKING) !== null
    sessionStorage.removeItem(TAKING)
    own.addEventListener('updatefound', () => watch(own))
    // A page without a controller came from the network, as after a reload with the shift key: it is of the new build.
    if (navigator.serviceWorker.controller !== null) {
      watch(own)
      found(own.waiting)
      // Again after the reload, until it is done: the page works meanwhile, and what keeps the old worker busy may be
      // newer than the last request to make way.
      if (wasTaking && own.waiting !== null) {
        take()
        setInterval(take, TAKE_MS)
      }
    }
    setInterval(() => void own.update().catch(() => undefined), CHECK_MS)
  }

  /** Activates the waiting worker. The browser replaces the old one once it handles no event. */
  function take(): void {
    isTaken = true
    // Not the controller, which a page from the network does not have.
    registration?.active?.postMessage('make way')
    waiting?.postMessage('take over')
  }

  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (isTaken) location.reload()
  })
  // Without a service worker the app works online.
  register().catch(() => undefined)
  return {
    isWaiting: () => waiting !== null,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    take: () => {
      // Another tab has taken the update. Only this page still runs the older build.
      if (waiting?.state !== 'installed') return location.reload()
      take()
      // A busy old worker must not keep the person waiting.
      setTimeout(() => {
        sessionStorage.setItem(TAKING, 'yes')
        location.reload()
      }, TAKE_MS)
    },
  }
}
