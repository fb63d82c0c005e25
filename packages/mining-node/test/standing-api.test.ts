import { walletFromPrivateKey } from '@hailstone/client'
import { type Hash, sha256Hex, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { createFleet } from '../src/fleet/index.ts'
import { metricsText, nodeMetrics, watchNodeHealth } from '../src/health/index.ts'
import { createMiningNode } from '../src/node.ts'
import type { ChannelHandlers, OpenChannel } from '../src/session/channel.ts'
import { makeBeacon } from './beacons.ts'
import { scriptedApi } from './scripted-api.ts'
import { steppedClock } from './stepped-clock.ts'
import { until } from './until.ts'

const wallet = walletFromPrivateKey(sha256Hex('stands'))
const BLOCK_MS = 15_000

/** An API, and a gateway that offers a microblock of a key block when it is told to. */
function world() {
  const stepped = steppedClock()
  let putBackMs = 0
  const clock = { ...stepped, now: () => stepped.now() - putBackMs }
  const api = scriptedApi(wallet.address, clock)
  const links = new Set<ChannelHandlers>()
  const openChannel: OpenChannel = ({ handlers }) => {
    queueMicrotask(handlers.opened)
    links.add(handlers)
    const close = (code = 1006): void => {
      if (links.delete(handlers)) queueMicrotask(() => handlers.closed(code))
    }
    return { send: () => undefined, close, terminate: close }
  }
  let nonce = 0
  const offer = (keyBlockHash: Hash): void => {
    const { text } = makeBeacon({ publisher: wallet.address, keyBlockHash, nonce: nonce++ })
    for (const { received } of links) received(text)
  }
  const grow = (): void => {
    api.height++
    api.calculatedBelow = api.height
  }
  const { client } = api
  const terms = { client, clock, openChannel, blockTimeMs: BLOCK_MS, tokenId: ZERO_TOKEN_ID }
  const putBack = (ms: number): void => {
    putBackMs = ms
  }
  return { clock, api, offer, grow, putBack, settings: { ...terms, gatewayUrl: 'ws://127.0.0.1:1' } }
}

const keyBlock = (number: number): Hash => sha256Hex(`key block of a gateway ${number}`)

describe('an API that stands still', () => {
  it('has an age in the metrics that grows, also while the clock of the machine is an hour behind', async () => {
    const { clock, api, putBack, settings } = world()
    await using node = createMiningNode({ wallet, ...settings })
    const health = watchNodeHealth({ node, windowMs: BLOCK_MS, clock })
    await node.start()
    await clock.advance(BLOCK_MS)
    expect(node.snapshot().balance).not.toBeNull()
    for (const path of ['/height', '/balance']) api.failing.add(path)
    const age = (): number => {
      const figures = nodeMetrics({ snapshot: node.snapshot(), health: health.read(), uptimeMs: 0 })
      return Number(/^hailstone_balance_age_seconds (\S+)$/m.exec(metricsText(figures))?.[1])
    }
    putBack(3_600_000)
    await clock.advance(20 * 60_000)
    expect(age()).toBeGreaterThan(1_100)
    expect(age()).toBeLessThan(1_300)
    health.stop()
  })

  it('is too old for a node to be ready, whatever it answers', async () => {
    const { clock, grow, offer, settings } = world()
    await using node = createMiningNode({ wallet, ...settings })
    const health = watchNodeHealth({ node, windowMs: BLOCK_MS, clock })
    await node.start()
    const block = async (isGrowing: boolean): Promise<void> => {
      if (isGrowing) grow()
      offer(keyBlock(0))
      await clock.advance(BLOCK_MS)
    }
    for (let count = 0; count < 4; count++) await block(true)
    expect(health.read()).toMatchObject({ code: 'READY', tipAgeMs: expect.any(Number) })
    expect(Number(health.read().tipAgeMs)).toBeLessThanOrEqual(BLOCK_MS)
    for (let count = 0; count < 5; count++) await block(false)
    expect(health.read()).toMatchObject({ code: 'HEIGHT_TOO_OLD', isReady: false })
    expect(health.read().why).toMatch(/^The newest block of the API is \d+ s old\.$/)
    const { height, warnings } = node.snapshot()
    expect(clock.now() - Number(height?.readAtMs)).toBeLessThan(60_000)
    expect(warnings).toEqual([])
    const text = metricsText(nodeMetrics({ snapshot: node.snapshot(), health: health.read(), uptimeMs: 0 }))
    expect(Number(/^hailstone_height_age_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(60)
    await block(true)
    expect(health.read().code).toBe('READY')
    health.stop()
  })

  it('is known to be behind by the key blocks of the gateway, and its values are stale', async () => {
    const { clock, grow, offer, settings } = world()
    await using node = createMiningNode({ wallet, ...settings })
    const health = watchNodeHealth({ node, windowMs: BLOCK_MS, clock })
    await node.start()
    for (let count = 0; count < 4; count++) {
      grow()
      offer(keyBlock(count))
      await clock.advance(BLOCK_MS)
    }
    expect(health.read().code).toBe('READY')
    for (let count = 4; count < 8; count++) {
      offer(keyBlock(count))
      await clock.advance(10_000)
    }
    const message = 'The API at 127.0.0.1:1 stands still: beacons name key blocks that it does not know.'
    expect(health.read()).toMatchObject({ code: 'HEIGHT_TOO_OLD', why: message, isReady: false })
    const { height, balance, rewardsReading, warnings } = node.snapshot()
    expect(warnings).toEqual([{ code: 'API_BEHIND', message }])
    expect([height?.isStale, balance?.isStale, rewardsReading?.isStale]).toEqual([true, true, true])
    grow()
    offer(keyBlock(8))
    await clock.advance(2 * BLOCK_MS)
    expect(health.read().code).toBe('READY')
    expect(node.snapshot()).toMatchObject({ warnings: [], height: { isStale: false } })
    health.stop()
  })

  it('is not behind one that names many key blocks at once, or the same two again and again in a moment', async () => {
    const { clock, grow, offer, settings } = world()
    await using node = createMiningNode({ wallet, ...settings })
    await node.start()
    for (let count = 0; count < 4; count++) {
      grow()
      for (let name = 0; name < 5; name++) {
        offer(keyBlock(name))
        await clock.advance(BLOCK_MS / 5)
      }
      expect(node.snapshot().warnings).toEqual([])
    }
  })

  it('is noticed by a fleet in both ways', async () => {
    const { clock, grow, offer, settings } = world()
    await using fleet = createFleet({ ...settings, wallets: [wallet] })
    const starting = fleet.start()
    const block = async (name: number, isGrowing: boolean): Promise<void> => {
      if (isGrowing) grow()
      const { published } = fleet.health().publications
      offer(keyBlock(name))
      await until(async () => {
        await clock.advance(0)
        return fleet.health().publications.published > published
      }, 'it published')
      for (let step = 0; step < 15; step++) await clock.advance(1_000)
    }
    await until(async () => {
      await clock.advance(100)
      return fleet.health().nodes.waitingForBeacon === 1
    }, 'it is there')
    await starting
    for (let count = 0; count < 3; count++) await block(count, true)
    expect(fleet.health()).toMatchObject({ code: 'READY', tip: { isStale: false } })
    for (let count = 3; count < 6; count++) await block(2, false)
    expect(fleet.health().code).toBe('READY')
    for (let count = 6; count < 8; count++) await block(2, false)
    expect(fleet.health()).toMatchObject({ code: 'HEIGHT_TOO_OLD', tip: { isStale: false } })
    await block(3, true)
    expect(fleet.health().code).toBe('READY')
    for (let count = 4; count < 9; count++) await block(count, false)
    expect(fleet.health()).toMatchObject({
      code: 'HEIGHT_TOO_OLD',
      why: 'The API at 127.0.0.1:1 stands still: beacons name key blocks that it does not know.',
      tip: { isStale: true },
      accounts: { warnings: [{ code: 'API_BEHIND' }] },
    })
    expect(fleet.node(wallet.address)?.account?.balance?.isStale).toBe(true)
  })
})
