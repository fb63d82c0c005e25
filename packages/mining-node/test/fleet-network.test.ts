import { createClient } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { sha256Hex } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { createFleet } from '../src/fleet/create-fleet.ts'
import type { FleetEvent } from '../src/fleet/fleet-events.ts'
import { scriptedApi } from './scripted-api.ts'
import { startScriptedGateway } from './scripted-gateway.ts'
import { pause, until } from './until.ts'

it('mines on a real network, and knows what was included and for whom', async () => {
  await using network = await startLocalNetwork({ seed: 'fleet', blockTimeMs: 700 })
  const keys = network.accounts.developers.map(({ privateKey }) => privateKey)
  await using client = createClient({ apiUrl: network.apiUrl })
  await using fleet = createFleet({ keys, client, gatewayUrl: network.gatewayUrl, blockTimeMs: 700 })
  const included: Extract<FleetEvent, { type: 'included' }>[] = []
  fleet.subscribe((event) => event.type === 'included' && included.push(event))
  await fleet.start()
  await until(() => included.length >= 3, 'three microblocks were included')
  const addresses = new Set<string>(network.accounts.developers.map(({ address }) => address))
  for (const { address, microblockHash, reward, height } of included) {
    expect(addresses.has(address)).toBe(true)
    const microblock = await client.getMicroblock({ hash: microblockHash })
    expect(microblock?.header.publisher).toBe(address)
    expect(microblock?.header.reward).toBe(reward)
    expect(height).toBeGreaterThanOrEqual(0)
  }
  await until(() => fleet.health().isReady, 'it is ready')
  const { tip, publications, nodes } = fleet.health()
  expect(tip?.height).toBeGreaterThan(0)
  expect(publications.included).toBeGreaterThanOrEqual(3)
  expect(nodes.total).toBe(5)
})

it('L2: a slow API is asked no faster by a thousand nodes than by one', async () => {
  await using gateway = await startScriptedGateway()
  const keys = Array.from({ length: 200 }, (_, number) => sha256Hex(`slow ${number}`))
  const api = scriptedApi(`02${'ab'.repeat(32)}` as never)
  const { transport } = api.client
  const underWay = new Map<string, number>()
  let most = 0
  const slow = {
    ...transport,
    request: async (...given: Parameters<typeof transport.request>) => {
      const [{ path }] = given
      const now = (underWay.get(path) ?? 0) + 1
      underWay.set(path, now)
      most = Math.max(most, now)
      await pause(50)
      underWay.set(path, now - 1)
      return transport.request(...given)
    },
  }
  await using client = createClient({ apiUrl: 'http://127.0.0.1:1/api/v1', transport: slow })
  await using fleet = createFleet({
    keys,
    client,
    gatewayUrl: gateway.url,
    signingThreads: 0,
    pollIntervalMs: 100,
  })
  await fleet.start()
  await until(() => api.asked.length > 0, 'the first question')
  api.asked.length = 0
  const from = performance.now()
  await pause(1_500)
  const polls = (performance.now() - from) / 150
  expect(api.asked.filter((path) => path === '/height').length).toBeLessThanOrEqual(1.1 * polls + 1)
  expect(most).toBe(1)
  // One question of a kind at a time, also for the balances of two hundred accounts.
  expect(most).toBe(1)
  expect(api.asked).toContain('/balance')
  expect(fleet.health().nodes.total).toBe(200)
})

it('keeps the last height, with its age, when the API is gone', async () => {
  const network = await startLocalNetwork({ seed: 'age', blockTimeMs: 500 })
  await using client = createClient({ apiUrl: network.apiUrl, retry: { maxAttempts: 1 } })
  const keys = network.accounts.developers.map(({ privateKey }) => privateKey)
  await using fleet = createFleet({ keys, client, gatewayUrl: network.gatewayUrl, blockTimeMs: 500 })
  await fleet.start()
  await until(() => (fleet.health().tip?.height ?? 0) > 0, 'a height was read')
  await network.stop()
  const { height = 0, ageMs = 0 } = fleet.health().tip ?? {}
  await pause(300)
  const later = fleet.health()
  expect(later.tip?.height).toBeGreaterThanOrEqual(height)
  expect(later.tip?.ageMs).toBeGreaterThan(ageMs)
  expect(later.isReady).toBe(false)
})
