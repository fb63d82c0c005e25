import { networks, walletFromPrivateKey } from '@hailstone/client'
import { sha256Hex } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { assembleFleet } from '../src/fleet/create-fleet.ts'
import { createFleet } from '../src/fleet/index.ts'
import type { FleetSigner } from '../src/fleet/signer-pool.ts'
import {
  numberedSigner,
  pass,
  passUntil,
  seeded,
  virtualClock,
  virtualGateway,
} from './fleet-virtual-world.ts'
import { quietGateway } from './quiet-gateway.ts'
import { scriptedApi } from './scripted-api.ts'
import { steppedClock } from './stepped-clock.ts'
import { until } from './until.ts'

const wallet = walletFromPrivateKey(sha256Hex('of a fleet that starts'))

describe('a fleet whose network is named', () => {
  it.each(['fails', 'never answers'])('starts while the API %s', async (how) => {
    const clock = steppedClock()
    const api = scriptedApi(wallet.address, clock)
    const request: typeof api.client.transport.request =
      how === 'fails' ? () => Promise.reject(new Error('away')) : () => new Promise(() => undefined)
    const gateway = quietGateway()
    const client = { ...api.client, transport: { request }, sharingKey: {} }
    const { openChannel } = gateway
    const terms = { wallets: [wallet], client, openChannel, clock, gatewayUrl: 'ws://127.0.0.1:1' }
    const fleet = createFleet({ ...terms, network: networks.bit })
    let isStarted = false
    const starting = fleet.start().then(() => {
      isStarted = true
    })
    for (let second = 0; second < 10 && !isStarted; second++) await clock.advance(1_000)
    await starting
    await until(async () => {
      await clock.advance(100)
      return gateway.openCount() === 1
    }, 'it connected')
    // Without the name of a network nobody knows what to mine.
    const nameless = createFleet(terms)
    void nameless.start()
    for (let second = 0; second < 10; second++) await clock.advance(1_000)
    expect(nameless.health()).toMatchObject({ nodes: { total: 0 } })
    expect(gateway.openCount()).toBe(1)
    // Questions under way are waited for.
    const stopping = Promise.all([fleet.stop(), nameless.stop()])
    for (let second = 0; second < 60; second++) await clock.advance(1_000)
    await stopping
  })
})

describe('a signer of a fleet that never answers', () => {
  const never = () => new Promise<never>(() => undefined)
  // Of a library with promises of its own.
  const foreign = () => Object.defineProperty({}, 'then', { value: () => undefined }) as Promise<never>

  it.each([
    ['a promise', never],
    ['another promise', foreign],
  ])('with %s gives up its place after five seconds, and its gateway has no fault', async (_, signHail) => {
    const clock = virtualClock()
    const gateway = virtualGateway(clock)
    const wallets = Array.from({ length: 20 }, (_one, number): FleetSigner => {
      const signer = numberedSigner(number)
      return number < 15 ? { ...signer, signHail } : signer
    })
    const { openChannel, url } = gateway
    const settings = { wallets, openChannel, gatewayUrl: url, parallelism: 5, randomness: seeded(1) }
    const fleet = assembleFleet(settings, clock)
    await passUntil(clock, fleet.start())
    await pass(clock, 6_000)
    const { nodes, problems, gateways } = fleet.health()
    expect(nodes).toMatchObject({ waitingForBeacon: 5 })
    expect(problems.map(({ why }) => why)).toContainEqual(
      expect.stringMatching(/^not signed: .*did not answer within 5000 ms/),
    )
    expect(gateways).toMatchObject([{ isDown: false }])
    await passUntil(clock, fleet.stop())
  })
})
