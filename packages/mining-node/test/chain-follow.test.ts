import { type Client, createClient } from '@hailstone/client'
import type { Address } from '@hailstone/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { type CursorStore, createMemoryCursors } from '../src/cursors/cursor-store.ts'
import type { TipHeight } from '../src/watchers/chain-tip.ts'
import type { Reward } from '../src/watchers/reward.ts'
import { watchBalance } from '../src/watchers/watch-balance.ts'
import { watchHeight } from '../src/watchers/watch-height.ts'
import { watchRewards } from '../src/watchers/watch-rewards.ts'
import { type ModelChain, modelChain } from './model-chain.ts'
import { type SteppedClock, steppedClock } from './stepped-clock.ts'

/** The longer size: HAILSTONE_HISTORIES=100000 npx vitest run test/chain-follow.test.ts */
const HISTORIES = gateSize('HAILSTONE_HISTORIES', { change: 100, night: 1_000 })

const account = `02${'ab'.repeat(32)}` as Address
const POLL_MS = 2_000

type Op =
  | { readonly op: 'mine'; readonly rewards: readonly bigint[]; readonly paid: bigint }
  | { readonly op: 'reorganise'; readonly depth: number; readonly blocks: readonly (readonly bigint[])[] }
  | { readonly op: 'rollBack' | 'lag' | 'lie' | 'fail'; readonly by: number }
  | { readonly op: 'calculating' | 'restart' }

const rewards = fc.array(fc.bigInt({ min: 1n, max: 9n }), { maxLength: 3 })
const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('mine' as const),
      rewards,
      paid: fc.constantFrom(0n, 0n, 5n, -3n),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('reorganise' as const),
      depth: fc.integer({ min: 1, max: 5 }),
      blocks: fc.array(rewards, { minLength: 1, maxLength: 7 }),
    }),
  },
  fc.record({ op: fc.constant('rollBack' as const), by: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ op: fc.constant('lag' as const), by: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ op: fc.constant('lie' as const), by: fc.constantFrom(-5, -1, 3, 500) }),
  fc.record({ op: fc.constant('fail' as const), by: fc.integer({ min: 1, max: 6 }) }),
  fc.constant({ op: 'calculating' as const }),
  fc.constant({ op: 'restart' as const }),
)
const history = fc.array(fc.tuple(op, fc.integer({ min: 1, max: 20_000 })), { minLength: 3, maxLength: 14 })

/** A model whose blocks are dated by a clock. */
function dated(): readonly [ModelChain, SteppedClock] {
  const clock = steppedClock()
  return [modelChain(account, () => Math.floor(clock.now() / 1_000)), clock]
}

/** Watchers over a model, and what they told: each list is checked as it grows. */
function follow(model: ModelChain, clock: SteppedClock, store: CursorStore, reported: Reported) {
  const client = model.clientOf(clock)
  const common = { client, address: account, pollIntervalMs: POLL_MS, blockTimeMs: 15_000 }
  const watches = [
    watchRewards({
      ...common,
      from: -1,
      cursor: { store, name: 'rewards' },
      onReward: (reward) => void reported.rewards.push(reward),
      onReverted: (reward) => {
        // Newest first, and nothing that was not handed out.
        expect(reported.rewards.pop()).toEqual(reward)
      },
    }),
    watchBalance({
      ...common,
      cursor: { store, name: 'balance' },
      onChange: ({ amount, previous, source }) => {
        expect(previous).toBe(reported.balance)
        expect(amount).not.toBe(reported.balance)
        expect(source).toBe('http://127.0.0.1:1/api/v1')
        reported.balance = amount
        reported.changes++
      },
    }),
    watchHeight({ ...common, onChange: (tip) => void reported.heights.push(tip) }),
  ]
  return { stop: () => Promise.all(watches.map((watch) => watch.stop())) }
}

type Reported = { rewards: Reward[]; balance: bigint | null; changes: number; heights: TipHeight[] }

