import { walletFromPrivateKey } from '@hailstone/client'
import { type NodeError, sha256Hex, ZERO_TOKEN_ID } from '@hailstone/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ScriptedApi, scriptedApi } from '../../test/scripted-api.ts'
import { steppedClock } from '../../test/stepped-clock.ts'
import { pause, until } from '../../test/until.ts'
import { cursorsOfChain } from '../cursors/chain-cursors.ts'
import { createMemoryCursors } from '../cursors/cursor-store.ts'
import { pollDelayMs } from '../repeat.ts'
import type { TipHeight } from './chain-tip.ts'
import type { Reward } from './reward.ts'
import { type WatchedBalance, watchBalance } from './watch-balance.ts'
import { watchHeight } from './watch-height.ts'
import { watchReferralRewards } from './watch-referral-rewards.ts'
import { watchRewards } from './watch-rewards.ts'

const { address } = walletFromPrivateKey(sha256Hex('miner'))
const other = walletFromPrivateKey(sha256Hex('other')).address

function nextBlock(api: ScriptedApi): void {
  api.height++
  api.calculatedBelow = api.height
}

/**
 * Adds a reward for a microblock of its own, for the key block that is open: a watch that is slow to begin takes those of
 * earlier key blocks for what was there before it.
 */
function pay(api: ScriptedApi, index: number, recordType = 'im', name = `microblock ${index}`): void {
  const hash = sha256Hex(name)
  const { height = api.height, ...known } = api.microblocks.get(hash) ?? {
    publisher: address,
    referralAgent: null,
  }
  api.microblocks.set(hash, { ...known, height })
  api.rewards.push({ index, recordType, amount: BigInt(index), hash })
}

const countOf = (api: ScriptedApi, path: string): number => api.asked.filter((asked) => asked === path).length

describe('the height', () => {
  it('is polled once for all watchers of a client, and not at all when the last one has left', async () => {
    const api = scriptedApi(address)
    const seen: TipHeight[][] = [[], []]
    const watches = seen.map((heights) =>
      watchHeight({ client: api.client, onChange: (tip) => heights.push(tip) }),
    )
    await until(() => seen.every(({ length }) => length === 1), 'both saw the height')
    await pause(150)
    const polls = countOf(api, '/height')
    expect(polls).toBeLessThan(10)
    nextBlock(api)
    await until(() => seen.every(({ length }) => length === 2), 'both saw the next')
    expect(seen[0]).toMatchObject([
      { height: 10, isStale: false },
      { height: 11, isStale: false },
    ])
    await Promise.all(watches.map(({ stop }) => stop()))
    const after = api.asked.length
    await pause(100)
    expect(api.asked.length).toBe(after)
  })

  it('is told at once to a watcher that comes later, whatever the pace of the first', async () => {
    const api = scriptedApi(address, steppedClock())
    const heard: number[][] = [[], []]
    const [first, later] = heard
    const pace = { client: api.client, pollIntervalMs: 30_000 }
    await using _ = watchHeight({ ...pace, onChange: ({ height }) => first?.push(height) })
    await until(() => first?.length === 1, 'the first saw the height')
    await using __ = watchHeight({ ...pace, onChange: ({ height }) => later?.push(height) })
    expect(later).toEqual([])
    await Promise.resolve()
    expect(heard).toEqual([[10], [10]])
    expect(countOf(api, '/height')).toBe(1)
  })

  it('that goes backwards is called stale and does not fall', async () => {
    const api = scriptedApi(address)
    const seen: TipHeight[] = []
    await using _watch = watchHeight({ client: api.client, onChange: (tip) => seen.push(tip) })
    await until(() => seen.length === 1, 'it was seen')
    api.height = 4
    await until(() => seen.length === 2, 'it fell')
    api.height = 12
    await until(() => seen.length === 3, 'it rose')
    expect(seen).toMatchObject([
      { height: 10, isStale: false },
      { height: 10, isStale: true },
      { height: 12, isStale: false },
    ])
  })

  it('survives a failing network and a throwing listener, and reports both', async () => {
    const api = scriptedApi(address)
    const errors: NodeError[] = []
    const seen: number[] = []
    await using _watch = watchHeight({
      client: api.client,
      onChange: ({ height }) => {
        seen.push(height)
        throw new Error('listener')
      },
      onError: (error) => errors.push(error),
    })
    await until(() => seen.length === 1 && errors.length === 1, 'the listener threw')
    api.failing.add('/height')
    await until(() => errors.some(({ code }) => code === 'REQUEST_FAILED'), 'the failure was reported')
    api.failing.clear()
    nextBlock(api)
    await until(() => seen.length === 2, 'it went on')
    expect(errors[0]?.code).toBe('LISTENER_FAILED')
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('the log is broken')
      },
    ],
    ['rejects', () => Promise.reject(new Error('the log is broken'))],
  ])('goes on when the listener of errors %s', async (_how, fail) => {
    const api = scriptedApi(address)
    pay(api, 0)
    api.failing.add('/account_rewards')
    let reported = 0
    const rewards: Reward[] = []
    await using _watch = watchRewards({
      client: api.client,
      address,
      from: -1,
      onReward: (reward) => void rewards.push(reward),
      onError: () => {
        reported++
        return fail()
      },
    })
    await until(() => reported > 1, 'it asked again')
    api.failing.clear()
    await until(() => rewards.length === 1, 'it went on')
  })

  it('waits longer after each failure, with jitter, up to fifteen seconds', () => {
    fc.assert(
      fc.property(
        fc.nat(1000),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (failures, random) => {
          const delayMs = pollDelayMs({ intervalMs: 3000, failures, random })
          expect(delayMs).toBeGreaterThanOrEqual(3000)
          expect(delayMs).toBeLessThanOrEqual(15_000)
        },
      ),
    )
    expect(pollDelayMs({ intervalMs: 200, failures: 0, random: 0.9 })).toBe(200)
  })
})

