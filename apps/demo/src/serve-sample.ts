import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { LocalNetwork } from '@hailstone/local-network'
import { limitConnections, servingTimes } from '@hailstone/runtime/node'
import sirv from 'sirv'

/** Largest number of concurrent connections; a browser opens six. */
const MAX_CONNECTIONS = 256

type Network = Pick<LocalNetwork, 'apiUrl' | 'gatewayUrl'>

/** Where the app is told of other ports than the usual ones, for which it looks by itself; null for those. */
function placeOf({ apiUrl, gatewayUrl }: Network): string | null {
  if (new URL(apiUrl).port === '4410' && new URL(gatewayUrl).port === '4411') return null
  return `/?api=${encodeURIComponent(apiUrl)}&gateway=${encodeURIComponent(gatewayUrl)}`
}

/**
 * Serves the built sample app on loopback. Its root leads to the app with the addresses of this network, so that the
 * address that people copy is short.
 */
export async function serveSample(parameters: { readonly port: number; readonly network: Network }): Promise<{
  readonly url: string
  readonly stop: () => Promise<void>
}> {
  const { port, network } = parameters
  const folder = fileURLToPath(new URL('../../sample/dist', import.meta.url))
  const files = sirv(folder, { etag: true })
  const place = placeOf(network)
  const server = createServer(servingTimes, (request, response) => {
    if (request.url === '/' && place !== null) response.writeHead(302, { location: place }).end()
    else files(request, response)
  })
  const { stop } = limitConnections(server, { most: MAX_CONNECTIONS })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: actual } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${actual}/`, stop }
}