function apply(model: ModelChain, given: Op): void {
  if (given.op === 'mine') model.mine(given.rewards, given.paid)
  if (given.op === 'reorganise') {
    model.rollBack(given.depth)
    for (const one of given.blocks) model.mine(one)
  }
  if (given.op === 'rollBack') model.rollBack(given.by)
  if (given.op === 'lag') model.faults.lag = given.by
  if (given.op === 'lie') model.faults.heightLie = given.by
  if (given.op === 'fail') model.faults.failing = given.by
  if (given.op === 'calculating') model.faults.isCalculating = true
}

async function play(steps: readonly (readonly [Op, number])[]): Promise<void> {
  const [model, clock] = dated()
  const store = createMemoryCursors()
  const reported: Reported = { rewards: [], balance: null, changes: 0, heights: [] }
  let most = model.height()
  let watches = follow(model, clock, store, reported)
  for (const [given, ms] of steps) {
    apply(model, given)
    most = Math.max(most, model.height())
    if (given.op === 'restart') {
      await watches.stop()
      watches = follow(model, clock, store, reported)
    }
    await clock.advance(ms)
    Object.assign(model.faults, { lag: 0, heightLie: 0, isCalculating: false })
  }
  // Whatever was lost, the chain goes on above everything that was ever seen.
  model.faults.failing = 0
  while (model.height() <= most + 1) model.mine([])
  await clock.advance(60_000)
  // A loss that nothing explains is believed after three more.
  for (let block = 0; block < 4; block++) {
    model.mine([])
    await clock.advance(60_000)
  }
  await watches.stop()
  const expected = model.lines().map(({ index, hash, amount }) => ({ index, recordHash: hash, amount }))
  expect(reported.rewards.map(({ index, recordHash, amount }) => ({ index, recordHash, amount }))).toEqual(
    expected,
  )
  expect(reported.balance).toBe(model.balance())
  expect(reported.heights.at(-1)).toMatchObject({ height: model.height(), isStale: false })
}

it(
  `G-15: over ${HISTORIES} random histories each change is reported once and in order, and replays to the chain's own state`,
  () => fc.assert(fc.asyncProperty(history, play), { numRuns: HISTORIES }),
  3_600_000,
)

