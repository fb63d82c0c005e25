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
/** Decimals turn units into coins: until the API has named them, units are shown. */
let token: Awaited<ReturnType<typeof client.getNativeToken>>
async function inCoins(units: bigint): Promise<string> {
  token ??= await client.getNativeToken().catch(() => undefined)
  return token === undefined ? `${units} units` : `${formatAmount(units, token)} ${token.symbol}`
}

const node = createMiningNode({ wallet, client, gatewayUrl })
node.on('balanceChanged', async ({ amount }) => console.log(`balance      ${await inCoins(amount)}`))
node.on('rewarded', async ({ amount, height }) =>
  console.log(`reward       ${await inCoins(amount)} in block ${height}`),
)
node.on('failed', ({ error }) => console.error(`failed       ${error.message}`))
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
await node.start()
// Mining waits until the account has a stake. A local network gives it away; on a public one, send coins to the address.
try {
  const { amount } = await client.getBalance({ address: wallet.address })
  if (amount === 0n && !(await client.requestTestCoins({ address: wallet.address })))
    console.error('no test coins: the faucet is empty, or has served this address a moment ago')
} catch (error) {
  console.error(`no test coins: ${error instanceof Error ? error.message : error}`)
}
