import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createWallet, walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { sha256Hex } from '@hailstone/protocol'
import { fileLockHolder } from '@hailstone/runtime/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withinMs } from '../../../scripts/strict-times.ts'
import { until } from '../../mining-node/test/until.ts'
import { type CommandWorld, createCommandWorld } from './command-child.ts'

const key = sha256Hex('canary of the supervised')
const { address } = walletFromPrivateKey(key)
const to = createWallet().address

let network: LocalNetwork
let world: CommandWorld
let keyFile = ''
let where: readonly string[] = []

beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'supervise', blockTimeMs: 600 })
  await network.control.fund(address, 1_000n * 10n ** 10n)
})
afterAll(() => network.stop())
beforeEach(async () => {
  world = await createCommandWorld()
  keyFile = await world.keyFile('canary.key', key)
  where = ['--api', network.apiUrl]
})
afterEach(() => world[Symbol.asyncDispose]())

/** Fills a small heap when it is told to, in the process that mines alone. */
const hoarder = `
  if (process.env.HAILSTONE_SUPERVISED) process.on('SIGUSR2', () => {
    const hoard = []
    for (;;) hoard.push(Array.from({ length: 10_000 }, (_, i) => ({ i })))
  })`
const smallHeap = () => ({
  NODE_OPTIONS: `--max-old-space-size=48 --import=data:text/javascript,${encodeURIComponent(hoarder)}`,
})

function startSupervised(input?: string) {
  const from = input === undefined ? ['--key-file', keyFile] : ['--key-stdin']
  const mine = ['mine', ...where, '--gateway', network.gatewayUrl, ...from, '--json', '--supervise']
  return world.start(mine, { input, environment: smallHeap() })
}

type Supervised = ReturnType<typeof startSupervised>

const counted = (supervised: Supervised, event: string): number =>
  supervised.lines().filter((line) => line.event === event).length

/** The process that holds the key's lock, once the miner after so many deaths has hailed. */
async function minerAfter(supervised: Supervised, deaths: number): Promise<number> {
  const hasHailed = (): boolean => {
    const events = supervised.lines().map(({ event }) => event)
    const isBack = events.lastIndexOf('hailed') > events.lastIndexOf('minerDied')
    return (isBack && counted(supervised, 'minerDied') === deaths) || supervised.process.exitCode !== null
  }
  await until(hasHailed, 'the miner hails')
  return Number((await fileLockHolder(join(world.folder, 'data', 'running', `${address}.lock`)))?.processId)
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch {
    return false
  }
}

const procOf = async (processId: number) =>
  (
    await Promise.all(['cmdline', 'environ'].map((name) => readFile(`/proc/${processId}/${name}`, 'latin1')))
  ).join(' ')

describe('hailstone mine --supervise', () => {
  it('P3: a miner that runs out of memory is started again within 2 s, with its state', async () => {
    const pay = ['send', ...where, '--key-file', keyFile, '--to', to, '--amount', '20', '--yes', '--json']
    const order = [...pay, '--idempotency-key', 'order 1']
    expect((await world.run(order)).code).toBe(0)
    const paid = network.balance(to)
    const journal = join(world.folder, 'data', 'payments', `${address}.journal`)
    const before = await readFile(journal)

    const supervised = startSupervised(`${key}\n`)
    const first = await minerAfter(supervised, 0)
    expect(first).not.toBe(supervised.process.pid)
    process.kill(first, 'SIGUSR2')
    await until(() => counted(supervised, 'minerDied') > 0, 'its death is reported')
    const diedAt = performance.now()
    const second = await minerAfter(supervised, 1)
    expect(performance.now() - diedAt).toBeLessThan(withinMs(2_000))
    expect([isAlive(first), isAlive(second), second === first]).toStrictEqual([false, true, false])
    const [died] = supervised.lines().filter(({ event }) => event === 'minerDied')
    expect(died).toMatchObject({ reason: expect.stringContaining('out of memory'), deaths: 1 })
    expect(died?.waitMs).toBeLessThan(1_000)
    // It mines, and the key is nowhere that others can read.
    await until(() => counted(supervised, 'published') > 0, 'it signs again')
    if (process.platform === 'linux') expect(await procOf(second)).not.toContain(key)
    expect(await readdir(join(world.folder, 'data', 'running'))).toStrictEqual([
      `${address}.lock`,
      `${address}.record`,
    ])

    supervised.process.kill('SIGTERM')
    const { code, err } = await supervised.ended
    expect(code).toBe(0)
    expect(err).toMatch(/heap out of memory/i)
    // The system may take a moment to forget a process that has ended.
    await until(() => !isAlive(second), 'the miner has ended with it')
    expect(counted(supervised, 'stopped')).toBe(1)
    expect(await readdir(join(world.folder, 'data', 'running'))).toStrictEqual([])
    expect(await readFile(journal)).toStrictEqual(before)
    expect((await world.run(order)).code).toBe(0)
    expect(network.balance(to)).toBe(paid)
  })

  it('P3: one that is killed is started again, and none outlives a killed supervisor', async () => {
    const supervised = startSupervised()
    process.kill(await minerAfter(supervised, 0), 'SIGKILL')
    const second = await minerAfter(supervised, 1)
    expect(counted(supervised, 'minerDied')).toBe(1)
    supervised.process.kill('SIGKILL')
    // Both share its output, which is closed when neither is left.
    await supervised.ended
    await until(() => !isAlive(second), 'the miner ends with it')
    // A balance that was being read may still follow it.
    const stopped = supervised.lines().findLast(({ event }) => event === 'stopped')
    expect(stopped).toMatchObject({ reason: 'requested' })
    expect(await readdir(join(world.folder, 'data', 'running'))).toStrictEqual([])
  })

  it('P3, P4: Ctrl-C, which reaches both, ends both in order', async () => {
    const supervised = startSupervised()
    const miner = await minerAfter(supervised, 0)
    process.kill(miner, 'SIGINT')
    supervised.process.kill('SIGINT')
    expect((await supervised.ended).code).toBe(0)
    await until(() => !isAlive(miner), 'the miner has ended with it')
    expect(counted(supervised, 'stopped')).toBe(1)
  })

  it('P3: what trying again does not help is not tried again', async () => {
    const wrong = await world.run([
      ...['mine', ...where, '--gateway', 'nonsense', '--key-file', keyFile, '--json', '--supervise'],
    ])
    expect(wrong.code).toBe(3)
    expect(wrong.out.trim().split('\n')).toHaveLength(1)
  })
})
