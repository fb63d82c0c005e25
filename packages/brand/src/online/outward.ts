import { outwardConnector, wholeModule } from '@hailstone/runtime/node'
import * as imported from 'undici'

const { Agent, buildConnector, fetch, WebSocket } = wholeModule(imported, {
  name: 'undici',
  from: () => import.meta.url,
  parts: ['Agent', 'buildConnector', 'fetch', 'WebSocket'],
})

const CONNECT_MS = 8_000

/** Requests and sockets take the proxy that the environment names, as those of the client do. */
export const dispatcher = new Agent({
  connect: outwardConnector(buildConnector({ timeout: CONNECT_MS }), CONNECT_MS),
})

/** Requests an address. */
export const fetchOutward = (url: string | URL, options: Parameters<typeof fetch>[1]) =>
  fetch(url, { ...options, dispatcher })

export { WebSocket }
