import { createClient, createWallet, walletFromPrivateKey } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { sha256Hex, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { watchNodeHealth } from '../src/health/index.ts'
import { createMiningNode } from '../src/node.ts'
import type { OpenChannel } from '../src/session/channel.ts'
import { readSeen } from '../src/why/index.ts'
import { fastClock } from './fast-clock.ts'
import { scriptedApi } from './scripted-api.ts'
import { steppedClock } from './stepped-clock.ts'
import { until } from './until.ts'

const wallet = walletFromPrivateKey(sha256Hex('listed or not'))
const BLOCK_MS = 15_000
const PATH = '/poa_nodes_online'
const listed = (...keys: readonly string[]) =>
  keys.map((key) => ({ key, country_name: null, country_code: null }))
const OTHER = `02${'ab'.repeat(32)}`

/** A miner that a gateway took in and offers nothing, and an API that says who is online. */
function world(random = 0.5) {
  const clock = steppedClock()
  const api = scriptedApi(wallet.address, clock)
  let cut = (): void => undefined
  const openChannel: OpenChannel = ({ handlers }) => {
    queueMicrotask(handlers.opened)
    const close = (code = 1006): void => queueMicrotask(() => handlers.closed(code))
    cut = close
    return { send: () => undefined, close, terminate: close }
  }
  const client = { ...api.client, randomness: () => random }
  const node = createMiningNode({
    ...{ wallet, client, clock, openChannel, blockTimeMs: BLOCK_MS, tokenId: ZERO_TOKEN_ID },
    gatewayUrl: 'ws://127.0.0.1:1',
  })
  const health = watchNodeHealth({ node, windowMs: BLOCK_MS, clock })
  const minutes = async (count: number): Promise<void> => {
    for (let second = 0; second < 60 * count; second += 15) {
      api.height++
      api.calculatedBelow = api.height
      await clock.advance(15_000)
    }
  }
  return { api, node, health, minutes, cut: () => cut() }
}

it('warns of a miner that the network does not list, after minutes and not after one answer', async () => {
  const { api, node, health, minutes } = world()
  await using _ = node
  api.said.set(PATH, listed(OTHER))
  await node.start()
  await minutes(2)
  expect(node.snapshot().seen).toMatchObject({ status: 'notSeen', online: 1 })
  expect(node.snapshot().warnings).toStrictEqual([])
  await minutes(6)
  const message = 'The network does not list this miner among the 1 miner that it sees online.'
  expect(node.snapshot().warnings).toStrictEqual([{ code: 'NOT_SEEN', message }])
  expect(health.read()).toMatchObject({ code: 'NOT_SEEN', isReady: false, why: message })
  api.said.set(PATH, listed(OTHER, wallet.address))
  await minutes(2)
  expect(node.snapshot()).toMatchObject({ seen: { status: 'seen', online: 2 }, warnings: [] })
  expect(health.read().code).not.toBe('NOT_SEEN')
  health.stop()
})

it('does not know it from a node that lists nobody or does not answer, or while it is not connected', async () => {
  const { api, node, health, minutes } = world()
  await using _ = node
  expect(node.snapshot().seen).toStrictEqual({ status: 'unknown', reason: 'notAsked' })
  api.said.set(PATH, [])
  await node.watch()
  expect(node.snapshot().seen).toStrictEqual({ status: 'unknown', reason: 'notConnected' })
  await node.start()
  await minutes(8)
  expect(node.snapshot().seen).toStrictEqual({ status: 'unknown', reason: 'emptyList' })
  expect(node.snapshot().warnings).toStrictEqual([])
  api.failing.add(PATH)
  await minutes(2)
  expect(node.snapshot().seen).toStrictEqual({ status: 'unknown', reason: 'failed' })
  expect(node.snapshot().lastError).toBeNull()
  await node.stop()
  expect(health.read().code).toBe('STOPPED')
  health.stop()
})

it('is seen by a network that it hailed', async () => {
  await using network = await startLocalNetwork({ seed: 'seen online', blockTimeMs: 300 })
  await using client = createClient({ apiUrl: network.apiUrl, clock: fastClock(20) })
  const miner = createWallet()
  await network.control.fund(miner.address, 1_000n * 10n ** 10n)
  await using node = createMiningNode({
    wallet: miner,
    client,
    gatewayUrl: network.gatewayUrl,
    blockTimeMs: 300,
  })
  await node.start()
  await until(() => node.snapshot().publications.included > 0, 'a microblock is included')
  expect(await readSeen(client, { address: miner.address })).toStrictEqual({ status: 'seen', online: 1 })
  await node.stop()
  expect(node.snapshot().warnings.map(({ code }) => code)).not.toContain('NOT_SEEN')
})

it('asks the less for the list the longer it is', async () => {
  const others = Array.from({ length: 1_000 }, (_, at) => `02${at.toString(16).padStart(64, '0')}`)
  const { api, node, minutes } = world()
  await using _ = node
  api.said.set(PATH, listed(wallet.address, ...others))
  await node.start()
  await minutes(60)
  expect(node.snapshot().seen).toMatchObject({ status: 'seen', online: 1_001 })
  expect(api.asked.filter((path) => path === PATH)).toHaveLength(2)
})

it.each([
  [0, 0],
  [0.5, 25],
])(
  'asks %f of the pause for a list of a thousand later where its gateway starts again',
  async (random, afterMinutes) => {
    const others = Array.from({ length: 1_000 }, (_, at) => `02${at.toString(16).padStart(64, '0')}`)
    const { api, node, minutes, cut } = world(random)
    await using _ = node
    const asked = (): number => api.asked.filter((path) => path === PATH).length
    api.said.set(PATH, listed(wallet.address, ...others))
    await node.start()
    await minutes(3)
    expect(asked()).toBe(1)
    cut()
    await minutes(afterMinutes)
    expect(asked()).toBe(1)
    await minutes(3)
    expect(asked()).toBe(2)
  },
)

it('asks an API that fails to list them the less the more often it failed', async () => {
  const { api, node, minutes } = world()
  await using _ = node
  api.failing.add(PATH)
  await node.start()
  await minutes(120)
  expect(node.snapshot().seen).toStrictEqual({ status: 'unknown', reason: 'failed' })
  expect(api.asked.filter((path) => path === PATH).length).toBeLessThanOrEqual(8)
})
