import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { sha256Hex } from '@hailstone/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CommandWorld, createCommandWorld } from './command-child.ts'
import { type Receiver, startReceiver } from './webhook-receiver.ts'

const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
const poor = walletFromPrivateKey(sha256Hex('holds nothing of a fleet')).address

let network: LocalNetwork
let world: CommandWorld
let receiver: Receiver

beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'webhooks of a fleet', blockTimeMs: 600 })
  world = await createCommandWorld()
  receiver = await startReceiver(secret)
  await world.keyFile('webhook.secret', secret)
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await network.stop()
})

/** A configuration with keys of the network's developers, and of others. */
async function fleetOf(name: string, [from, to]: readonly [number, number], others: readonly string[]) {
  const developers = network.accounts.developers.slice(from, to)
  const keys = [...developers.map(({ privateKey }) => privateKey), ...others]
  await world.keyFile(`${name}.keys`, keys.join('\n'))
  const config = join(world.folder, `${name}.toml`)
  await writeFile(
    config,
    `api = "${network.apiUrl}"
gateway = "${network.gatewayUrl}"
keys-file = "${name}.keys"
threads = 0
json = true
block-time = "600ms"
health-port = 0
on-duplicate-key = "stop"
[webhook]
url = "${receiver.url}"
secret-file = "webhook.secret"
`,
  )
  return {
    addresses: developers.map(({ address }) => address),
    start: (...words: readonly string[]) => world.start(['fleet', '--config', config, ...words]),
  }
}

type Taken = { readonly id: string; readonly type: string; readonly data: Readonly<Record<string, unknown>> }

/** Events, each id once. */
function eventsOf(...types: readonly string[]): readonly Taken[] {
  const events = new Map<string, Taken>()
  for (const { id, body } of receiver.taken())
    if (types.includes(String(body.type)))
      events.set(id, { id, type: String(body.type), data: body.data as Taken['data'] })
  return [...events.values()]
}

const rewards = (): readonly Taken[] => eventsOf('rewarded', 'referralRewarded')

