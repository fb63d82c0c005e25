import type { WatchConnectivity } from '../session/run-session.ts'

/** Reports changes of the network and, in a page, the end of a freeze; a worker only gets the network's. */
export const watchConnectivity: WatchConnectivity = ({ online, offline, resumed }) => {
  const controller = new AbortController()
  const options = { signal: controller.signal }
  globalThis.addEventListener?.('online', online, options)
  globalThis.addEventListener?.('offline', offline, options)
  // Restored from the cache of pages a browser went back to.
  globalThis.addEventListener?.('pageshow', ({ persisted }) => persisted && resumed(), options)
  globalThis.document?.addEventListener('resume', resumed, options)
  return () => controller.abort()
}
