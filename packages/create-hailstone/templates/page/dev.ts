// A network of its own, with blocks of two seconds, and the page that mines on it. Ctrl-C ends both.
import { startLocalNetwork } from '@hailstone/local-network'
import { createServer } from 'vite'

const network = await startLocalNetwork({ blockTimeMs: 2_000 })
// Vite gives a page what begins with VITE_.
process.env.VITE_HAILSTONE_API = network.apiUrl
process.env.VITE_HAILSTONE_GATEWAY = network.gatewayUrl
const server = await createServer({ server: { host: '127.0.0.1' } })
await server.listen()

async function stop(): Promise<void> {
  await server.close()
  await network.stop()
  process.exit(0)
}
// Not `once`: npm may repeat a Ctrl-C, and the second one would end the process before everything is closed.
process.on('SIGINT', () => void stop())
process.on('SIGTERM', () => void stop())

console.log(`network  ${network.apiUrl}  (a page shows it: ${new URL('/', network.apiUrl)})`)
console.log(`page     ${server.resolvedUrls?.local[0]}`)