describe('a balance', () => {
  it('is told at first and when it changes, and is read after each calculated macroblock', async () => {
    const api = scriptedApi(address)
    const seen: WatchedBalance[] = []
    await using _watch = watchBalance({
      client: api.client,
      address,
      onChange: (balance) => seen.push(balance),
    })
    await until(() => seen.length === 1, 'it was read')
    nextBlock(api)
    await pause(100)
    api.balance = 300n
    nextBlock(api)
    await until(() => seen.length === 2, 'it changed')
    expect(seen).toMatchObject([
      { amount: 250n, previous: null, symbol: 'DEV', decimals: 10 },
      { amount: 300n, previous: 250n },
    ])
  })

  it('is not read for a macroblock that is not calculated yet', async () => {
    const api = scriptedApi(address)
    let reads = 0
    await using _watch = watchBalance({
      client: api.client,
      address,
      onChange: () => 0,
      onRead: () => reads++,
    })
    await pause(150)
    const before = reads
    api.height = 11
    await pause(150)
    expect(reads).toBe(before)
    api.calculatedBelow = 11
    await until(() => reads === before + 1, 'it was read')
  })

  it('keeps its last value through a failure and never becomes zero', async () => {
    const api = scriptedApi(address)
    const seen: bigint[] = []
    const errors: string[] = []
    await using _watch = watchBalance({
      client: api.client,
      address,
      onChange: ({ amount }) => seen.push(amount),
      onError: ({ code }) => errors.push(code),
    })
    await until(() => seen.length === 1, 'it was read')
    api.failing.add('/balance')
    nextBlock(api)
    await until(() => errors.length >= 2, 'it failed')
    api.balance = 400n
    api.failing.clear()
    await until(() => seen.length === 2, 'it came back')
    expect(seen).toEqual([250n, 400n])
  })

  it('continues from what was kept where the API was away when the watch began', async () => {
    const api = scriptedApi(address)
    const store = createMemoryCursors()
    const seen: (readonly [bigint | null, bigint])[] = []
    const errors: string[] = []
    const watch = () =>
      watchBalance({
        client: api.client,
        address,
        cursor: { store: cursorsOfChain({ store, client: api.client }), name: 'balance' },
        onChange: ({ previous, amount }) => seen.push([previous, amount]),
        onError: ({ code }) => errors.push(code),
      })
    const first = watch()
    await until(() => seen.length === 1, 'it was read')
    await first.stop()
    for (const path of ['/height', '/balance', '/macroblock_by_height']) api.failing.add(path)
    await using _second = watch()
    await until(() => errors.length > 3, 'nothing answers')
    api.balance = 300n
    api.failing.clear()
    await until(() => seen.length === 2, 'it came back')
    expect(seen).toEqual([
      [null, 250n],
      [250n, 300n],
    ])
  })

  it('is kept by the next reading where its store had failed', async () => {
    const api = scriptedApi(address)
    const store = createMemoryCursors()
    const errors: string[] = []
    const write = async (name: string, text: string) => {
      if (errors.length < 2) throw new Error('no room')
      await store.write(name, text)
    }
    const told: bigint[] = []
    await using _watch = watchBalance({
      client: api.client,
      address,
      pollIntervalMs: 20,
      cursor: { store: { ...store, write }, name: 'balance' },
      onChange: ({ amount }) => told.push(amount),
      onError: ({ code }) => errors.push(code),
    })
    await until(async () => (await store.read('balance')) !== null, 'it is kept')
    expect(errors).toEqual(['CURSOR_STORE_FAILED', 'CURSOR_STORE_FAILED'])
    expect(told).toEqual([250n])
  })

  it('is not told to be none by a node without block 0, whose chain has no name', async () => {
    const api = scriptedApi(address)
    const seen: bigint[] = []
    const errors: string[] = []
    const { client } = api
    api.failing.add('/macroblock_by_height')
    api.said.set('/balance', { amount: 0, decimals: 10, delegated: 0, reward: 0, transit: 0, undelegated: 0 })
    await using _watch = watchBalance({
      client,
      address,
      cursor: { store: cursorsOfChain({ store: createMemoryCursors(), client }), name: 'balance' },
      onChange: ({ amount }) => seen.push(amount),
      onError: ({ code }) => errors.push(code),
    })
    await until(() => errors.length > 3 || seen.length > 0, 'it was asked again')
    expect(seen).toEqual([])
    expect(api.asked.filter((path) => path === '/balance').length).toBeLessThan(3 * errors.length)
    api.said.clear()
    api.failing.clear()
    await until(() => seen.length > 0, 'the node is there')
    expect(seen).toEqual([250n])
  })
})