describe('a chain that is reorganised', () => {
  const begin = (model: ModelChain, clock: SteppedClock) => {
    const events: string[] = []
    const watch = watchRewards({
      client: model.clientOf(clock),
      address: account,
      pollIntervalMs: POLL_MS,
      from: -1,
      onReward: ({ amount }) => void events.push(`+${amount}`),
      onReverted: ({ amount }) => void events.push(`-${amount}`),
    })
    return { watch, events }
  }

  it.each([1, 2, 5, 20])(
    'F1: takes back %i macroblocks, newest first, then tells what replaced them',
    async (depth) => {
      const [model, clock] = [modelChain(account), steppedClock()]
      for (let block = 0; block < 30; block++) model.mine([BigInt(block)])
      const { watch, events } = begin(model, clock)
      await clock.advance(30_000)
      expect(events).toHaveLength(30)
      model.rollBack(depth)
      for (let block = 0; block <= depth; block++) model.mine([BigInt(100 + block)])
      await clock.advance(60_000)
      const reverted = Array.from({ length: depth }, (_, at) => `-${29 - at}`)
      const fresh = Array.from({ length: depth + 1 }, (_, at) => `+${100 + at}`)
      expect(events.slice(30)).toEqual([...reverted, ...fresh])
      await watch.stop()
    },
  )

  /** A client of the model, whose history may be that of a node that is starting or behind: it has so many lines then. */
  function startingClient(model: ModelChain, clock: SteppedClock) {
    const { transport } = model.clientOf(clock)
    const state = { isStarting: false, lines: Number.POSITIVE_INFINITY }
    const client = createClient({
      ...{ apiUrl: 'http://127.0.0.1:1/api/v1', clock, randomness: () => 0.5, retry: { maxAttempts: 1 } },
      transport: {
        request: async (request) => {
          const answer = await transport.request(request)
          if (request.path !== '/account_rewards') return answer
          if (state.isStarting) return { ...answer, text: `{"balance":0,"id":"${account}"}` }
          const page = JSON.parse(answer.text)
          const records = page.records?.filter(({ i }: { readonly i: number }) => i < state.lines)
          return { ...answer, text: JSON.stringify({ ...page, records }) }
        },
      },
    })
    return { client, state }
  }

  it('takes nothing back where a node starts before and after nothing could be read for minutes', async () => {
    const [model, clock] = dated()
    for (let block = 0; block < 5; block++) model.mine([BigInt(block)])
    const { client, state } = startingClient(model, clock)
    const events: string[] = []
    const watch = watchRewards({
      ...{ client, address: account, pollIntervalMs: POLL_MS, from: -1 },
      onReward: ({ amount }) => void events.push(`+${amount}`),
      onReverted: ({ amount }) => void events.push(`-${amount}`),
    })
    for (let second = 0; second < 330; second++) {
      state.isStarting = second >= 30 && second < 300
      model.faults.failing = second >= 90 && second < 240 ? 100 : 0
      if (second % 15 === 0) model.mine([])
      await clock.advance(1_000)
    }
    await watch.stop()
    expect(events).toEqual(['+0', '+1', '+2', '+3', '+4'])
  })

  it('takes back what is gone, also where a node is so slow that to look for it takes minutes', async () => {
    const [model, clock] = dated()
    const store = createMemoryCursors()
    const { transport } = model.clientOf(clock)
    const client = createClient({
      ...{ apiUrl: 'http://127.0.0.1:1/api/v1', clock, randomness: () => 0.5, retry: { maxAttempts: 1 } },
      transport: {
        request: async (request) => {
          if (request.path === '/account_rewards') await clock.sleep(3_000, request.signal)
          return transport.request(request)
        },
      },
    })
    const events: string[] = []
    const begin = () =>
      watchRewards({
        ...{ client, address: account, pollIntervalMs: POLL_MS, from: -1 },
        cursor: { store, name: 'rewards' },
        onReward: ({ amount }) => void events.push(`+${amount}`),
        onReverted: ({ amount }) => void events.push(`-${amount}`),
      })
    const grow = async (blocks: number): Promise<void> => {
      for (let block = 0; block < blocks; block++) {
        await clock.advance(15_000)
        model.mine([])
      }
    }
    for (let block = 0; block < 60; block++) model.mine([BigInt(block)])
    const first = begin()
    await grow(8)
    await first.stop()
    expect(events).toHaveLength(60)
    // A fork that nobody sees; to compare 35 lines with the history takes 96 s.
    model.rollBack(43)
    for (let block = 0; block < 50; block++) model.mine([BigInt(100 + block)])
    const second = begin()
    await grow(60)
    await second.stop()
    const reverted = Array.from({ length: 35 }, (_, at) => `-${59 - at}`)
    const fresh = Array.from({ length: 50 }, (_, at) => `+${100 + at}`)
    expect(events.slice(60)).toEqual([...reverted, ...fresh])
  })

  it('takes nothing back of a macroblock below a fork that a node lacks which is behind', async () => {
    const [model, clock] = dated()
    const { client, state } = startingClient(model, clock)
    const events: string[] = []
    const watch = watchRewards({
      ...{ client, address: account, pollIntervalMs: POLL_MS, from: -1 },
      onReward: ({ amount }) => void events.push(`+${amount}`),
      onReverted: ({ amount }) => void events.push(`-${amount}`),
    })
    for (let block = 0; block < 5; block++) {
      await clock.advance(15_000)
      model.mine([BigInt(block)])
    }
    await clock.advance(30_000)
    state.lines = 3
    model.rollBack(1)
    model.mine([50n])
    model.mine([60n])
    await clock.advance(15_000)
    model.mine([])
    await clock.advance(15_000)
    state.lines = Number.POSITIVE_INFINITY
    await clock.advance(60_000)
    await watch.stop()
    expect(events).toEqual(['+0', '+1', '+2', '+3', '+4', '-4', '+50', '+60'])
  })

  it('takes nothing back where a node starts twice, minutes apart, while a backlog is told', async () => {
    const [model, clock] = [modelChain(account), steppedClock()]
    for (let block = 0; block < 90; block++) model.mine([BigInt(block)])
    const { client, state } = startingClient(model, clock)
    const events: string[] = []
    const watch = watchRewards({
      ...{ client, address: account, pollIntervalMs: POLL_MS, from: -1 },
      onReward: ({ amount }, { signal }) => clock.sleep(5_000, signal).then(() => events.push(`+${amount}`)),
      onReverted: ({ amount }) => void events.push(`-${amount}`),
    })
    for (let second = 0; second < 420; second++) {
      state.isStarting = second % 200 >= 130 && second % 200 < 190
      if (second % 15 === 0) model.mine([])
      await clock.advance(1_000)
    }
    await watch.stop()
    expect(events.length).toBeGreaterThan(60)
    expect(events).toEqual(events.map((_, at) => `+${at}`))
  })

  it('takes the only reward back within a minute, though the history is empty then', async () => {
    const [model, clock] = [modelChain(account), steppedClock()]
    for (let block = 0; block < 5; block++) model.mine(block === 4 ? [7n] : [])
    const events: string[] = []
    const watch = watchRewards({
      ...{ client: model.clientOf(clock), address: account, pollIntervalMs: POLL_MS, from: -1 },
      onReward: ({ amount }) => void events.push(`+${amount}`),
      onReverted: ({ amount }) => void events.push(`-${amount}`),
    })
    await clock.advance(30_000)
    model.rollBack(1)
    model.mine([])
    model.mine([])
    await clock.advance(60_000)
    expect(events).toEqual(['+7', '-7'])
    await watch.stop()
  })

  it.each([
    ['', undefined],
    [' whose key blocks are of one second', () => 7],
  ])(
    'takes nothing older back where a node is starting after a fork%s, and shows no history',
    async (_, secondsNow) => {
      const [model, clock] = [modelChain(account, secondsNow), steppedClock()]
      for (let block = 0; block < 5; block++) model.mine([BigInt(block)])
      const { client, state } = startingClient(model, clock)
      const events: string[] = []
      const watch = watchRewards({
        ...{ client, address: account, pollIntervalMs: POLL_MS, from: -1 },
        onReward: ({ amount }) => void events.push(`+${amount}`),
        onReverted: ({ amount }) => void events.push(`-${amount}`),
      })
      await clock.advance(30_000)
      state.isStarting = true
      model.rollBack(1)
      model.mine([50n])
      model.mine([60n])
      await clock.advance(60_000)
      state.isStarting = false
      model.mine([])
      await clock.advance(60_000)
      expect(events).toEqual(['+0', '+1', '+2', '+3', '+4', '-4', '+50', '+60'])
      await watch.stop()
    },
  )

  it('takes nothing back of a young watch where a node is starting after a fork, and shows no line from before', async () => {
    const [model, clock] = dated()
    for (const rewards of [[1n], [], [], [], []]) {
      model.mine(rewards)
      await clock.advance(15_000)
    }
    const { client, state } = startingClient(model, clock)
    const events: string[] = []
    const watch = watchRewards({
      ...{ client, address: account, pollIntervalMs: POLL_MS },
      onReward: ({ amount }) => void events.push(`+${amount}`),
      onReverted: ({ amount }) => void events.push(`-${amount}`),
    })
    await clock.advance(30_000)
    for (const rewards of [[40n], [], []]) {
      model.mine(rewards)
      await clock.advance(15_000)
    }
    expect(events).toEqual(['+40'])
    state.isStarting = true
    model.rollBack(3)
    for (const rewards of [[50n], [], [], []]) model.mine(rewards)
    await clock.advance(40_000)
    expect(events).toEqual(['+40'])
    state.isStarting = false
    model.mine([])
    await clock.advance(60_000)
    expect(events).toEqual(['+40', '-40', '+50'])
    await watch.stop()
  })

  it('F2: a node that falls behind takes nothing back, and its height is called stale', async () => {
    const [model, clock] = [modelChain(account), steppedClock()]
    for (let block = 0; block < 9; block++) model.mine([1n])
    const { watch, events } = begin(model, clock)
    const heights: TipHeight[] = []
    const height = watchHeight({
      client: model.clientOf(clock),
      pollIntervalMs: POLL_MS,
      onChange: (tip) => void heights.push(tip),
    })
    await clock.advance(30_000)
    model.faults.lag = 4
    await clock.advance(120_000)
    expect(events).toHaveLength(9)
    expect(heights.at(-1)).toMatchObject({ height: 12, isStale: true })
    model.faults.lag = 0
    await clock.advance(10_000)
    expect(heights.at(-1)).toMatchObject({ height: 12, isStale: false })
    expect(events).toHaveLength(9)
    await Promise.all([watch.stop(), height.stop()])
  })

  it('F5: another macroblock at the same height is noticed by its link, with the next one', async () => {
    const [model, clock] = [modelChain(account), steppedClock()]
    for (let block = 0; block < 3; block++) model.mine([BigInt(block + 1)])
    const { watch, events } = begin(model, clock)
    await clock.advance(30_000)
    model.rollBack(1)
    model.mine([50n])
    model.mine([60n])
    await clock.advance(60_000)
    expect(events).toEqual(['+1', '+2', '+3', '-3', '+50', '+60'])
    await watch.stop()
  })

  it('takes back what the same key block holds no more, once the next one commits to something else', async () => {
    const [model, clock] = [modelChain(account), steppedClock()]
    for (let block = 0; block < 3; block++) model.mine([BigInt(block + 1)])
    const { watch, events } = begin(model, clock)
    await clock.advance(30_000)
    model.refill([50n, 51n])
    model.mine([60n])
    await clock.advance(60_000)
    expect(events).toEqual(['+1', '+2', '+3', '-3', '+50', '+51', '+60'])
    await watch.stop()
  })

  it('is believed after three macroblocks when a node hid the one that was replaced', async () => {
    const [model, clock] = dated()
    for (let block = 0; block < 3; block++) model.mine([BigInt(block + 1)])
    // It shows the rewards of a macroblock that its height does not count.
    model.faults.heightLie = -1
    const { watch, events } = begin(model, clock)
    await clock.advance(30_000)
    expect(events).toEqual(['+1', '+2', '+3'])
    model.rollBack(1)
    model.mine([50n])
    model.faults.heightLie = 0
    for (let block = 0; block < 5; block++) {
      await clock.advance(30_000)
      model.mine([])
    }
    await clock.advance(60_000)
    expect(events).toEqual(['+1', '+2', '+3', '-3', '+50'])
    await watch.stop()
  })

  it('is followed when the first height of all was made up', async () => {
    const [model, clock] = [modelChain(account), steppedClock()]
    model.mine([1n])
    model.faults.heightLie = 500
    const { watch, events } = begin(model, clock)
    await clock.advance(30_000)
    model.faults.heightLie = 0
    model.mine([2n])
    await clock.advance(60_000)
    model.mine([3n])
    await clock.advance(60_000)
    expect(events).toEqual(['+1', '+2', '+3'])
    await watch.stop()
  })

  it.each(['that goes on', 'that is started again'])(
    'which began anew, is told from its own beginning, by a watch %s',
    async (which) => {
      const [model, clock] = dated()
      const store = createMemoryCursors()
      const reported: string[] = []
      const begin = () =>
        watchRewards({
          client: model.clientOf(clock),
          address: account,
          pollIntervalMs: POLL_MS,
          from: -1,
          cursor: { store, name: 'rewards' },
          onReward: ({ amount }) => void reported.push(`+${amount}`),
          onReverted: ({ amount }) => void reported.push(`-${amount}`),
        })
      // More than is remembered, of macroblocks and of rewards.
      for (let one = 0; one < 300; one++) model.mine([BigInt(one)])
      let watch = begin()
      await clock.advance(30_000)
      expect(reported).toHaveLength(300)
      if (which === 'that is started again') await watch.stop()
      model.rollBack(1_000)
      for (let one = 0; one < 3; one++) model.mine([BigInt(1_000 + one)])
      if (which === 'that is started again') watch = begin()
      for (let one = 0; one < 4; one++) {
        await clock.advance(60_000)
        model.mine([])
      }
      await clock.advance(60_000)
      const remembered = Array.from({ length: 128 }, (_, at) => `-${299 - at}`)
      expect(reported.slice(300)).toEqual([...remembered, '+1000', '+1001', '+1002'])
      await watch.stop()
    },
  )

  it('loses no reward to a stop in the middle of a callback, and repeats none', async () => {
    const [model, clock, store] = [modelChain(account), steppedClock(), createMemoryCursors()]
    for (let block = 0; block < 4; block++) model.mine([BigInt(block + 1)])
    const done: string[] = []
    const follow = () =>
      watchRewards({
        client: model.clientOf(clock),
        address: account,
        from: -1,
        cursor: { store, name: 'rewards' },
        onReward: async ({ amount }) => {
          await clock.sleep(5_000)
          done.push(`+${amount}`)
        },
      })
    const watch = follow()
    await clock.advance(8_000)
    expect(done).toEqual(['+1'])
    const stopped = watch.stop()
    await clock.advance(9_000)
    await stopped
    expect(done).toEqual(['+1', '+2'])
    const next = follow()
    await clock.advance(60_000)
    expect(done).toEqual(['+1', '+2', '+3', '+4'])
    await next.stop()
  })
})

