import { createClient, walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, type LocalNetworkOptions, startLocalNetwork } from '@hailstone/local-network'
import { parseTokenId, sha256Hex, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFleet } from '../src/fleet/index.ts'
import { watchNodeHealth } from '../src/health/index.ts'
import { createMiningNode } from '../src/node.ts'
import { makeBeacon } from './beacons.ts'
import { startScriptedGateway } from './scripted-gateway.ts'
import { until } from './until.ts'

const ONE_TOKEN_ID = parseTokenId('1'.padStart(64, '0'))

const startNetwork = (options: LocalNetworkOptions = {}): Promise<LocalNetwork> =>
  startLocalNetwork({ seed: 'native', blockTimeMs: 600, fallbackMiner: false, ...options })

/** For the tests that leave it as they found it. */
let one: LocalNetwork
beforeAll(async () => {
  one = await startNetwork({ nativeTokenId: ONE_TOKEN_ID })
})
afterAll(() => one.stop())

const keyOf = ({ accounts }: LocalNetwork, at: number) => {
  const account = accounts.developers[at]
  if (account === undefined) throw new Error(`the network has no developer ${at}`)
  return account.privateKey
}

describe('the native token', () => {
  it('G-23: is learned from the network, which is named by its addresses alone, and mined', async () => {
    const network = one
    const { apiUrl, gatewayUrl } = network
    await using node = createMiningNode({
      wallet: walletFromPrivateKey(keyOf(network, 0)),
      apiUrl,
      gatewayUrl,
      blockTimeMs: 600,
    })
    await node.start()
    await until(() => node.snapshot().lastReward !== null, 'it earned')
    const tokenId = ONE_TOKEN_ID
    expect(node.snapshot()).toMatchObject({ tokenId, lastReward: { tokenId } })
    expect(node.snapshot().warnings).toEqual([])
  })

  it('G-23: a fleet learns it too', async () => {
    const network = one
    await using client = createClient({ apiUrl: network.apiUrl })
    const keys = [keyOf(network, 0), keyOf(network, 1)]
    await using fleet = createFleet({ keys, signingThreads: 0, client, gatewayUrl: network.gatewayUrl })
    await fleet.start()
    await until(() => fleet.health().publications.included > 0, 'it was included')
  })

  it('G-23: nothing is hailed in a token that the network does not know, and everybody says why', async () => {
    const network = one
    await using gateway = await startScriptedGateway()
    await using node = createMiningNode({
      wallet: walletFromPrivateKey(keyOf(network, 0)),
      apiUrl: network.apiUrl,
      gatewayUrl: gateway.url,
      tokenId: ZERO_TOKEN_ID,
    })
    const health = watchNodeHealth({ node, windowMs: 600 })
    const whys: string[] = []
    node.on('disconnected', (event) => whys.push(event.why))
    await node.start()
    await until(() => whys.length > 0, 'it holds back')
    const { host } = new URL(network.apiUrl)
    expect(whys).toEqual([`holding back: the network knows no token ${ZERO_TOKEN_ID}, says ${host}`])
    expect(node.state).toMatchObject({ status: 'waiting', reason: { kind: 'unknownToken' }, why: whys[0] })
    expect(health.read()).toMatchObject({ code: 'TOKEN_UNKNOWN', isReady: false })
    expect(gateway.sockets).toEqual([])
    health.stop()
  })

  it('without the API nothing is hailed until it says which token is native', async () => {
    const gone = await startNetwork({ nativeTokenId: ONE_TOKEN_ID })
    const { apiUrl } = gone
    await gone.stop()
    await using gateway = await startScriptedGateway()
    await using node = createMiningNode({
      wallet: walletFromPrivateKey(keyOf(gone, 0)),
      apiUrl,
      gatewayUrl: gateway.url,
      blockTimeMs: 600,
    })
    const health = watchNodeHealth({ node, windowMs: 600 })
    const [whys, failures]: [string[], string[]] = [[], []]
    node.on('disconnected', ({ why }) => whys.push(why))
    node.on('failed', ({ error }) => failures.push(error.code))
    await node.start()
    await until(() => failures.length > 2, 'it asked again and again')
    const why = /^waiting for the API to say which token is native: /
    expect(node.state).toMatchObject({ status: 'waiting', why: expect.stringMatching(why) })
    expect(whys).toEqual([expect.stringMatching(why)])
    expect(failures).toContain('NATIVE_TOKEN_UNKNOWN')
    expect(health.read()).toMatchObject({ code: 'NATIVE_TOKEN_UNKNOWN', isReady: false })
    expect(gateway.sockets).toEqual([])
    await using _back = await startNetwork({
      nativeTokenId: ONE_TOKEN_ID,
      apiPort: Number(new URL(apiUrl).port),
    })
    await gateway.hailed()
    expect(gateway.hails()).toMatchObject([{ data: { token: ONE_TOKEN_ID } }])
    health.stop()
  })
})

