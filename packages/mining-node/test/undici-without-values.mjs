// Mines where `import 'undici'` has all names and no values, as it was seen on Node 20. Prints the first reward.
import { createRequire, Module } from 'node:module'

const require = createRequire(import.meta.url)
const path = require.resolve('undici')
const empty = new Module(path)
empty.filename = path
empty.loaded = true
require.cache[path] = empty
const { Agent } = await import('undici')
delete require.cache[path]
if (Agent !== undefined) throw new Error('undici was to have no values')

const { createClient, createWallet } = await import('@hailstone/client')
const { createMiningNode } = await import('@hailstone/mining-node')
const [apiUrl, gatewayUrl] = process.argv.slice(2)
const wallet = createWallet()
const client = createClient({ apiUrl })
await client.requestTestCoins({ address: wallet.address })
const node = createMiningNode({ wallet, client, gatewayUrl, blockTimeMs: 300 })
node.on('disconnected', ({ reason }) => console.error(JSON.stringify(reason)))
node.on('rewarded', () => {
  console.log('rewarded')
  process.exit(0)
})
await node.start()
