// Notes events with the numbers 0, 1, … and delivers them, until it is killed. As a miner it keeps its place in a file,
// after each event.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deliverWebhooks } from '../dist/webhook/deliver-webhooks.js'
import { createWebhookEvent, openOutbox } from '../dist/webhook/outbox.js'

const [folder, url, secret, count] = process.argv.slice(2)
const placeFile = join(folder, 'place')
const placeNow = () => {
  try {
    return Number(readFileSync(placeFile, 'utf8'))
  } catch {
    return 0
  }
}

const outbox = await openOutbox(join(folder, 'events'))
const target = { url, secret: Buffer.from(secret, 'base64'), secretFile: '', events: new Set() }
const delivery = deliverWebhooks({
  outbox,
  target: () => target,
  onFault: (sentence) => process.stdout.write(`${sentence}\n`),
})
for (let number = placeNow(); number < Number(count); number++) {
  const data = { number, amount: 2n ** 64n }
  await outbox.put(
    createWebhookEvent({ type: 'rewarded', address: 'a', identity: [number], data, atMs: Date.now() }),
  )
  delivery.wake()
  writeFileSync(placeFile, String(number + 1))
  await new Promise((resolve) => setTimeout(resolve, 20))
}
await delivery.flush(600_000)
await delivery.stop()
process.stdout.write('all delivered\n')
