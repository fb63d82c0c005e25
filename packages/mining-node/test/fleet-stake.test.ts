import { createClient, walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { parsePrivateKey, sha256Hex, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFleet, type FleetEvent } from '../src/fleet/index.ts'
import { makeBeacon } from './beacons.ts'
import { startScriptedGateway } from './scripted-gateway.ts'
import { steppedClock } from './stepped-clock.ts'
import { until } from './until.ts'

const HALF = 125_000_000_000n
const BLOCK_MS = 600

let network: LocalNetwork
beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'fleet stake', blockTimeMs: BLOCK_MS, fallbackMiner: false })
})
afterAll(() => network.stop())

const walletOf = (text: string) => walletFromPrivateKey(parsePrivateKey(sha256Hex(text)))

it('G-24: an account with half the stake holds back, and mines within two blocks after a top-up', async () => {
  const { apiUrl, gatewayUrl, control, accounts } = network
  const poor = walletOf('half of a fleet')
  await control.fund(poor.address, HALF)
  const [rich] = accounts.developers
  await using client = createClient({ apiUrl })
  await using fleet = createFleet({
    keys: [rich?.privateKey ?? '', poor.exportPrivateKey()],
    signingThreads: 0,
    client,
    gatewayUrl,
    blockTimeMs: BLOCK_MS,
  })
  const events: FleetEvent[] = []
  fleet.subscribe((event) => {
    if ('address' in event && event.address === poor.address) events.push(event)
  })
  const of = <T extends FleetEvent['type']>(type: T) =>
    events.filter((event): event is Extract<FleetEvent, { type: T }> => event.type === type)
  await fleet.start()
  const why = 'holding back: the stake is below the minimum of 25 DEV'
  await until(() => fleet.node(poor.address)?.why === why, 'it holds back')
  await until(() => fleet.health().publications.included > 1, 'the other one mines')
  expect(of('disconnected').map((event) => event.why)).toEqual([why])
  expect(of('connected')).toEqual([])
  expect(fleet.health()).toMatchObject({
    isReady: false,
    code: 'STAKE_TOO_LOW',
    why: '1 of 2 miners hold back: their stake is below 25 DEV.',
    accounts: { belowStake: 1 },
  })
  expect(fleet.health().problems).toContainEqual(expect.objectContaining({ why, nodes: 1 }))

  await control.pause()
  await control.fund(poor.address, HALF)
  const toppedUpAt = network.height()
  const isOnline = () => network.gateway.minersOnline().some(({ address }) => address === poor.address)
  for (let block = 0; block < 2 && !isOnline(); block++) {
    await control.mine()
    // Bounded for hangs only: what counts are the blocks.
    await until(isOnline, 'it came', 60_000).catch(() => undefined)
  }
  expect(network.height() - toppedUpAt).toBeLessThanOrEqual(2)
  expect(isOnline()).toBe(true)
  control.resume()
  await until(() => of('published').length > 0, 'it mines')
})

it('may be insisted on', async () => {
  await using gateway = await startScriptedGateway()
  const poor = walletOf('a fleet that insists')
  await using client = createClient({ apiUrl: network.apiUrl })
  await using fleet = createFleet({
    keys: [poor.exportPrivateKey()],
    signingThreads: 0,
    client,
    gatewayUrl: gateway.url,
    mineBelowStake: true,
  })
  await fleet.start()
  await gateway.hailed()
})

it('G-23: nothing is hailed in a token that the network does not know', async () => {
  await using gateway = await startScriptedGateway()
  await using client = createClient({ apiUrl: network.apiUrl })
  await using fleet = createFleet({
    keys: network.accounts.developers.map(({ privateKey }) => privateKey),
    signingThreads: 0,
    client,
    gatewayUrl: gateway.url,
    tokenId: sha256Hex('no token'),
  })
  await fleet.start()
  expect(fleet.health()).toMatchObject({
    code: 'TOKEN_UNKNOWN',
    isReady: false,
    nodes: { total: 5, waiting: 5 },
  })
  expect(gateway.sockets).toEqual([])
})

it('an API that is away keeps nobody waiting whose token was named', async () => {
  await using gateway = await startScriptedGateway()
  await using client = createClient({ apiUrl: 'http://127.0.0.1:1/api/v1' })
  await using fleet = createFleet({
    keys: [walletOf('no API').exportPrivateKey()],
    signingThreads: 0,
    client,
    gatewayUrl: gateway.url,
    tokenId: ZERO_TOKEN_ID,
  })
  await fleet.start()
  await gateway.hailed()
})

it('waits longer each time when what it publishes is cut off each time', async () => {
  await using gateway = await startScriptedGateway()
  // No time passes between a publication and the end of its connection, however busy the machine is.
  const clock = steppedClock()
  const wallet = walletOf('cut off')
  await using fleet = createFleet({
    keys: [wallet.exportPrivateKey()],
    signingThreads: 0,
    gatewayUrl: gateway.url,
    clock,
    randomness: () => 0.5,
  })
  const waits: { readonly kind: string; readonly delayMs: number }[] = []
  fleet.subscribe((event) => {
    if (event.type === 'disconnected') waits.push({ kind: event.reason.kind, delayMs: event.delayMs })
  })
  await fleet.start()
  for (let cut = 1; cut <= 5; cut++) {
    await until(async () => {
      await clock.advance(100)
      return gateway.hails().length >= cut
    }, 'it hailed')
    const socket = await gateway.hailed(cut)
    socket.send(makeBeacon({ publisher: wallet.address, nonce: cut }).text)
    await until(() => gateway.publications().length === cut, 'it published')
    socket.terminate()
    await until(() => waits.length === cut, 'it was cut off')
  }
  expect(waits.slice(1).every(({ kind }) => kind === 'publicationSuspected')).toBe(true)
  const delays = waits.slice(1).map(({ delayMs }) => delayMs)
  expect(delays).toEqual([...delays].sort((one, other) => one - other))
  expect(new Set(delays).size).toBe(delays.length)
})
