import { createClient } from '@hailstone/client'
import { createMiningNode, createWallet, formatAmount } from '@hailstone/mining-node'
import type { Line, Order } from './protocol.ts'

const say = (text: string, { isReward = false, isOver = false } = {}): void =>
  self.postMessage({ text, isReward, isOver } satisfies Line)

async function mine({ apiUrl, gatewayUrl }: Order): Promise<void> {
  const wallet = createWallet()
  const client = createClient({ apiUrl })
  const token = (await client.getNativeToken()) ?? { symbol: 'coins', decimals: 10 }
  const node = createMiningNode({ wallet, client, gatewayUrl })
  node.on('published', ({ microblockHash }) => say(`Signed microblock ${microblockHash.slice(0, 12)}…`))
  node.on('disconnected', ({ why }) => say(`Disconnected: ${why}.`))
  node.on('stopped', ({ why }) => say(`Stopped: ${why}.`, { isOver: true }))
  node.on('rewarded', ({ amount, height }) =>
    say(`Earned ${formatAmount(amount, token)} ${token.symbol} in block ${height}.`, { isReward: true }),
  )
  say(`Made a key with the address ${wallet.address.slice(0, 12)}…`)
  await client.requestTestCoins({ address: wallet.address })
  say('Asked the faucet for the stake.')
  await node.start()
  say('Mining. The stake counts from the next block on.')
}

self.addEventListener('message', ({ data }: MessageEvent<Order>) => {
  mine(data).catch((error: unknown) =>
    say(error instanceof Error ? error.message : String(error), { isOver: true }),
  )
})
