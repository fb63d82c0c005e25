import { createMiningNode, walletFromPrivateKey } from '@hailstone/mining-node'

const { API_URL = '', GATEWAY_URL = '', KEY = '' } = process.env
const wallet = walletFromPrivateKey(KEY)
const node = createMiningNode({ wallet, apiUrl: API_URL, gatewayUrl: GATEWAY_URL })
const reward = new Promise<{ amount: bigint; height: number }>((resolve) => node.on('rewarded', resolve))
await node.start()
const { amount, height } = await reward
console.log(`Bun ${process.versions.bun}: a reward of ${amount} units at height ${height}`)
await node.close()
