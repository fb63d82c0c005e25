// Notes more events than an outbox keeps, as fast as it takes them, and delivers them. One that is refused is noted
// again later, as rewards are, which wait in the history of the account.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { deliverWebhooks } from '../dist/webhook/deliver-webhooks.js'
import { createWebhookEvent, openOutbox } from '../dist/webhook/outbox.js'

const [folder, url, secret, count, most] = process.argv.slice(2)
const events = join(folder, 'events')
const outbox = await openOutbox(events, { most: Number(most) })
const target = { url, secret: Buffer.from(secret, 'base64'), secretFile: '', events: new Set() }
const delivery = deliverWebhooks({ outbox, target: () => target, onFault: () => undefined })
let refusals = 0
let maxFiles = 0
for (let number = 0; number < Number(count); number++) {
  const event = createWebhookEvent({
    type: 'rewarded',
    address: 'a',
    identity: [number],
    data: { number },
    atMs: Date.now(),
  })
  for (;;) {
    try {
      await outbox.put(event)
      break
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      if (refusals++ === 0) process.stdout.write('full\n')
      if (refusals % 50 === 1) maxFiles = Math.max(maxFiles, readdirSync(events).length)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  delivery.wake()
}
await delivery.flush(3_600_000)
await delivery.stop()
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
process.stdout.write(
  `${JSON.stringify({ refusals, maxFiles, left: readdirSync(events).length, maxRssKb: maxRSS, cpuMs: (userCPUTime + systemCPUTime) / 1_000 })}\n`,
)
