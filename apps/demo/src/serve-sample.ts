import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import sirv from 'sirv'

/** Serves the built sample app on loopback. */
export async function serveSample({ port }: { readonly port: number }): Promise<{
  readonly url: string
  readonly stop: () => Promise<void>
}> {
  const folder = fileURLToPath(new URL('../../sample/dist', import.meta.url))
  const files = sirv(folder, { etag: true })
  const server = createServer((request, response) => files(request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: actual } = server.address() as AddressInfo
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${actual}/`, stop }
}
