import { walletFromPrivateKey } from '@hailstone/client'
import { sha256Hex } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { createMemoryCursors } from '../src/cursors/cursor-store.ts'
import type { Reward } from '../src/watchers/reward.ts'
import { watchRewards } from '../src/watchers/watch-rewards.ts'
import { steppedClock } from './stepped-clock.ts'
import { type TwoViews, twoViews } from './two-views.ts'

const account = walletFromPrivateKey(sha256Hex('miner')).address
const BLOCK_MS = 15_000

/** The same numbers in each run. */
function randomOf(seed: number): () => number {
  let state = seed + 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function world(seed: number) {
  const clock = steppedClock()
  const random = randomOf(seed)
  const views = twoViews(account, random, () => Math.floor(clock.now() / 1_000))
  const store = createMemoryCursors()
  const told: Reward[] = []
  const errors: string[] = []
  let life = 0
  const watch = (from: number | 'now' = -1) => {
    const own = life
    const living = <T>(value: T): T | Promise<T> => (own === life ? value : new Promise<T>(() => undefined))
    const client = views.clientOf(clock)
    const { transport } = client
    return watchRewards({
      client: { ...client, transport: { request: async (one) => living(await transport.request(one)) } },
      address: account,
      from,
      cursor: { store, name: 'rewards' },
      onReward: (reward) => void told.push(reward),
      onReverted: ({ index }) => void errors.push(`${index} is taken back`),
      onError: ({ message }) => void errors.push(message),
    })
  }
  const kill = (): void => void life++
  const mineAndWait = async (blocks: number, microblocks: () => number, transfers = () => 0) => {
    for (let block = 0; block < blocks; block++) {
      views.mine(microblocks(), transfers())
      await clock.advance(BLOCK_MS)
    }
  }
  return { clock, random, views, told, errors, watch, kill, mineAndWait }
}

const numbersOf = (views: TwoViews): readonly number[] => views.lines().map(({ index }) => index)

describe('rewards behind an address of two nodes, of which one is three macroblocks behind', () => {
  const seeds = Array.from(
    { length: gateSize('HAILSTONE_VIEWS', { change: 8, night: 25 }) },
    (_, seed) => seed,
  )

  it.each(seeds)('are told once and in order (%i)', async (seed) => {
    const { views, told, errors, watch, mineAndWait, random } = world(seed)
    // Transfers leave gaps in the numbers, so that a line that is missing does not show in them.
    const some = (): number => Math.floor(random() * 3)
    for (let block = 0; block < 150; block++) views.mine(some() + 1, some())
    const first = watch()
    await mineAndWait(10, some, some)
    await first.stop()
    for (let block = 0; block < 30; block++) views.mine(some(), some())
    const second = watch()
    await mineAndWait(20, some, some)
    await mineAndWait(12, () => 0)
    await second.stop()
    expect(told.map(({ index }) => index)).toEqual(numbersOf(views))
    expect(errors.filter((error) => error.includes('taken back'))).toEqual([])
  })
})

describe('a backlog', () => {
  it('is worked off while fifteen rewards a second come and one answer in ten fails', async () => {
    const { views, told, watch, clock } = world(1)
    views.behind = () => 0
    views.failing = 0.1
    for (let block = 0; block < 60; block++) views.mine(10)
    await using _watch = watch()
    for (let second = 0; second < 800; second++) {
      views.mine(second < 40 ? 15 : 0)
      await clock.advance(1_000)
    }
    expect(told.map(({ index }) => index)).toEqual(numbersOf(views))
  })

  const size = gateSize('HAILSTONE_BACKLOG', { change: 1_000, night: 100_000 })

  it(`of ${size} rewards is worked off by processes that are killed each minute, in a bounded number of requests`, async () => {
    const { views, told, watch, clock, kill } = world(2)
    views.failing = 0.1
    views.behind = () => 0
    for (let block = 0; block < size / 10; block++) views.mine(10)
    let lives = 0
    for (let isDone = false; !isDone; lives++) {
      void watch()
      for (let second = 0; second < 60 && !isDone; second++) {
        if (second % 15 === 0) views.mine(1)
        await clock.advance(1_000)
        isDone = told.length === views.lines().length
      }
      kill()
    }
    expect(told.map(({ index }) => index)).toEqual(numbersOf(views))
    const pages = views.asked.filter((path) => path === '/account_rewards').length
    expect(pages).toBeLessThan(0.45 * told.length + 40 * lives)
    expect(views.asked.length).toBeLessThan(4 * told.length + 100 * lives)
  })
})