describe('rewards', () => {
  it.each([
    ['at once', 0],
    ['late', 60],
  ])(
    'are handed out once each, in order, across a gap of several pages, when the first reading comes %s',
    async (_, blockedMs) => {
      const api = scriptedApi(address)
      for (let index = 0; index < 5; index++) pay(api, 3 * index)
      const seen: number[] = []
      await using watch = watchRewards({
        client: api.client,
        address,
        onReward: ({ index }) => void seen.push(index),
      })
      // Six seconds on this clock, three times what counts as prompt.
      for (const end = performance.now() + blockedMs; performance.now() < end; );
      await until(() => watch.cursor() === 12, 'the beginning was found')
      for (let index = 5; index < 52; index++) pay(api, 3 * index)
      nextBlock(api)
      await until(() => seen.length === 47, 'all came')
      nextBlock(api)
      await pause(100)
      expect(seen).toEqual(Array.from({ length: 47 }, (_, at) => 15 + 3 * at))
      expect(watch.cursor()).toBe(153)
    },
  )

  it('begin after a cursor that was kept', async () => {
    const api = scriptedApi(address)
    for (let index = 0; index < 25; index++) pay(api, index)
    const seen: number[] = []
    await using _watch = watchRewards({
      client: api.client,
      address,
      from: 2,
      onReward: ({ index }) => void seen.push(index),
    })
    await until(() => seen.length === 22, 'all came')
    expect(seen[0]).toBe(3)
  })

  it('are neither lost nor repeated when the network fails in between', async () => {
    const api = scriptedApi(address)
    const seen: number[] = []
    const errors: string[] = []
    await using _watch = watchRewards({
      client: api.client,
      address,
      from: -1,
      onReward: ({ index }) => {
        seen.push(index)
        if (index === 3) api.failing.add('/mblock')
      },
      onError: ({ code }) => errors.push(code),
    })
    for (let index = 0; index < 8; index++) pay(api, index)
    nextBlock(api)
    await until(() => errors.length >= 2, 'it failed in the middle')
    expect(seen).toEqual([0, 1, 2, 3])
    api.failing.clear()
    await until(() => seen.length === 8, 'it went on')
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it('say for what they were paid', async () => {
    const api = scriptedApi(address)
    const seen: Reward[] = []
    api.microblocks.set(sha256Hex('with agent'), { publisher: address, referralAgent: other })
    api.microblocks.set(sha256Hex('as agent'), { publisher: other, referralAgent: address })
    api.microblocks.set(sha256Hex('own code'), { publisher: address, referralAgent: address })
    api.microblocks.set(sha256Hex('owner'), { publisher: other, referralAgent: null })
    pay(api, 0, 'im', 'with agent')
    pay(api, 1, 'iref', 'with agent')
    pay(api, 2, 'iref', 'as agent')
    pay(api, 3, 'iref', 'own code')
    pay(api, 4, 'iref', 'own code')
    pay(api, 5, 'iref', 'owner')
    pay(api, 6, 'ik', 'key block 3')
    pay(api, 7, 'ic', 'a transaction')
    api.rewards.push({ index: 8, recordType: 'im', amount: 1n, hash: sha256Hex('unknown') })
    await using _watch = watchRewards({
      client: api.client,
      address,
      from: -1,
      onReward: (reward) => void seen.push(reward),
    })
    await until(() => seen.length === 9, 'all came')
    expect(seen.map(({ role }) => role)).toEqual([
      'miner',
      'referral',
      'agent',
      'referral',
      'agent',
      'tokenOwner',
      'other',
      'other',
      'miner',
    ])
    expect(seen.map(({ height }) => height)).toEqual([10, 10, 10, 10, 10, 10, 3, null, null])
    expect(seen.map(({ tokenId }) => tokenId)).toEqual([...Array(8).fill(ZERO_TOKEN_ID), null])
    expect(seen[2]).toMatchObject({
      index: 2,
      recordType: 'iref',
      role: 'agent',
      amount: 2n,
      tokenId: ZERO_TOKEN_ID,
      recordHash: sha256Hex('as agent'),
      height: 10,
      timeMs: 1_700_000_000_000,
    })
  })

  it('of referrals alone come from their own list', async () => {
    const api = scriptedApi(address)
    api.microblocks.set(sha256Hex('as agent'), { publisher: other, referralAgent: address })
    pay(api, 0)
    pay(api, 7, 'iref', 'as agent')
    const seen: Reward[] = []
    await using _watch = watchReferralRewards({
      client: api.client,
      address,
      from: -1,
      onReward: (reward) => void seen.push(reward),
    })
    await until(() => seen.length === 1, 'it came')
    expect(seen[0]).toMatchObject({ index: 7, role: 'agent', amount: 7n })
    expect(countOf(api, '/account_rewards')).toBe(0)
  })

  it('may be stopped from inside the listener', async () => {
    const api = scriptedApi(address)
    for (let index = 0; index < 5; index++) pay(api, index)
    const seen: number[] = []
    const watch = watchRewards({
      client: api.client,
      address,
      from: -1,
      onReward: async ({ index }) => {
        seen.push(index)
        if (index === 1) await watch.stop()
      },
    })
    await until(() => watch.cursor() === 1, 'it stopped')
    await watch.stop()
    await pause(50)
    expect(seen).toEqual([0, 1])
  })

  it('that end before the cursor are reported: the network is another one or was reset', async () => {
    const api = scriptedApi(address)
    pay(api, 1)
    const errors: string[] = []
    await using _watch = watchRewards({
      client: api.client,
      address,
      from: 90,
      onReward: () => undefined,
      onError: ({ code }) => errors.push(code),
    })
    await until(() => errors.length === 1, 'it was reported')
    expect(errors).toEqual(['RESPONSE_INVALID'])
  })
})
