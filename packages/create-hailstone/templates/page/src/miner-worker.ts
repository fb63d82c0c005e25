// Mines on a thread of its own: the key never leaves it, and the page stays smooth.
import { createClient } from '@hailstone/client'
import { createMiningNode, createWallet, formatAmount } from '@hailstone/mining-node'
import { verifyLeader } from '@hailstone/mining-node/leader'
import type { ToPage, ToWorker } from './messages.ts'

// `npm run dev` names its network; a build is for the one that these variables name.
const apiUrl = import.meta.env.VITE_HAILSTONE_API ?? 'http://127.0.0.1:4410/api/v1'
const gatewayUrl = import.meta.env.VITE_HAILSTONE_GATEWAY ?? 'ws://127.0.0.1:4411'

const send = (message: ToPage): void => self.postMessage(message)
const report = (error: unknown): void =>
  send({ kind: 'fault', sentence: error instanceof Error ? error.message : String(error) })

// A new key each time the page is opened. To keep one: `openBrowserVault` of `@hailstone/client`.
const wallet = createWallet()
const client = createClient({ apiUrl })
const node = createMiningNode({ wallet, client, gatewayUrl, verifyLeader })

const token = client.getNativeToken().then((found) => found ?? { symbol: 'coins', decimals: 10 })
const inCoins = async (units: bigint): Promise<string> =>
  `${formatAmount(units, await token)} ${(await token).symbol}`

node.subscribe(() => {
  const { state, balance } = node.snapshot()
  const shown = balance === null ? Promise.resolve('—') : inCoins(balance.amount)
  shown.then((text) => send({ kind: 'state', status: state.status, why: state.why, balance: text }), report)
})
node.on('rewarded', ({ amount, height }) => {
  inCoins(amount).then((text) => send({ kind: 'reward', amount: text, height }), report)
})

async function start(): Promise<void> {
  // Mining needs a stake, which local networks give away.
  const { amount } = await client.getBalance({ address: wallet.address })
  if (amount === 0n) await client.requestTestCoins({ address: wallet.address })
  await node.start()
}

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  const call = data.kind === 'start' ? start() : node.stop()
  call.catch(report)
})
send({ kind: 'address', address: wallet.address })
node.watch().catch(report)
