// Mines, and sends a signed webhook for every reward and for the end of mining. Each reward arrives also after a crash.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createClient } from '@hailstone/client'
import { createMiningNode, cursorsOfChain, formatAmount, openFileCursors } from '@hailstone/mining-node'
import { metricsText, nodeMetrics, serveHealth, watchNodeHealth } from '@hailstone/mining-node/health'
import { watchRewards } from '@hailstone/mining-node/watch'
import { settings } from './settings.ts'
import { openWallet } from './wallet.ts'
import { sendWebhook } from './webhook.ts'

const { apiUrl, gatewayUrl, webhookUrl: url, webhookSecret: secret, dataFolder, healthPort } = settings

const wallet = await openWallet()
const client = createClient({ apiUrl })
const node = createMiningNode({ wallet, client, gatewayUrl })
node.on('failed', ({ error }) => console.error(`failed       ${error.message}`))

/** Decimals turn units into coins: until the API has named them, units are shown. */
let token: Awaited<ReturnType<typeof client.getNativeToken>>
async function inCoins(units: bigint): Promise<string> {
  token ??= await client.getNativeToken().catch(() => undefined)
  return token === undefined ? `${units} units` : `${formatAmount(units, token)} ${token.symbol}`
}

// Of the network that the API belongs to: the place in one chain means nothing in another.
const store = cursorsOfChain({ store: openFileCursors({ folder: join(dataFolder, 'cursors') }), client })
const rewards = watchRewards({
  client,
  address: wallet.address,
  cursor: { store, name: 'rewards' },
  // The cursor moves when this resolves; when it rejects, the same reward comes again after a pause.
  onReward: async ({ index, amount, height, recordHash, timeMs }, { signal }) => {
    const coins = await inCoins(amount)
    const event = { type: 'rewarded', amount: amount.toString(), coins, height, timeMs, recordHash }
    await sendWebhook({ url, secret, id: `reward-${index}-${recordHash}`, event, signal })
  },
  onError: ({ message }) => console.error(`rewards      ${message}`),
})

let delivery: Promise<void> = Promise.resolve()
node.on('stopped', ({ reason, why }) => {
  const event = { type: 'stopped', reason, why }
  delivery = sendWebhook({ url, secret, id: randomUUID(), event }).catch(({ message }: Error) =>
    console.error(`not delivered ${message}`),
  )
})

const health = watchNodeHealth({ node, windowMs: 15_000 })
const server = await serveHealth(
  {
    health: health.read,
    status: node.snapshot,
    metrics: () =>
      metricsText(
        nodeMetrics({
          snapshot: node.snapshot(),
          health: health.read(),
          uptimeMs: health.uptimeMs(),
        }),
      ),
  },
  { port: healthPort },
)

async function close(): Promise<void> {
  await node.stop()
  await rewards.stop()
  await delivery
  health.stop()
  await server.stop()
  await node.close()
  await client.close()
}

let closed: Promise<void> | undefined

/** Ends mining, sends what is to be sent, and closes everything, once. */
export function closeBot(): Promise<void> {
  closed ??= close()
  return closed
}

console.log(`mining with  ${wallet.address}`)
console.log(`health       http://127.0.0.1:${server.port}/health`)
await node.start()
// Mining waits until the account has a stake. A local network gives it away; on a public one, send coins to the address.
try {
  const { amount } = await client.getBalance({ address: wallet.address })
  if (amount === 0n && !(await client.requestTestCoins({ address: wallet.address })))
    console.error('no test coins: the faucet is empty, or has served this address a moment ago')
} catch (error) {
  console.error(`no test coins: ${error instanceof Error ? error.message : error}`)
}
