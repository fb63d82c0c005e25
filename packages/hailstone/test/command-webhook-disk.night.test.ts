import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
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
const secret = `whsec_${Buffer.alloc(32, 11).toString('base64')}`
const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))
const canMount = spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0

let network: LocalNetwork
let world: CommandWorld
let receiver: Receiver
let data: string
beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'webhooks on a full disk', blockTimeMs: 600 })
  world = await createCommandWorld()
  receiver = await startReceiver(secret)
  data = join(world.folder, 'disk')
  await mkdir(data)
  await world.keyFile('webhook.secret', secret)
})
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
  await network?.stop()
})

/** Starts a miner whose data folder is a small disk of its own, which ends with the process. */
function startOnSmallDisk(config: string) {
  const line = `mount -t tmpfs -o size=1m tmpfs "${data}" && exec "${process.execPath}" "${bin}" mine --config "${config}"`
  const { child, ended, said } = startUnshared(['-m', 'sh', '-c'], { line, home: world.folder, data })
  /** Runs a command where the disk of that process is seen. */
  const onDisk = (script: string) =>
    spawnSync('nsenter', ['-m', '-t', String(child.pid), 'sh', '-c', script], { encoding: 'utf8' })
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM')
    return await ended
  }
  return { said, onDisk, stop, [Symbol.asyncDispose]: async () => void child.kill('SIGKILL') }
}

describe.runIf(canMount)(
  `webhooks that wait while the disk is full${canMount ? '' : ' (left out: no file system can be mounted here)'}`,
  () => {
    it('do not hold up mining, are told of, and are delivered once each when there is room', async () => {
      const key = sha256Hex('key of a miner on a full disk')
      const { address } = walletFromPrivateKey(key)
      await network.control.fund(address, 1_000n * COIN)
      await world.keyFile('miner.key', key)
      const config = join(world.folder, 'miner.toml')
      const lines = [
        `api = "${network.apiUrl}"`,
        `gateway = "${network.gatewayUrl}"`,
        'key-file = "miner.key"',
        'json = true',
        'block-time = "600ms"',
        '[webhook]',
        `url = "${receiver.url}"`,
        'secret-file = "webhook.secret"',
      ]
      await writeFile(config, lines.join('\n'))
      const rewarded = () => receiver.taken().filter(({ body }) => body.type === 'rewarded')
      await using client = createClient({ apiUrl: network.apiUrl })
      const amount = async (): Promise<bigint> =>
        (await client.getBalance({ address, tokenId: network.tokens.native.id })).amount

      await using miner = startOnSmallDisk(config)
      await world.until(() => rewarded().length > 1, 'rewards are told')
      await receiver.setMood('failing')
      await world.until(() => (receiver.asked().failing ?? 0) > 0, 'webhooks wait')
      expect(miner.onDisk(`cat /dev/zero > "${data}/fill"`).stderr).toContain('No space left')

      const before = await amount()
      await world.until(() => miner.said().includes('the disk is full (ENOSPC)'), 'the full disk is told of')
      for (let more = 1n; more <= 3n; more++)
        await world.until(async () => (await amount()) > before + more, `reward ${more} on the full disk`)
      expect(miner.said()).not.toContain('"stopped"')

      await receiver.setMood('well')
      expect(miner.onDisk(`rm "${data}/fill"`).status).toBe(0)
      const height = await client.getHeight()
      const places = () => rewarded().map(({ body }) => body.data as { index: number; height: number })
      const indexes = () => new Set(places().map(({ index }) => index))
      const hasNoGap = (): boolean => Math.max(...indexes()) - Math.min(...indexes()) + 1 === indexes().size
      await world.until(
        () => places().some((place) => place.height > height) && hasNoGap(),
        'all rewards are told',
      )
      expect(await miner.stop()).toBe(0)
      expect(new Set(rewarded().map(({ id }) => id)).size).toBe(indexes().size)
    })
  },
)
