// Mines with a fleet where `import 'ws'` has its names and no values, as it was seen of undici on Node 20. Prints the
// first reward.
import { createRequire, Module } from 'node:module'

const require = createRequire(import.meta.url)
const path = require.resolve('ws').replace(/index\.js$/, 'lib/websocket.js')
const empty = new Module(path)
empty.filename = path
empty.loaded = true
require.cache[path] = empty
const { WebSocket } = await import('ws')
delete require.cache[path]
if (typeof WebSocket === 'function') throw new Error('ws was to have no values')

const { createClient, createWallet } = await import('@hailstone/client')
const { createFleet } = await import('@hailstone/mining-node/fleet')
const [apiUrl, gatewayUrl] = process.argv.slice(2)
const wallet = createWallet()
const client = createClient({ apiUrl })
await client.requestTestCoins({ address: wallet.address })
const fleet = createFleet({
  keys: [wallet.exportPrivateKey()],
  client,
  gatewayUrl,
  blockTimeMs: 300,
  signingThreads: 0,
})
fleet.subscribe((event) => {
  if (event.type !== 'rewarded') return
  console.log('rewarded')
  process.exit(0)
})
await fleet.start()
