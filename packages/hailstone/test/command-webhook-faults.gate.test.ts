import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient, walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { sha256Hex } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandWorld, createCommandWorld } from './command-child.ts'
import { startUnshared } from './start-unshared.ts'
import { type Receiver, startReceiver } from './webhook-receiver.ts'

const COIN = 10n ** 10n
const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
const to = walletFromPrivateKey(sha256Hex('receiver of payments with faults')).address
const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))

let network: LocalNetwork
let world: CommandWorld
let receiver: Receiver

beforeAll(async () => {
  const said: string[] = []
  const note = (message: string, fields?: object): void =>
    void said.push(`${message} ${JSON.stringify(fields)}`)
  network = await startLocalNetwork({
    seed: 'webhook faults',
    blockTimeMs: 600,
    logger: { debug: note, info: note, warn: note, error: note },
  })
  world = await createCommandWorld(() => ['the network said last:', ...said.slice(-5)])
  receiver = await startReceiver(secret)
  await world.keyFile('webhook.secret', secret)
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await network.stop()
})

type Notification = { readonly id: string; readonly data: Record<string, unknown> }

/** An account with its key, its configuration, and what its receiver was told. */
async function account(name: string) {
  const key = sha256Hex(`key of ${name}`)
  const { address } = walletFromPrivateKey(key)
  await network.control.fund(address, 1_000n * COIN)
  await world.keyFile(`${name}.key`, key)
  const config = join(world.folder, `${name}.toml`)
  await writeFile(
    config,
    `api = "${network.apiUrl}"
gateway = "${network.gatewayUrl}"
key-file = "${name}.key"
json = true
block-time = "600ms"
[webhook]
url = "${receiver.url}"
secret-file = "webhook.secret"
`,
  )
  const notified = (type: string): readonly Notification[] =>
    receiver
      .taken()
      .filter(({ body }) => body.type === type)
      .map(({ id, body }) => ({ id, data: body.data as Record<string, unknown> }))
      .filter(({ data }) => data.address === address)
  return { address, config, notified }
}

describe('webhooks of payments', () => {
  const order = (config: string, key: string) => [
    ...['send', '--config', config, '--to', to, '--amount', '5', '--yes', '--max-fee', '1'],
    ...['--idempotency-key', key],
  ]

  /** The number that a payment ends with, and what it said if that is not 0. */
  const paid = async (args: readonly string[]) => {
    const { code, out, err } = await world.run(args)
    return [code, code === 0 ? err : err + out]
  }

  it('tell one payment once, however often its command is repeated', async () => {
    const { config, notified } = await account('repeated')
    for (let run = 0; run < 3; run++) {
      expect(await paid(order(config, 'order 1'))).toEqual([0, ''])
    }
    expect(notified('paymentSettled').length).toBe(1)
  })

  it('tell a payment whose command was killed, when another run finds it settled', async () => {
    const { config, notified } = await account('killed')
    const killed = world.start(order(config, 'order 1'))
    const isSent = (): boolean =>
      killed.lines().some(({ status }) => status === 'sent' || status === 'inPool')
    await world.until(isSent, 'the payment is sent')
    killed.process.kill('SIGKILL')
    await killed.ended
    // This run is about another payment; the first one is settled meanwhile.
    for (const key of ['order 2', 'order 3']) expect(await paid(order(config, key))).toEqual([0, ''])
    expect(await paid(['send', '--config', config, '--resume'])).toEqual([0, ''])
    const hashes = notified('paymentSettled').map(({ data }) => data.hash)
    expect([hashes.length, new Set(hashes).size]).toEqual([3, 3])
  })
})