it('H8: pages that never end are left, and nothing is told twice', async () => {
  const [model, clock] = [modelChain(account), steppedClock()]
  for (let block = 0; block < 40; block++) model.mine([1n, 2n, 3n])
  const events: number[] = []
  const watch = watchRewards({
    client: model.clientOf(clock),
    address: account,
    from: -1,
    onReward: ({ index }) => void events.push(index),
  })
  await clock.advance(60_000)
  expect(events).toEqual(model.lines().map(({ index }) => index))
  await watch.stop()
})

describe('a backlog of many pages', () => {
  /** A client over the model that does something after each page of rewards it was given. */
  const clientThat = (model: ModelChain, clock: SteppedClock, afterPage: (asked: number) => void): Client => {
    const { transport } = model.clientOf(clock)
    let asked = 0
    return createClient({
      apiUrl: 'http://127.0.0.1:1/api/v1',
      clock,
      randomness: () => 0.5,
      retry: { maxAttempts: 1 },
      transport: {
        request: async (request) => {
          const response = await transport.request(request)
          if (request.path === '/account_rewards') afterPage(++asked)
          return response
        },
      },
    })
  }

  const begin = (model: ModelChain, clock: SteppedClock, afterPage: (asked: number) => void) => {
    const delivered: Pick<Reward, 'index' | 'recordHash'>[] = []
    const errors: string[] = []
    const watch = watchRewards({
      client: clientThat(model, clock, afterPage),
      address: account,
      pollIntervalMs: POLL_MS,
      from: -1,
      onReward: ({ index, recordHash }) => void delivered.push({ index, recordHash }),
      onReverted: ({ index, recordHash }) => expect(delivered.pop()).toEqual({ index, recordHash }),
      onError: ({ message }) => void errors.push(message),
    })
    return { watch, delivered, errors }
  }

  const linesOf = (model: ModelChain) =>
    model.lines().map(({ index, hash: recordHash }) => ({ index, recordHash }))

  const TEN = Array.from({ length: 10 }, (_, at) => BigInt(at + 1))

  it('is told once and in order while ten more rewards come every seventh page', async () => {
    const [model, clock] = [modelChain(account), steppedClock()]
    for (let block = 0; block < 40; block++) model.mine(TEN)
    let pages = 0
    const { watch, delivered, errors } = begin(model, clock, (asked) => {
      pages = asked
      if (asked % 7 === 0) model.mine(TEN)
    })
    await clock.advance(30_000)
    await watch.stop()
    expect(errors).toEqual([])
    expect(delivered.length).toBeGreaterThanOrEqual(400)
    expect(delivered).toEqual(linesOf(model).slice(0, delivered.length))
    expect(pages).toBeLessThan(170)
  })

  it('goes on where it was when a part of it was taken away meanwhile', async () => {
    const [model, clock] = [modelChain(account), steppedClock()]
    for (let block = 0; block < 20; block++) model.mine(TEN)
    const { watch, delivered, errors } = begin(model, clock, (asked) => {
      if (asked !== 10) return
      model.rollBack(3)
      for (let block = 0; block < 6; block++) model.mine(TEN)
    })
    await clock.advance(60_000)
    await watch.stop()
    expect(errors).toEqual([])
    expect(delivered).toEqual(linesOf(model))
  })

  it('is told once and in order whatever the chain does between two pages', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            pages: fc.integer({ min: 1, max: 12 }),
            depth: fc.integer({ min: 0, max: 4 }),
            blocks: fc.array(fc.constantFrom([], [1n], TEN), { maxLength: 8 }),
          }),
          { maxLength: 8 },
        ),
        async (changes) => {
          const [model, clock] = [modelChain(account), steppedClock()]
          for (let block = 0; block < 12; block++) model.mine(TEN)
          const left = [...changes]
          let due = left[0]?.pages ?? 0
          const { watch, delivered } = begin(model, clock, (asked) => {
            if (asked < due) return
            const change = left.shift()
            if (change === undefined) return
            model.rollBack(change.depth)
            for (const rewards of change.blocks) model.mine(rewards)
            due = asked + (left[0]?.pages ?? 0)
          })
          let most = 0
          for (let block = 0; block < 12; block++) {
            await clock.advance(20_000)
            most = Math.max(most, model.height())
            do model.mine([])
            while (model.height() <= most)
          }
          await watch.stop()
          expect(delivered).toEqual(linesOf(model))
        },
      ),
      // Each takes as long as ten of the others: it is read a hundred times and more.
      { numRuns: Math.ceil(HISTORIES / 10) },
    ))
})

