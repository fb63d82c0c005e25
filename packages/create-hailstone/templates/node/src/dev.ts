// A network of its own, with blocks of two seconds, and the miner on it. Ctrl-C ends both.
import { startLocalNetwork } from '@hailstone/local-network'

const network = await startLocalNetwork({ blockTimeMs: 2_000 })
process.on('SIGINT', () => void network.stop())
process.on('SIGTERM', () => void network.stop())
console.log(`network      ${network.apiUrl}  (a page shows it: ${new URL('/', network.apiUrl)})`)

process.env.HAILSTONE_API = network.apiUrl
process.env.HAILSTONE_GATEWAY = network.gatewayUrl
await import('./miner.ts')
