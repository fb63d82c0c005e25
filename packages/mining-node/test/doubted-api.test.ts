import { createFailoverTransport, walletFromPrivateKey } from '@hailstone/client'
import { parseTokenId, sha256Hex, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { createFleet, type Fleet } from '../src/fleet/index.ts'
import { watchNodeHealth } from '../src/health/index.ts'
import { createMiningNode } from '../src/node.ts'
import { quietGateway } from './quiet-gateway.ts'
import { scriptedApi } from './scripted-api.ts'
import { steppedClock } from './stepped-clock.ts'
import { until } from './until.ts'

const wallet = walletFromPrivateKey(sha256Hex('doubted'))
const BLOCK_MS = 15_000
const TOKEN_ID = parseTokenId(sha256Hex('a token of somebody'))

const tokenWords = (minable: 0 | 1) => ({
  hash: TOKEN_ID,
  owner: wallet.address,
  ticker: 'SOME',
  decimals: 10,
  minable,
  min_stake: 25,
  referrer_stake: 1_000,
})

/** An API and a gateway for miners of somebody's token. */
function world() {
  const clock = steppedClock()
  const api = scriptedApi(wallet.address, clock)
  api.said.set('/token_info', [tokenWords(1)])
  api.said.set('/network_info', { origin: { hash: 'GENESIS' } })
  const balance = { token: TOKEN_ID, amount: 250, ticker: 'SOME', decimals: 10 }
  api.said.set('/balance', { ...balance, delegated: 0, reward: 0, transit: 0, undelegated: 0 })
  const mine = async (macroblocks: number): Promise<void> => {
    for (let block = 0; block < macroblocks; block++) {
      api.height++
      api.calculatedBelow = api.height
      await clock.advance(BLOCK_MS)
    }
  }
  const client = { ...api.client, network: { ...api.client.network, originHash: 'GENESIS' } }
  const gateway = quietGateway()
  const { openChannel } = gateway
  const terms = { client, clock, openChannel, tokenId: TOKEN_ID, blockTimeMs: BLOCK_MS }
  return {
    api,
    clock,
    mine,
    gateway,
    settings: { ...terms, gatewayUrl: 'ws://127.0.0.1:1', randomness: () => 0.5 },
  }
}

const doubts = [
  {
    what: 'knows the token no more',
    path: '/token_info',
    answer: [],
    kind: 'unknownToken',
    code: 'TOKEN_UNKNOWN',
    why: `holding back: the network knows no token ${TOKEN_ID}, says 127.0.0.1:1`,
  },
  {
    what: 'calls the token not mineable',
    path: '/token_info',
    answer: [tokenWords(0)],
    kind: 'tokenNotMineable',
    code: 'TOKEN_NOT_MINEABLE',
    why: 'holding back: SOME cannot be mined, says 127.0.0.1:1',
  },
] as const

describe('an API that takes back what it said', () => {
  it.each(doubts)('and $what holds a node back until it says so again', async (doubt) => {
    const { path, answer, kind, code, why } = doubt
    const { api, mine, gateway, settings } = world()
    await using node = createMiningNode({ wallet, ...settings })
    await node.start()
    await mine(2)
    expect(node.state.status).toBe('waitingForBeacon')
    const before = api.said.get(path)
    api.said.set(path, answer)
    // Stakes are looked at again after forty macroblocks.
    await mine(40)
    expect(node.state).toMatchObject({ status: 'waiting', reason: { kind }, why })
    expect(node.snapshot().warnings.map((warning) => warning.code)).toContain(code)
    expect(gateway.openCount()).toBe(0)
    await mine(5)
    expect(node.state).toMatchObject({ status: 'waiting', reason: { kind } })
    api.said.set(path, before)
    await mine(2)
    expect(node.state).toMatchObject({ status: 'waitingForBeacon' })
    expect(gateway.openCount()).toBe(1)
  })

  it('and names another network holds a node back until it names the right one', async () => {
    const { api, mine, gateway, settings } = world()
    await using node = createMiningNode({ wallet, ...settings })
    await node.watch()
    await mine(2)
    api.said.set('/network_info', { origin: { hash: 'ANOTHERGENESIS' } })
    // A node that is started while it watches looks at the network again, as one that is cut off does.
    await node.start()
    await mine(1)
    const why = 'holding back: the API at 127.0.0.1:1 belongs to another network'
    const held = { status: 'waiting', reason: { kind: 'anotherNetwork' }, why }
    expect(node.state).toMatchObject(held)
    expect(node.snapshot().lastError?.error.code).toBe('NETWORK_MISMATCH')
    expect(gateway.openCount()).toBe(0)
    // Silence about the network is no word for it.
    api.failing.add('/network_info')
    await mine(3)
    expect(node.state).toMatchObject(held)
    api.failing.clear()
    api.said.set('/network_info', { origin: { hash: 'GENESIS' } })
    await mine(3)
    expect(node.state.status).toBe('waitingForBeacon')
    expect(gateway.openCount()).toBe(1)
  })

  it.each(doubts)('and $what holds a fleet back until it says so again', async (doubt) => {
    const { path, answer, code, why } = doubt
    const { api, mine, gateway, settings } = world()
    const wallets = Array.from({ length: 5 }, (_, at) => walletFromPrivateKey(sha256Hex(`doubted ${at}`)))
    await using fleet = createFleet({ ...settings, wallets })
    const starting = fleet.start()
    await until(async () => {
      await mine(1)
      return fleet.health().nodes.waitingForBeacon === wallets.length
    }, 'all are there')
    await starting
    const whys = () => [...fleet.nodes()].map((node) => node.why)
    const before = api.said.get(path)
    api.said.set(path, answer)
    await mine(40)
    expect(whys()).toEqual(wallets.map(() => why))
    expect(fleet.health()).toMatchObject({ code, isReady: false, nodes: { waiting: 5 } })
    expect(gateway.openCount()).toBe(0)
    await mine(5)
    api.said.set(path, before)
    await mine(2)
    expect(fleet.health().nodes).toMatchObject({ waitingForBeacon: 5 })
    expect(gateway.openCount()).toBe(5)
  })
})

const whole = (fleet: Fleet) => fleet.health().nodes

describe('an API that refuses from the start', () => {
  const refusals = [
    ...doubts,
    {
      what: 'names another network',
      path: '/network_info',
      answer: { origin: { hash: 'ANOTHERGENESIS' } },
      kind: 'anotherNetwork',
      code: 'WRONG_NETWORK',
      why: 'holding back: the API at 127.0.0.1:1 belongs to another network',
    },
  ] as const

  it.each(refusals)('and $what is waited for, and mining begins when it says otherwise', async (doubt) => {
    const { path, answer, kind, code, why } = doubt
    const { api, clock, mine, gateway, settings } = world()
    const before = api.said.get(path)
    api.said.set(path, answer)
    await using node = createMiningNode({ wallet, ...settings })
    const health = watchNodeHealth({ node, windowMs: BLOCK_MS, clock })
    const whys: string[] = []
    node.on('disconnected', (event) => whys.push(event.why))
    await node.start()
    await clock.advance(1_000)
    expect(whys).toEqual([why])
    expect(node.state).toMatchObject({ status: 'waiting', reason: { kind }, why })
    expect(health.read()).toMatchObject({ code, isReady: false })
    await clock.advance(120_000)
    expect(node.state).toMatchObject({ status: 'waiting', reason: { kind }, why })
    expect(gateway.openCount()).toBe(0)
    // The chain of this API stands still: it is asked at the poll interval.
    api.said.set(path, before)
    await clock.advance(10_000)
    expect(node.state.status).toBe('waitingForBeacon')
    // What was accepted once is waited for, however long the API says otherwise.
    api.said.set(path, answer)
    await mine(100)
    expect(node.state.status).not.toBe('stopped')
    health.stop()
  })

  it.each(refusals)('and $what for minutes ends mining, which one start begins again', async (doubt) => {
    const { path, answer, kind } = doubt
    const { api, clock, mine, gateway, settings } = world()
    const before = api.said.get(path)
    api.said.set(path, answer)
    await using node = createMiningNode({ wallet, ...settings })
    await node.watch()
    await node.start()
    await mine(11)
    expect(node.state.status).toBe('waiting')
    await mine(3)
    expect(node.state).toMatchObject({ status: 'stopped', reason: kind })
    const askedInVain = api.asked.length
    await clock.advance(60_000)
    expect(api.asked.slice(askedInVain).filter((asked) => asked === path)).toEqual([])
    api.said.set(path, before)
    await node.start()
    await mine(1)
    expect(node.state.status).toBe('waitingForBeacon')
    expect(gateway.openCount()).toBe(1)
  })

  it('is believed no sooner because it was away between its first answer and its second', async () => {
    const { api, clock, settings } = world()
    api.said.set('/token_info', [])
    await using node = createMiningNode({ wallet, ...settings })
    await node.start()
    await clock.advance(1_000)
    for (const path of ['/token_info', '/native_token', '/height']) api.failing.add(path)
    await clock.advance(600_000)
    api.failing.clear()
    await clock.advance(100_000)
    expect(node.state).toMatchObject({ status: 'waiting', reason: { kind: 'unknownToken' } })
    await clock.advance(100_000)
    expect(node.state).toMatchObject({ status: 'stopped', reason: 'unknownToken' })
  })

  it.each(refusals)(
    'and $what holds a fleet back, and ends it when it says so for minutes',
    async (doubt) => {
      const { path, answer, code, kind, why } = doubt
      const { api, mine, gateway, settings } = world()
      const before = api.said.get(path)
      const wallets = Array.from({ length: 20 }, (_, at) => walletFromPrivateKey(sha256Hex(`refused ${at}`)))
      for (const isLasting of [false, true]) {
        api.said.set(path, answer)
        await using fleet = createFleet({ ...settings, wallets })
        const reasons: string[] = []
        fleet.subscribe((event) => event.type === 'stopped' && reasons.push(event.reason))
        const starting = fleet.start()
        await until(async () => {
          await mine(1)
          return whole(fleet).waiting === wallets.length
        }, 'all wait')
        await starting
        expect(fleet.health()).toMatchObject({ code, problems: [{ why, nodes: 20 }] })
        expect(gateway.openCount()).toBe(0)
        if (!isLasting) api.said.set(path, before)
        await mine(14)
        expect(whole(fleet)).toMatchObject(isLasting ? { stopped: 20 } : { waitingForBeacon: 20 })
        expect(reasons).toEqual(isLasting ? wallets.map(() => kind) : [])
      }
    },
  )

  it('alone among several is overruled by the one that says "yes"', async () => {
    const clock = steppedClock()
    const [empty, whole] = [scriptedApi(wallet.address, clock), scriptedApi(wallet.address, clock)]
    empty.said.set('/token_info', [])
    const [one, other] = [empty.client.transport, whole.client.transport]
    for (const first of [0, 0.99]) {
      const transport = createFailoverTransport({
        nodes: [
          { url: 'https://one.test/api', transport: one },
          { url: 'https://other.test/api', transport: other },
        ],
        clock,
        randomness: () => first,
      })
      const gateway = quietGateway()
      await using node = createMiningNode({
        wallet,
        client: { ...empty.client, transport, sharingKey: {} },
        clock,
        openChannel: gateway.openChannel,
        gatewayUrl: 'ws://127.0.0.1:1',
        tokenId: ZERO_TOKEN_ID,
      })
      await node.start()
      await clock.advance(60_000)
      expect(node.state.status).toBe('waitingForBeacon')
    }
  })
})
