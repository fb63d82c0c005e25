import { createClient } from '@hailstone/client'
import { createMiningNode, createWallet, formatAmount } from '@hailstone/mining-node'

const wallet = createWallet()
const client = createClient({ apiUrl: 'http://127.0.0.1:4410/api/v1' })
const coin = (await client.getNativeToken()) ?? { symbol: 'coins', decimals: 10 }
const node = createMiningNode({ wallet, client, gatewayUrl: 'ws://127.0.0.1:4411' })
node.on('balanceChanged', ({ amount }) => console.log('balance', formatAmount(amount, coin), coin.symbol))
node.on('rewarded', ({ amount }) => console.log('earned', formatAmount(amount, coin), coin.symbol))

await client.requestTestCoins({ address: wallet.address })
await node.start()
