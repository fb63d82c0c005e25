// Brings an index up to the API, judges the alerts and delivers their messages, as its own process, which the test ends
// with kill -9. Where the test asks for it, it stands still between the decision and the delivery.
import { writeSync } from 'node:fs'
import { createClient } from '@hailstone/client'
import { openIndex } from '@hailstone/indexer'
import { openAlerts } from '../dist/alerts/alerts.js'
import { createWebhookGate } from '../dist/alerts/webhook-gate.js'
import { openFollower } from '../dist/open-follower.js'

const { apiUrl, tokenId, place, speed, stopsBeforeDelivery } = JSON.parse(process.argv[2])
const say = (text) => writeSync(1, `${text}\n`)

const client = createClient({ apiUrl })
const index = await openIndex(place)
const follower = await openFollower({ index, client, tokenId })
const gate = createWebhookGate({ allowsLoopback: true })
const alerts = await openAlerts({ follower, gate, now: () => speed * Date.now(), lookEveryMs: 1000 / speed })
await follower.catchUp()
await alerts.evaluate()
say('decided')
if (!stopsBeforeDelivery) await alerts.deliver(new AbortController().signal)
// Ends with the test at the latest.
const { ppid } = process
setInterval(() => process.ppid === ppid || process.exit(1), 500)
