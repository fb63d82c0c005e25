import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { troubleSince } from '../src/webhook/report-bridge.ts'
import { type CommandWorld, createCommandWorld } from './command-child.ts'
import { type Receiver, startReceiver } from './webhook-receiver.ts'

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
let world: CommandWorld
let receiver: Receiver
let gateway: Server | undefined
let gatewayPort: number

async function listen(port: number): Promise<number> {
  gateway = createServer()
  new WebSocketServer({ server: gateway })
  gateway.listen(port, '127.0.0.1')
  await once(gateway, 'listening')
  return (gateway.address() as AddressInfo).port
}
async function away(): Promise<void> {
  gateway?.closeAllConnections()
  gateway?.close()
  await once(gateway as Server, 'close')
}

beforeAll(async () => {
  world = await createCommandWorld()
  receiver = await startReceiver(secret)
  await world.keyFile('webhook.secret', secret)
  gatewayPort = await listen(0)
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  gateway?.close()
})

/** Types of the events that came, in order, each id once. */
const types = (): readonly unknown[] => [
  ...new Map(receiver.taken().map(({ id, body }) => [id, body.type])).values(),
]

/** Resolves to true if the bridge accepts a connection, which is closed at once. */
const ask = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url)
    socket.on('error', () => resolve(false))
    socket.on('open', () => {
      socket.close()
      resolve(true)
    })
  })

it('tells of a bridge that lets in, that turns everybody away for 20 s, that was killed, and that ended, once each', async () => {
  const config = join(world.folder, 'bridge.toml')
  await writeFile(
    config,
    `upstream = ["ws://127.0.0.1:${gatewayPort}"]
listen = "127.0.0.1:0"
json = true
[webhook]
url = "${receiver.url}"
secret-file = "webhook.secret"
`,
  )
  const start = async () => {
    const running = world.start(['bridge', '--config', config])
    const { url } = await running.event('bridgeOpened')
    return { running, url: String(url) }
  }
  const first = await start()
  await world.until(() => types().length === 1, 'ready')
  // A second bridge at the same place has no webhooks of its own.
  const second = await world.run(['bridge', '--config', config])
  expect([second.code, second.out]).toEqual([5, expect.stringContaining('sends its webhooks')])
  await away()
  expect(await ask(first.url)).toBe(false)
  await world.until(() => types().includes('notReady'), 'notReady after 20 s', 60_000)
  await listen(gatewayPort)
  expect(await ask(first.url)).toBe(true)
  await world.until(() => types().length === 3, 'ready again')

  // A kill tells nothing, and the next process knows what was told.
  first.running.process.kill('SIGKILL')
  await first.running.ended
  const last = await start()
  expect(await ask(last.url)).toBe(true)
  last.running.process.kill('SIGTERM')
  expect((await last.running.ended).code).toBe(0)
  expect(types()).toEqual(['ready', 'notReady', 'ready', 'stopped'])
  // One that was answered shortly before the kill may have come twice.
  const reported = (type: string) => receiver.taken().find(({ body }) => body.type === type)
  const [notReady, stopped] = [reported('notReady'), reported('stopped')]
  expect(notReady?.body.data).toMatchObject({ address: null, code: 'GATEWAY_FAILED', sessions: 0 })
  expect(stopped?.body.data).toMatchObject({ address: null, reason: 'requested', url: last.url })
  expect(await world.everything()).not.toContain('only-the-receiver-knows')
}, 120_000)

it('sees trouble only where somebody was turned away, until somebody is let in', () => {
  const health = (opened: number, refused: Record<string, number>) => ({
    isReady: true,
    sessions: 0,
    connections: 0,
    opened,
    refused,
  })
  const quiet = health(1, {})
  expect(troubleSince(quiet, quiet, null)).toBe(null)
  expect(troubleSince(quiet, quiet, 'full')).toBe('full')
  expect(troubleSince(quiet, health(1, { gateway_failed: 1 }), null)).toBe('gateway_failed')
  expect(troubleSince(quiet, health(1, { full: 3 }), null)).toBe('full')
  expect(troubleSince(quiet, health(2, { full: 3 }), 'full')).toBe(null)
  // Pages that may not come are no trouble of the bridge.
  expect(troubleSince(quiet, health(1, { origin: 9, address_full: 9 }), null)).toBe(null)
})