describe('webhooks of a miner', () => {
  const run = (config: string, data: string) =>
    world.start(['mine', '--config', config], { environment: { HAILSTONE_DATA: join(world.folder, data) } })

  it('that wait are counted by `status`, with the reason and its time', async () => {
    const { config, notified } = await account('away')
    const data = join(world.folder, 'away')
    const miner = world.start(['mine', '--config', config, '--health-port', '0'], {
      environment: { HAILSTONE_DATA: data },
    })
    const status = async (more: readonly string[] = []): Promise<string> =>
      (await world.run(['status', '--data', data, ...more])).out
    await world.until(() => notified('ready').length > 0, 'one is delivered')
    const before = Date.now()
    await receiver.setMood('down')
    await world.until(
      async () => (await status()).includes('the connection failed (ECONNREFUSED)'),
      'status says it',
      60_000,
    )
    expect(await status()).toMatch(
      /webhooks +\d+ delivered, \d+ wait, \d+ attempts failed\n +since \d\d:\d\d:\d\d: A webhook to 127/,
    )
    const { pending, fault } = JSON.parse(await status(['--json'])).status.webhooks
    expect(pending).toBeGreaterThan(0)
    expect(fault.sinceMs).toBeGreaterThanOrEqual(before)
    expect(await status()).not.toContain('only-the-receiver-knows')
    await receiver.setMood('well')
    await world.until(async () => !/since \d\d:/.test(await status()), 'the fault is over', 60_000)
    miner.process.kill('SIGTERM')
    expect((await miner.ended).code).toBe(0)
  })

  it('have ids of their own where the data folder is new, so that no receiver takes them for old ones', async () => {
    const { config, notified } = await account('moved')
    for (const [count, data] of ['one', 'other'].entries()) {
      const miner = run(config, data)
      await world.until(() => notified('ready').length > count, `ready with data folder ${data}`)
      miner.process.kill('SIGTERM')
      expect((await miner.ended).code).toBe(0)
    }
    const ids = [...notified('ready'), ...notified('stopped')].map(({ id }) => id)
    expect(ids.length).toBeGreaterThanOrEqual(3)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('take back the rewards of a chain that is reorganised: what was told is what the account has', async () => {
    const { address, config, notified } = await account('reorganised')
    const miner = run(config, 'reorganised')
    await world.until(() => notified('rewarded').length > 3, 'rewards')
    await network.control.reorganise(2)
    await world.until(() => notified('reverted').length > 0, 'rewards that were taken back', 60_000)
    const before = notified('rewarded').length
    await world.until(() => notified('rewarded').length > before + 1, 'rewards after it')
    miner.process.kill('SIGTERM')
    expect((await miner.ended).code).toBe(0)
    // The last ones may wait for the next process.
    const last = run(config, 'reorganised')
    await last.event('connected').catch(() => undefined)
    const lineOf = ({ data }: Notification): string => [data.index, data.recordHash, data.timeMs].join()
    const counts = new Map<string, number>()
    for (const event of notified('rewarded')) counts.set(lineOf(event), (counts.get(lineOf(event)) ?? 0) + 1)
    for (const event of notified('reverted')) counts.set(lineOf(event), (counts.get(lineOf(event)) ?? 0) - 1)
    await using client = createClient({ apiUrl: network.apiUrl })
    const lines = new Set<string>()
    for (let page = 0, isLast = false; !isLast; page++) {
      const read = await client.getRewards({ address, page })
      for (const { index, hash, time } of read.records) lines.add([index, hash, time * 1_000].join())
      isLast = read.isLast
    }
    for (const [line, count] of counts) expect([line, count]).toEqual([line, lines.has(line) ? 1 : 0])
    last.process.kill('SIGTERM')
    await last.ended
  })
})

const inContainer = ['-m', '-p', '-f', '--mount-proc', '--kill-child', 'sh', '-c']
const canContain = spawnSync('unshare', [...inContainer, 'true']).status === 0

describe.runIf(canContain)('two containers with one data folder (unshare)', () => {
  /** Process 1 of its own namespace, which sees the folder at the same place through a mount of its own. */
  function contain(config: string, { data, as }: { readonly data: string; readonly as: string }) {
    const line = `mount --bind "${data}" "${as}" && exec "${process.execPath}" "${bin}" mine --config "${config}"`
    return startUnshared(inContainer, { line, home: world.folder, data: as })
  }

  it('mine with a key once, and tell each reward once, through a kill of the one that mines', async () => {
    const { address, config, notified } = await account('contained')
    const volumes = await mkdtemp(join(tmpdir(), 'hailstone-volumes-'))
    const [data, one, other, link] = ['data', 'mount-1', 'mount-2', 'link'].map((name) => join(volumes, name))
    for (const folder of [data, one, other]) await mkdir(String(folder))
    await symlink(String(data), String(link))
    const first = contain(config, { data: String(data), as: String(one) })
    await world.until(() => notified('rewarded').length > 1, 'rewards of the first')

    const second = contain(config, { data: String(link), as: String(other) })
    expect([await second.ended, second.said()]).toEqual([
      expect.any(Number),
      expect.stringContaining('KEY_IN_USE'),
    ])
    const third = await world.run(['mine', '--config', config], {
      environment: { HAILSTONE_DATA: String(link) },
    })
    expect(third.out).toContain('KEY_IN_USE')

    const before = notified('rewarded').length
    first.child.kill('SIGKILL')
    await first.ended
    const next = contain(config, { data: String(link), as: String(other) })
    await world.until(() => notified('rewarded').length > before + 1, 'rewards of the next')
    next.child.kill('SIGKILL')
    await next.ended
    const rewards = notified('rewarded')
    expect(new Set(rewards.map(({ data }) => data.index)).size).toBe(
      new Set(rewards.map(({ id }) => id)).size,
    )
    // Ready was told by the first; neither the kill nor the next start changed it.
    expect(new Set(notified('ready').map(({ id }) => id)).size).toBe(1)
    expect(address).toBe(rewards[0]?.data.address)
    await rm(volumes, { recursive: true, force: true })
  })
})
