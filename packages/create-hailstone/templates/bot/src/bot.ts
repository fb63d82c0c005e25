// Mines, and sends a signed webhook for every reward and for the end of mining. Each reward arrives also after a crash.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createClient } from '@hailstone/client'
import { createMiningNode, formatAmount, openFileCursors } from '@hailstone/mining-node'
import { metricsText, nodeMetrics, serveHealth, watchNodeHealth } from '@hailstone/mining-node/health'
import { watchRewards } from '@hailstone/mining-node/watch'
import { settings } from './settings.ts'
import { openWallet } from './wallet.ts'
import { sendWebhook } from './webhook.ts'

const { apiUrl, gatewayUrl, webhookUrl: url, webhookSecret: secret, dataFolder, healthPort } = settings

const wallet = await openWallet()
const client = createClient({ apiUrl })
const token = (await client.getNativeToken()) ?? { symbol: 'coins', decimals: 10 }
const node = createMiningNode({ wallet, client, gatewayUrl })

const cursor = { store: openFileCursors({ folder: join(dataFolder, 'cursors') }), name: 'rewards' }
const rewards = watchRewards({
  client,
  address: wallet.address,
  cursor,
  // The cursor moves when this resolves; when it rejects, the same reward comes again after a pause.
  onReward: ({ index, amount, height, recordHash, timeMs }, { signal }) => {
    const coins = `${formatAmount(amount, token)} ${token.symbol}`
    const event = { type: 'rewarded', amount: amount.toString(), coins, height, timeMs, recordHash }
    return sendWebhook({ url, secret, id: `reward-${index}-${recordHash}`, event, signal })
  },
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
          nowMs: Date.now(),
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
// Mining needs a stake. A local network gives it away; on a public one, send coins to the address.
const { amount } = await client.getBalance({ address: wallet.address })
if (amount === 0n) await client.requestTestCoins({ address: wallet.address }).catch(() => false)
await node.start()