it('tell each reward of each account once, through kills, a receiver that is away and a reorganisation while no process runs', async () => {
  const { addresses, start } = await fleetOf('many', [0, 4], [sha256Hex('holds nothing of a fleet')])
  const first = start()
  // The reorganisation needs macroblocks below the newest of them.
  const newestRewardHeight = (): number => Math.max(0, ...rewards().map(({ data }) => Number(data.height)))
  await world.until(() => rewards().length > 4 && newestRewardHeight() > 3, 'rewards')
  await receiver.setMood('down')
  const before = first.lines().filter(({ event }) => event === 'rewarded').length
  const isMore = (): boolean => first.lines().filter(({ event }) => event === 'rewarded').length > before + 3
  await world.until(isMore, 'rewards while nobody listens')
  const published = first.lines().filter(({ event }) => event === 'published').length
  const isPublished = (): boolean =>
    first.lines().filter(({ event }) => event === 'published').length > published
  await world.until(isPublished, 'a microblock whose reward this process does not see')
  first.process.kill('SIGKILL')
  await first.ended

  // Below what the receiver knows, however far the chain went on meanwhile.
  await network.control.reorganise(network.height() - newestRewardHeight() + 2)
  const height = network.height()
  await world.until(() => network.height() > height + 3, 'the chain goes on without the fleet')
  await receiver.setMood('well')
  const second = start()
  await world.until(() => eventsOf('reverted').length > 0, 'what was reorganised is taken back')
  const since = rewards().length
  await world.until(() => rewards().length > since + 2, 'rewards of the second process')
  // Delivered, and not noted.
  const killed = new Promise<void>((resolve) =>
    receiver.beforeAnswer(() => {
      second.process.kill('SIGKILL')
      resolve()
    }),
  )
  await killed
  await second.ended

  const third = start()
  const { port } = await third.event('healthServed')
  const again = rewards().length
  await world.until(() => rewards().length > again + 8, 'rewards of the third process')
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(metrics).toMatch(/^hailstone_webhook_delivered_total [1-9]/m)
  expect(metrics).toMatch(/^hailstone_fleet_nodes 5$/m)
  third.process.kill('SIGTERM')
  expect((await third.ended).code).toBe(0)
  await world.until(() => eventsOf('stopped').length > 0, 'the end is told')

  // What was told, less what was taken back, is the history of each account, from the first macroblock that was told to the last that was told whole.
  const keyOf = (address: unknown, hash: unknown, isReferral: boolean): string =>
    [address, hash, isReferral ? 'iref' : 'im'].join(' ')
  const counts = new Map<string, number>()
  const heights = rewards().map(({ data }) => Number(data.height))
  const [begun, last] = [Math.min(...heights), Math.max(...heights)]
  for (const { type, data } of [...rewards(), ...eventsOf('reverted')]) {
    const key = keyOf(data.address, data.recordHash, data.role !== 'miner')
    if (Number(data.height) < last) counts.set(key, (counts.get(key) ?? 0) + (type === 'reverted' ? -1 : 1))
  }
  await using client = createClient({ apiUrl: network.apiUrl })
  const mined = new Set<string>()
  for (let height = begun; height < last; height++)
    for (const { hash } of (await client.getMacroblockOutline({ height }))?.microblocks ?? []) mined.add(hash)
  const booked = new Map<string, number>()
  for (const address of addresses)
    for await (const { recordType, hash } of client.rewardsOf({ address }))
      if (mined.has(hash)) {
        const key = keyOf(address, hash, recordType === 'iref')
        booked.set(key, (booked.get(key) ?? 0) + 1)
      }
  expect(booked.size).toBeGreaterThan(8)
  expect(Object.fromEntries([...counts].filter(([, count]) => count !== 0))).toEqual(
    Object.fromEntries(booked),
  )
  expect(new Set(rewards().map(({ data }) => data.address)).size).toBeGreaterThan(2)

  // Neither the kills nor the next starts changed these.
  expect(eventsOf('lowStake').map(({ data }) => data)).toMatchObject([{ address: poor, balance: '0' }])
  expect(eventsOf('stopped').map(({ data }) => data)).toMatchObject([{ address: null, reason: 'requested' }])
  expect(receiver.refused()).toBe(0)
  expect(await world.everything()).not.toContain('only-the-receiver-knows')
  expect(await world.everything()).not.toContain(secret)
})

it('name the account that stopped for good, while the fleet goes on, and have one sender', async () => {
  const other = sha256Hex('another of the fleet')
  await network.control.fund(walletFromPrivateKey(other).address, 10n ** 13n)
  const { addresses, start } = await fleetOf('evicted', [4, 5], [other])
  const [address] = addresses
  const fleet = start()
  const isOf = ({ data }: Taken): boolean => data.address === address
  await world.until(() => eventsOf('rewarded').some(isOf), 'it mines')

  const link = join(world.folder, 'link.keys')
  await symlink('evicted.keys', link)
  for (const words of [[], ['--keys-file', link]]) {
    const second = await start(...words).ended
    expect([second.code, second.err + second.out]).toEqual([
      5,
      expect.stringContaining(`Process ${fleet.process.pid} `),
    ])
  }

  const key = await world.keyFile('evicting.key', String(network.accounts.developers[4]?.privateKey))
  const evicting = world.start(
    ['mine', '--api', network.apiUrl, '--gateway', network.gatewayUrl, '--key-file', key, '--json'],
    { environment: { HAILSTONE_DATA: join(world.folder, 'other-device') } },
  )
  await world.until(() => eventsOf('stopped').some(isOf), 'its end is told')
  expect(
    eventsOf('stopped')
      .filter(isOf)
      .map(({ data }) => data),
  ).toMatchObject([{ address, reason: 'duplicateKey' }])
  expect(fleet.process.exitCode).toBeNull()
  // Both devices are let in and cut off in turn until the gateway has said so for minutes, which may take it away and back.
  const told = (type: string) => eventsOf(type).filter(({ data }) => data.nodes === 2)
  expect(told('ready')[0]?.data).toMatchObject({ address: null, code: 'READY' })
  expect([0, 1]).toContain(told('ready').length - told('notReady').length)
  for (const { process, ended } of [evicting, fleet]) {
    process.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  }
})
