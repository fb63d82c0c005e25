import { scriptAddress } from './trusted-addresses.ts'

/** A newer build of this app that waits for consent. */
export type UpdateWatch = {
  readonly isWaiting: () => boolean
  readonly subscribe: (listener: () => void) => () => void
  /** Takes the new build and loads the page anew. Only ever called by a person. */
  readonly take: () => void
}

const NEVER: UpdateWatch = { isWaiting: () => false, subscribe: () => () => undefined, take: () => undefined }
const CHECK_MS = 6 * 3_600_000
/** Time the browser gets to replace the worker before the page is loaded anew, in ms. */
const TAKE_MS = 5_000
/** Key in the tab's storage while an update that was asked for is still to be taken. */
const TAKING = 'hailstone.update'

/** Installs the service worker: the app then opens without a network, and newer builds wait until they are taken. */
export function watchUpdates(): UpdateWatch {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return NEVER
  const listeners = new Set<() => void>()
  let waiting: ServiceWorker | null = null
  let isTaken = false

  function found(worker: ServiceWorker | null): void {
    waiting = worker
    for (const listener of listeners) listener()
  }

  async function register(): Promise<void> {
    const registration = await navigator.serviceWorker.register(scriptAddress('/service-worker.js'))
    const wasTaking = sessionStorage.getItem(TAKING) !== null
    sessionStorage.removeItem(TAKING)
    if (registration.waiting !== null && navigator.serviceWorker.controller !== null) {
      found(registration.waiting)
      // Once more after the reload, now without a time limit: the page works meanwhile.
      if (wasTaking) take()
    }
    registration.addEventListener('updatefound', () => {
      const { installing } = registration
      installing?.addEventListener('statechange', () => {
        const isUpdate = navigator.serviceWorker.controller !== null
        if (installing.state === 'installed' && isUpdate) found(installing)
      })
    })
    setInterval(() => void registration.update().catch(() => undefined), CHECK_MS)
  }

  /** Replaces the worker, which the browser does once the old one handles no event. */
  function take(): void {
    isTaken = true
    navigator.serviceWorker.controller?.postMessage('make way')
    waiting?.postMessage('take over')
  }

  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (isTaken) location.reload()
  })
  // Without it the app works all the same, online.
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
      // Another tab took it already, and only this page is still of the older build.
      if (waiting?.state !== 'installed') return location.reload()
      take()
      // Whatever keeps the old worker busy, the person who asked gets a page that works.
      setTimeout(() => {
        sessionStorage.setItem(TAKING, 'yes')
        location.reload()
      }, TAKE_MS)
    },
  }
}
