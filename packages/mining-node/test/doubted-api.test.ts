import { walletFromPrivateKey } from '@hailstone/client'
import { parseTokenId, sha256Hex } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { createFleet } from '../src/fleet/index.ts'
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
  return { api, mine, gateway, settings: { ...terms, gatewayUrl: 'ws://127.0.0.1:1', randomness: () => 0.5 } }
}

const doubts = [
  {
    what: 'knows the token no more',
    path: '/token_info',
    answer: [],
    kind: 'unknownToken',
    code: 'TOKEN_UNKNOWN',
    why: `holding back: the network knows no token ${TOKEN_ID}`,
  },
  {
    what: 'calls the token not mineable',
    path: '/token_info',
    answer: [tokenWords(0)],
    kind: 'tokenNotMineable',
    code: 'TOKEN_NOT_MINEABLE',
    why: 'holding back: SOME cannot be mined',
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
    const why = 'holding back: the API belongs to another network'
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