describe('a stake that is known to be too low', () => {
  it('G-24: is held back from the gateway, and mined with two blocks after a top-up', async () => {
    await using network = await startNetwork()
    const { apiUrl, gatewayUrl, control } = network
    const wallet = walletFromPrivateKey(sha256Hex('half the stake'))
    const [half, rest] = [125_000_000_000n, 125_000_000_000n]
    await control.fund(wallet.address, half)
    await using node = createMiningNode({ wallet, apiUrl, gatewayUrl, blockTimeMs: 600 })
    const health = watchNodeHealth({ node, windowMs: 600 })
    let published = 0
    const whys: string[] = []
    node.on('published', () => published++)
    node.on('disconnected', ({ why }) => whys.push(why))
    await node.start()
    await until(() => node.state.status === 'waiting' && whys.length > 0, 'it holds back')
    const why = 'holding back: your stake of 12.5 DEV is below the minimum of 25 DEV'
    expect(node.state.why).toBe(why)
    expect(whys).toEqual([why])
    expect(health.read()).toMatchObject({ code: 'STAKE_TOO_LOW' })
    await control.pause()
    await control.mine(5)
    expect({ published, hailed: network.gateway.minersOnline() }).toEqual({ published: 0, hailed: [] })

    await control.fund(wallet.address, rest)
    const toppedUpAt = network.height()
    for (let block = 0; block < 2 && published === 0; block++) {
      await control.mine()
      // Bounded for hangs only: what counts are the blocks.
      await until(() => network.gateway.minersOnline().length > 0, 'it came back')
    }
    expect(network.height() - toppedUpAt).toBeLessThanOrEqual(2)
    control.resume()
    await until(() => published > 0, 'it mines')
    health.stop()
  })

  it('may be insisted on', async () => {
    const network = one
    await using gateway = await startScriptedGateway()
    const wallet = walletFromPrivateKey(sha256Hex('insists'))
    await network.control.fund(wallet.address, 125_000_000_000n)
    await using node = createMiningNode({
      wallet,
      apiUrl: network.apiUrl,
      gatewayUrl: gateway.url,
      mineBelowStake: true,
      randomness: () => 0.01,
    })
    await node.start()
    const health = watchNodeHealth({ node, windowMs: 600 })
    const whys: string[] = []
    node.on('disconnected', ({ why }) => whys.push(why))
    for (let cut = 1; cut <= 2; cut++) {
      const socket = await gateway.hailed(cut)
      await until(() => node.snapshot().warnings.length > 0, 'it knows its stake')
      socket.send(makeBeacon({ publisher: wallet.address, nonce: cut }).text)
      await until(() => gateway.publications().length === cut, 'it published')
      socket.terminate()
      await until(() => whys.length === cut, 'it was cut off')
    }
    const stake = 'your stake of 12.5 DEV is below the minimum of 25 DEV'
    expect(whys[1]).toBe(`cut off right after a publication: it may have been refused: ${stake}`)
    expect(health.read().why).toContain(stake)
    health.stop()
  })
})
