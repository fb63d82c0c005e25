import { createClient } from '@hailstone/client'
import { createMiningNode, createWallet, formatAmount } from '@hailstone/mining-node'

const apiUrl = process.env['HAILSTONE_API'] ?? 'http://127.0.0.1:4410/api/v1'
const gatewayUrl = process.env['HAILSTONE_GATEWAY'] ?? 'ws://127.0.0.1:4411'

const wallet = createWallet()
const client = createClient({ apiUrl })
const node = createMiningNode({ wallet, client, gatewayUrl })

const unsubscribe = node.on('rewarded', async ({ amount, height }) => {
  unsubscribe()
  console.log(`earned ${formatAmount(amount, { decimals: 10 })} coins in block ${height}`)
  await node.stop()
  await client.close()
})

console.log(`mining with ${wallet.address}`)
await client.requestTestCoins({ address: wallet.address })
await node.start()
