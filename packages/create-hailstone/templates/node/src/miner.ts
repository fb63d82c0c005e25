// Mines and prints each reward. The network is named by HAILSTONE_API and HAILSTONE_GATEWAY.
import { mkdirSync } from 'node:fs'
import { createClient, createFileKeystore, type Wallet } from '@hailstone/client'
import { createMiningNode, createWallet, formatAmount } from '@hailstone/mining-node'

const apiUrl = process.env.HAILSTONE_API ?? 'http://127.0.0.1:4410/api/v1'
const gatewayUrl = process.env.HAILSTONE_GATEWAY ?? 'ws://127.0.0.1:4411'

/** With HAILSTONE_PASSWORD the key is kept in a file, encrypted. Without, as for tests, each run makes a new one. */
async function openWallet(): Promise<Wallet> {
  const password = process.env.HAILSTONE_PASSWORD
  if (password === undefined) return createWallet()
  mkdirSync('.data', { recursive: true })
  const keystore = createFileKeystore({ path: '.data/miner.keystore' })
  if ((await keystore.readAddress()) === undefined) await keystore.save({ wallet: createWallet(), password })
  const { wallet } = await keystore.unlock({ password })
  return wallet
}

const wallet = await openWallet()
const client = createClient({ apiUrl })
const token = (await client.getNativeToken()) ?? { symbol: 'coins', decimals: 10 }
const inCoins = (units: bigint): string => `${formatAmount(units, token)} ${token.symbol}`

const node = createMiningNode({ wallet, client, gatewayUrl })
node.on('balanceChanged', ({ amount }) => console.log(`balance      ${inCoins(amount)}`))
node.on('rewarded', ({ amount, height }) => console.log(`reward       ${inCoins(amount)} in block ${height}`))
node.on('beaconRefused', ({ why }) => console.log(`not signed   ${why}`))
node.on('disconnected', ({ why }) => console.log(`disconnected ${why}`))
node.on('stopped', ({ why }) => console.log(`stopped      ${why}`))

async function stop(): Promise<void> {
  await node.close()
  await client.close()
}
// Not `once`: npm may repeat a Ctrl-C, and the second one would end the process before everything is closed.
process.on('SIGINT', () => void stop())
process.on('SIGTERM', () => void stop())

console.log(`mining with  ${wallet.address}`)
// Mining needs a stake. A local network gives it away; on a public one, send coins to the address.
const { amount } = await client.getBalance({ address: wallet.address })
if (amount === 0n) await client.requestTestCoins({ address: wallet.address }).catch(() => false)
await node.start()