it('P-12: an account that changes every fourth block costs at most two readings a change, told within a block and 2 s', async () => {
  const [model, clock] = [modelChain(account), steppedClock()]
  const changedAt: number[] = []
  const delays: number[] = []
  const watch = watchBalance({
    client: model.clientOf(clock),
    address: account,
    blockTimeMs: 15_000,
    onChange: ({ previous }) => {
      if (previous !== null) delays.push(clock.monotonicMs() - (changedAt.at(-1) ?? 0))
    },
  })
  await clock.advance(5_000)
  const before = model.asked.length
  const CHANGES = 100
  for (let block = 0; block < 4 * CHANGES; block++) {
    const isChange = block % 4 === 3
    model.mine(isChange ? [1n] : [])
    if (isChange) changedAt.push(clock.monotonicMs())
    await clock.advance(15_000)
  }
  model.mine([])
  await clock.advance(15_000)
  await watch.stop()
  const asked = model.asked.slice(before)
  const count = (path: string): number => asked.filter((one) => one === path).length
  expect(delays).toHaveLength(CHANGES)
  expect(count('/balance') / CHANGES).toBeLessThanOrEqual(2.02)
  expect([...delays].sort((one, other) => one - other)[Math.floor(CHANGES * 0.95)]).toBeLessThanOrEqual(
    17_000,
  )
  // What all watchers of the process share: polls of the height, and each macroblock once.
  expect(count('/macroblock_by_height')).toBeLessThanOrEqual(4 * CHANGES + 2)
  expect(count('/height')).toBeLessThanOrEqual(8 * (4 * CHANGES + 1))
})
