import { createHmac, randomUUID } from 'node:crypto'
import { createClient } from '@hailstone/client'
import { createMiningNode, createWallet } from '@hailstone/mining-node'

const apiUrl = process.env['HAILSTONE_API'] ?? 'http://127.0.0.1:4410/api/v1'
const gatewayUrl = process.env['HAILSTONE_GATEWAY'] ?? 'ws://127.0.0.1:4411'
const webhookUrl = process.env['WEBHOOK_URL'] ?? 'http://127.0.0.1:8080/'
const secret = process.env['WEBHOOK_SECRET'] ?? 'a secret of both sides'

/** Sends an event until the receiver takes it. The id stays the same, so that a repetition can be recognised. */
async function send(type: string, data: object): Promise<void> {
  const id = randomUUID()
  const body = JSON.stringify({ type, data })
  for (let pauseMs = 500; ; pauseMs = Math.min(2 * pauseMs, 60_000)) {
    const seconds = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${signature}`,
    }
    const signal = AbortSignal.timeout(10_000)
    const answer = await fetch(webhookUrl, { method: 'POST', headers, body, signal }).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

const wallet = createWallet()
const client = createClient({ apiUrl })
const node = createMiningNode({ wallet, client, gatewayUrl })

// Amounts are bigint, which JSON does not know: they travel as text.
node.on('rewarded', ({ amount, height }) => send('reward', { amount: String(amount), height }))
node.on('stopped', ({ reason, why }) => send('stopped', { reason, why }))

await client.requestTestCoins({ address: wallet.address })
await node.start()
process.once('SIGTERM', async () => {
  await node.stop()
  await client.close()
})
