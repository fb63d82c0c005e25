import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { sha256Hex } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type CommandWorld, createCommandWorld } from './command-child.ts'
import { type Receiver, startReceiver } from './webhook-receiver.ts'

const COIN = 10n ** 10n
const key = sha256Hex('miner with webhooks')
const { address } = walletFromPrivateKey(key)
const receiverOfCoins = walletFromPrivateKey(sha256Hex('receiver of a payment with webhooks')).address
const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`

let network: LocalNetwork
let world: CommandWorld
let receiver: Receiver
let config = ''

beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'webhooks', blockTimeMs: 600 })
  await network.control.fund(address, 1_000n * COIN)
  world = await createCommandWorld()
  receiver = await startReceiver(secret)
  await world.keyFile('miner.key', key)
  await world.keyFile('webhook.secret', secret)
  config = join(world.folder, 'hailstone.toml')
  await writeFile(
    config,
    `api = "${network.apiUrl}"
gateway = "${network.gatewayUrl}"
key-file = "miner.key"
block-time = "600ms"
health-port = 0
json = true
[webhook]
url = "${receiver.url}"
secret-file = "webhook.secret"
`,
  )
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await network.stop()
})

const taken = (type: string) => receiver.taken().filter(({ body }) => body.type === type)
const dataOf = (type: string) => taken(type).map(({ body }) => body.data as Record<string, unknown>)
const mine = () => world.start(['mine', '--config', config])

describe('webhooks of a miner', () => {
  it('tell readiness, rewards, a payment and the end, each once, through a kill and a receiver that is away', async () => {
    const first = mine()
    await world.until(() => taken('ready').length > 0 && taken('rewarded').length > 1, 'ready, and rewards')
    await receiver.setMood('down')
    const before = first.lines().filter(({ event }) => event === 'rewarded').length
    await world.until(
      () => first.lines().filter(({ event }) => event === 'rewarded').length > before + 1,
      'rewards while nobody listens',
    )
    first.process.kill('SIGKILL')
    await first.ended
    await receiver.setMood('well')

    const second = mine()
    const { port } = await second.event('healthServed')
    await world.until(
      () => second.lines().some(({ event }) => event === 'rewarded'),
      'a reward of the second process',
    )
    const paid = await world.run([
      ...['send', '--config', config, '--to', receiverOfCoins, '--amount', '5', '--yes', '--max-fee', '1'],
    ])
    expect([paid.code, paid.err]).toEqual([0, ''])
    await world.until(() => taken('paymentSettled').length > 0, 'the payment is told')
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    expect(metrics).toMatch(/^hailstone_webhook_delivered_total [1-9]/m)
    second.process.kill('SIGTERM')
    expect((await second.ended).code).toBe(0)
    await world.until(() => taken('stopped').length > 0, 'the end is told')

    // The kill and the second start were no change of readiness.
    expect(dataOf('ready').length).toBe(1)
    expect(dataOf('stopped')).toMatchObject([{ address, reason: 'requested' }])
    expect(dataOf('paymentSettled')).toMatchObject([
      { to: receiverOfCoins, amount: String(5n * COIN), status: 'confirmed' },
    ])
    const rewards = new Map(
      taken('rewarded').map(({ id, body }) => [id, body.data as Record<string, unknown>]),
    )
    const indexes = [...rewards.values()].map(({ index }) => Number(index)).sort((one, other) => one - other)
    await using client = createClient({ apiUrl: network.apiUrl })
    // A reward that comes while pages are read moves the ones before it to the next page, where they are read again.
    const known = new Set<number>()
    for (let page = 0, isLast = false; !isLast; page++) {
      const read = await client.getRewards({ address, page })
      for (const { index } of read.records) known.add(index)
      isLast = read.isLast
    }
    // Nothing between the first and the last is missing, or told under two ids.
    const expected = [...known].filter(
      (index) => index >= (indexes[0] ?? 0) && index <= (indexes.at(-1) ?? 0),
    )
    expect(indexes).toEqual(expected.sort((one, other) => one - other))
    expect([...rewards.values()].every(({ amount }) => /^[1-9]\d+$/.test(String(amount)))).toBe(true)
    expect(receiver.refused()).toBe(0)
    expect(await world.everything()).not.toContain('only-the-receiver-knows')
    expect(await world.everything()).not.toContain(secret)
  })

  it('that cannot be kept do not stop a miner', async () => {
    const data = join(world.folder, 'other-data')
    const miner = world.start(['mine', '--config', config], { environment: { HAILSTONE_DATA: data } })
    onTestFinished(() => void miner.process.kill('SIGKILL'))
    await world.until(() => miner.lines().some(({ event }) => event === 'rewarded'), 'a reward')
    // Where events are kept stands a file: nothing can be written there, not even by root. The miner stands still
    // meanwhile, since it would make the folder again.
    miner.process.kill('SIGSTOP')
    await rename(join(data, 'webhooks', address), join(data, 'moved'))
    await writeFile(join(data, 'webhooks', address), '')
    miner.process.kill('SIGCONT')
    const before = miner.lines().filter(({ event }) => event === 'rewarded').length
    await world.until(
      () => miner.lines().filter(({ event }) => event === 'rewarded').length > before + 2,
      'rewards go on',
    )
    miner.process.kill('SIGTERM')
    expect((await miner.ended).code).toBe(0)
  })
})
