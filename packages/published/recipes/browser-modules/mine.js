import { createMiningNode, walletFromPrivateKey } from '@hailstone/mining-node'

const { apiUrl, gatewayUrl, key } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
const node = createMiningNode({ wallet: walletFromPrivateKey(key), apiUrl, gatewayUrl })
node.on('rewarded', ({ amount, height }) => {
  document.getElementById('reported').textContent = `A reward of ${amount} units at height ${height}`
})
await node.start()
