import type { Transport } from '@hailstone/client'
import { type Address, apiError, type Hash, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { balancedClient, seededRandom } from '../../test/balanced-client.ts'
import { type ModelChain, modelChain } from '../../test/model-chain.ts'
import { type SteppedClock, steppedClock } from '../../test/stepped-clock.ts'
import { until } from '../../test/until.ts'
import { followFleetRewards } from '../fleet/fleet-rewards.ts'
import { createBeginning } from '../fleet/journey-beginning.ts'
import { rememberedJourney } from '../fleet/journey-store.ts'
import { anchorOf, beginningOf, type Clues, type Sight } from './beginning.ts'
import { followTip } from './chain-tip.ts'
import { firstOpenBlock, type OpenBlock } from './first-open-block.ts'
import { watchRewards } from './watch-rewards.ts'

const account = `02${'ab'.repeat(32)}` as Address
const BLOCK_MS = 15_000
const HOUR_MS = 3_600_000

describe('where a watch began', () => {
  const BEGAN_MS = 1_000_000_000
  const sightAt = (elapsedMs: number, lateMs: number): Sight => {
    const timeMs = BEGAN_MS + elapsedMs - lateMs
    return { height: Math.floor(timeMs / BLOCK_MS), timeMs, elapsedMs }
  }
  const decided = (sights: readonly Sight[], clues: Partial<Clues> = {}) => {
    const anchor = sights.reduce<Sight | null>(anchorOf, null)
    const now = sights.at(-1)
    if (anchor === null || now === undefined) throw new Error('there is no sight')
    const wallMs = BEGAN_MS + now.elapsedMs
    return beginningOf({ anchor, now, wallMs, blockMs: BLOCK_MS, openMs: 0, ...clues })
  }

  it('is the time of the machine at once, where the newest macroblock is as old as it should be', () => {
    expect(decided([sightAt(0, 25_000)])).toBe(BEGAN_MS)
    expect(decided([sightAt(20_000, 25_000)])).toBe(BEGAN_MS)
  })

  it('is not known from a node that is three blocks behind, until it shows a key block from after it', () => {
    expect(decided([sightAt(0, 65_000)])).toBeUndefined()
    expect(decided([sightAt(30_000, 65_000)], { openMs: BEGAN_MS - 20_000 })).toBeUndefined()
    expect(decided([sightAt(60_000, 65_000)], { openMs: BEGAN_MS + 10_000 })).toBe(BEGAN_MS)
  })

  it('is not known where blocks are too short to tell, until a key block is from after it', () => {
    expect(decided([sightAt(0, 800)], { blockMs: 400 })).toBe(BEGAN_MS)
    expect(decided([sightAt(0, 2_000)], { blockMs: 400 })).toBeUndefined()
    expect(decided([sightAt(2_100, 2_000)], { blockMs: 400 })).toBe(BEGAN_MS)
  })

  it('is not known from an API that is hours behind and stands still, however long', () => {
    const still = Array.from({ length: 100 }, (_, at) => ({
      ...sightAt(0, 3 * HOUR_MS),
      elapsedMs: 60_000 * at,
    }))
    expect(decided(still)).toBeUndefined()
  })

  it('is not known from nodes that stand still five blocks apart and answer one after the other', () => {
    const [behind, ahead] = [sightAt(0, 3 * HOUR_MS), sightAt(5 * BLOCK_MS, 3 * HOUR_MS)]
    for (let minute = 1; minute < 10; minute++)
      expect(decided([behind, { ...ahead, elapsedMs: 60_000 * minute }])).toBeUndefined()
  })

  it.each([2, 4, 20])(
    'is not known from an API that catches up at %i times the pace, until it has',
    (pace) => {
      const sights = Array.from({ length: 200 }, (_, at) =>
        sightAt(BLOCK_MS * at, Math.max(25_000, 3 * HOUR_MS - (pace - 1) * BLOCK_MS * at)),
      )
      for (let count = 1; count <= sights.length; count++) {
        expect([undefined, BEGAN_MS]).toContain(decided(sights.slice(0, count)))
      }
      const isDone = sights.at(-1)?.timeMs === BEGAN_MS + 199 * BLOCK_MS - 25_000
      expect(decided(sights)).toBe(isDone ? BEGAN_MS : undefined)
    },
  )

  it.each([-HOUR_MS, HOUR_MS, 3e10])('is the first sight where the clock is wrong by %d ms', (wrongMs) => {
    const sights = [0, 1, 2, 3, 4, 5, 6].map((blocks) => sightAt(blocks * BLOCK_MS, 25_000))
    const wallOf = (count: number): Partial<Clues> => ({ wallMs: BEGAN_MS + 15_000 * (count - 1) + wrongMs })
    for (const count of [1, 2, 3, 4, 5, 6])
      expect(decided(sights.slice(0, count), wallOf(count))).toBeUndefined()
    expect(decided(sights, wallOf(7))).toEqual(sights[0])
  })

  it('is the sight at which it had caught up, where the clock is wrong as well', () => {
    const behind = sightAt(0, 3 * HOUR_MS)
    const sights = [2, 3, 4, 5, 6, 7, 8].map((blocks) => sightAt(blocks * BLOCK_MS, 25_000))
    const wrong = { wallMs: BEGAN_MS + 9 * HOUR_MS }
    expect(decided([behind, ...sights], wrong)).toEqual(sights[0])
  })
})

/** The chain of an account that earns in every macroblock, at the pace of the clock. */
function earningChain(blocks: number) {
  const clock = steppedClock()
  const model = modelChain(account, () => Math.floor(clock.now() / 1_000))
  let paid = 0n
  const earn = async (count: number): Promise<void> => {
    for (let block = 0; block < count; block++) {
      await clock.advance(BLOCK_MS)
      model.mine([++paid])
    }
  }
  return { clock, model, earn, isGrown: earn(blocks), paid: () => paid }
}

type Told = (height: number) => unknown

/** Follows what the account earns, by a watch or a fleet of one. */
const watches: [
  string,
  (parameters: { client: Parameters<typeof watchRewards>[0]['client']; told: Told }) => {
    stop: () => Promise<void>
  },
][] = [
  [
    'a watch',
    ({ client, told }) =>
      watchRewards({
        client,
        address: account,
        pollIntervalMs: 2_000,
        blockTimeMs: BLOCK_MS,
        onReward: ({ height }) => told(height ?? -1),
      }),
  ],
  [
    'a fleet',
    ({ client, told }) =>
      followFleetRewards({
        client: client as Parameters<typeof followFleetRewards>[0]['client'],
        pollIntervalMs: 2_000,
        isOurs: (one) => one === account,
        store: rememberedJourney(),
        areAccountsKnown: () => true,
        openKeyBlock: () => undefined,
        onReward: async ({ height, tokenId }) => void (tokenId === ZERO_TOKEN_ID && told(height ?? -1)),
        onReverted: async () => undefined,
        onError: () => undefined,
      }),
  ],
]

const from = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at)

describe.each(watches)('%s that begins', (_, begin) => {
  const catchingUp: [string, (block: number) => number][] = [
    ['at once', () => 0],
    ['gradually', (block) => Math.max(0, 720 - 40 * block)],
    ['after it stood still', (block) => (block < 10 ? 720 + block : 0)],
  ]
  it.each(catchingUp)(
    'with an API 720 macroblocks behind, which catches up %s, tells nothing old',
    async (_how, lag) => {
      const { clock, model, earn, isGrown } = earningChain(800)
      await isGrown
      model.faults.lag = 720
      const heights: number[] = []
      const watch = begin({ client: model.clientOf(clock), told: (height) => heights.push(height) })
      const open = model.height() - 1
      await clock.advance(6_000)
      for (let block = 1; block <= 40; block++) {
        model.faults.lag = lag(block)
        await earn(1)
      }
      await clock.advance(2 * BLOCK_MS)
      await watch.stop()
      const first = heights[0] ?? 0
      // The newest macroblock is the one that was open, where the model closes it at once.
      expect(first).toBeGreaterThanOrEqual(open)
      expect(first).toBeLessThanOrEqual(open + 1)
      expect(heights).toEqual(from(first, model.height() - 1))
    },
  )

  it.each([-5 * HOUR_MS, 5 * HOUR_MS])(
    'with a clock that is wrong by %d ms tells what is new',
    async (wrongMs) => {
      const { clock, model, earn, isGrown } = earningChain(30)
      await isGrown
      const heights: number[] = []
      const wrong: SteppedClock = { ...clock, now: () => clock.now() + wrongMs }
      const watch = begin({ client: model.clientOf(wrong), told: (height) => heights.push(height) })
      const open = model.height()
      await earn(12)
      await clock.advance(BLOCK_MS)
      await watch.stop()
      expect(heights).toEqual(from(open, model.height() - 1))
    },
  )

  it('on a chain that is idle tells what comes when it goes on', async () => {
    const { clock, model, earn, isGrown } = earningChain(30)
    await isGrown
    await clock.advance(HOUR_MS)
    const heights: number[] = []
    const watch = begin({ client: model.clientOf(clock), told: (height) => heights.push(height) })
    const open = model.height()
    await clock.advance(HOUR_MS)
    expect(heights).toEqual([])
    await earn(5)
    await clock.advance(3 * BLOCK_MS)
    await watch.stop()
    expect(heights.filter((height) => height >= open)).toEqual(from(open, model.height() - 1))
    expect(heights.length).toBeLessThanOrEqual(6)
  })
})

describe.each(watches)('%s whose beginning is put back', (_, begin) => {
  it.each([2, 5])('by %i macroblocks tells all that take their place', async (depth) => {
    const { clock, model, earn, isGrown } = earningChain(30)
    await isGrown
    const heights: number[] = []
    const watch = begin({ client: model.clientOf(clock), told: (height) => heights.push(height) })
    await clock.advance(6_000)
    model.rollBack(depth)
    const fork = model.height()
    await earn(depth + 3)
    await clock.advance(3 * BLOCK_MS)
    await watch.stop()
    // The one below was open at the beginning, by the time on the new branch.
    expect(heights).toEqual(from(Math.max(fork - 1, heights[0] ?? 0), model.height() - 1))
  })
})

describe.each(watches)('%s whose clock is wrong', (_, begin) => {
  it.each([2, 5])('tells all of a fork of %i macroblocks that came while the API was away', async (depth) => {
    const { clock, model, earn, isGrown } = earningChain(30)
    await isGrown
    const heights: number[] = []
    const wrong: SteppedClock = { ...clock, now: () => clock.now() + HOUR_MS }
    const watch = begin({ client: model.clientOf(wrong), told: (height) => heights.push(height) })
    await clock.advance(6_000)
    model.rollBack(depth)
    const fork = model.height()
    model.faults.failing = Number.POSITIVE_INFINITY
    await earn(depth + 4)
    model.faults.failing = 0
    await earn(4)
    await clock.advance(3 * BLOCK_MS)
    await watch.stop()
    expect(heights).toEqual(from(Math.min(fork, heights[0] ?? 0), model.height() - 1))
    expect(heights[0]).toBeGreaterThanOrEqual(fork - 1)
  })
})

describe.each(watches)('%s that begins behind', (_, begin) => {
  it('with one of two nodes that stands still tells nothing old', async () => {
    const { clock, model, earn, isGrown } = earningChain(40)
    await isGrown
    await clock.advance(5_000)
    const open = model.height() - 1
    const random = seededRandom(6)
    let chance = 1
    const client = balancedClient({
      ...{ model, clock, isBehind: () => random() < chance },
      blocksBehind: () => model.height() - open + 10,
    })
    const heights: number[] = []
    const watch = begin({ client, told: (height) => heights.push(height) })
    await clock.advance(6_000)
    chance = 0.3
    await earn(4)
    chance = 0
    await earn(1)
    await clock.advance(2 * BLOCK_MS)
    await watch.stop()
    expect(heights).toEqual(from(Math.max(open - 1, heights[0] ?? 0), model.height() - 1))
  })

  it('four macroblocks behind tells nothing from before the chain stood still', async () => {
    const { clock, model, earn, isGrown } = earningChain(30)
    await isGrown
    await clock.advance(12 * BLOCK_MS)
    await earn(1)
    const open = model.height() - 1
    model.faults.lag = 4
    const heights: number[] = []
    const watch = begin({ client: model.clientOf(clock), told: (height) => heights.push(height) })
    await clock.advance(6_000)
    model.faults.lag = 0
    await earn(2)
    await clock.advance(2 * BLOCK_MS)
    await watch.stop()
    expect(heights).toEqual(from(Math.max(open - 1, heights[0] ?? 0), model.height() - 1))
  })
})

it.each([1, 2, 3, 4, 5, 6])(
  'of two nodes behind one address the newer one tells what is open, seed %i',
  async (seed) => {
    const { clock, model, earn, isGrown } = earningChain(30)
    await isGrown
    await clock.advance(5_000)
    const random = seededRandom(seed)
    const client = balancedClient({ model, clock, isBehind: () => random() < 0.5 })
    const firstOpen = firstOpenBlock({ client })
    const { place, leave } = followTip(client, { pollIntervalMs: 2_000 })
    const newest = model.height() - 1
    let found: OpenBlock | null | undefined
    let height = 0
    const ask = async (): Promise<boolean> => {
      found = await firstOpen(place(), AbortSignal.timeout(60_000)).catch(() => undefined)
      height = found?.height ?? (place().at?.height ?? 0) + 1
      return found !== undefined
    }
    await until(async () => (await ask()) || (await earn(1).then(() => false)), 'it was found')
    await leave()
    // By its time the newest is the one that was open; the model closes it at once.
    expect([newest, newest + 1]).toContain(height)
  },
)

it('is not above a fork that was left, which a first answer showed', async () => {
  const clock = steppedClock()
  const seconds = (): number => Math.floor(clock.now() / 1_000)
  const [left, stands] = [modelChain(account, seconds), modelChain(account, seconds)]
  const grow = async (chains: readonly ModelChain[], count: number): Promise<void> => {
    for (let block = 0; block < count; block++) {
      await clock.advance(BLOCK_MS)
      for (const chain of chains) chain.mine([1n])
    }
  }
  await grow([left, stands], 20)
  await grow([left], 5)
  stands.rollBack(3)
  await grow([stands], 7)
  let shown = left
  const request: Transport['request'] = (asked) => shown.clientOf(clock).transport.request(asked)
  const client = { ...left.clientOf(clock), transport: { request } }
  const open = stands.height() - 1
  const firstOpen = firstOpenBlock({ client })
  const { place, leave } = followTip(client, { pollIntervalMs: 2_000 })
  const ask = () => firstOpen(place(), new AbortController().signal)
  await clock.advance(1_000)
  expect([place().at?.height, await ask()]).toEqual([left.height() - 1, undefined])
  expect(left.height()).toBeGreaterThan(open + 1)
  shown = stands
  let found: OpenBlock | null | undefined
  for (let block = 0; found === undefined && block < 20; block++) {
    await grow([stands], 1)
    found = await ask()
  }
  // By its time the newest is the one that was open; the model closes it at once.
  expect(found?.height).toBe(open)
  await leave()
})

it.each([0, HOUR_MS])(
  'is below what was booked between the beginning and a first reading, with a clock that is wrong by %d ms',
  async (wrongMs) => {
    const { clock, model, earn, isGrown } = earningChain(30)
    await isGrown
    await clock.advance(5_000)
    const client = model.clientOf({ ...clock, now: () => clock.now() + wrongMs })
    const firstOpen = firstOpenBlock({ client })
    await clock.advance(1_300)
    const booked = model.height()
    model.mine([1n])
    const { place, leave } = followTip(client, { pollIntervalMs: 2_000 })
    await clock.advance(300)
    expect(place().at?.height).toBe(booked)
    let found: OpenBlock | null | undefined
    for (let block = 0; found === undefined && block < 20; block++) {
      if (block > 0) await earn(1)
      found = await firstOpen(place(), new AbortController().signal)
    }
    await leave()
    expect(found?.height).toBeLessThanOrEqual(booked)
    expect(found?.height).toBeGreaterThanOrEqual(booked - 1)
  },
)

it('is not younger than its rewards, where one node shows it once and the others lack it', async () => {
  const { clock, model, isGrown } = earningChain(30)
  await isGrown
  await clock.advance(5_000)
  const { transport } = model.clientOf(clock)
  const open = model.height() - 1
  const { time = 0 } = model.lines().at(-1) ?? {}
  let lag = 1
  /** Requests for it that a node answers which is one macroblock behind. */
  let shown = 0
  const request: Transport['request'] = (asked) => {
    model.faults.lag = asked.query?.endsWith(`=${open}`) && shown-- > 0 ? 1 : lag
    return transport.request(asked)
  }
  const client = { ...model.clientOf(clock), transport: { request } }
  const firstOpen = firstOpenBlock({ client })
  const { place, leave } = followTip(client, { pollIntervalMs: 2_000 })
  await clock.advance(4_000)
  const { at } = place()
  lag = 2
  shown = 1
  const found = await firstOpen(place(), new AbortController().signal)
  await leave()
  expect([at?.height, found?.height]).toEqual([open - 1, open])
  // Lines that another node shows of it are not from before.
  expect(found?.timeMs).toBeLessThanOrEqual(1_000 * time)
})

it('of a fleet is not known while no answer says whether the open key block is there', async () => {
  const { clock, model, isGrown } = earningChain(30)
  await isGrown
  const { transport } = model.clientOf(clock)
  const open = model.height()
  let isFailing = true
  const request: Transport['request'] = async (asked) => {
    if (isFailing && asked.query?.endsWith(`=${open}`)) throw apiError('REQUEST_FAILED', failure)
    return transport.request(asked)
  }
  const failure = { path: '/macroblock_by_height', reason: 'the connection was reset', asked: '' }
  const client = { ...model.clientOf(clock), transport: { request } }
  const { place, leave } = followTip(client, { pollIntervalMs: 2_000 })
  await clock.advance(500)
  const beginning = createBeginning({ client })
  const begin = () =>
    beginning(place(), { begunAbove: null, partedAt: Number.POSITIVE_INFINITY }, new AbortController().signal)
  expect(place().at?.height).toBe(open - 1)
  const [failed] = await Promise.all([begin().catch((error: unknown) => error), clock.advance(10_000)])
  expect(failed).toMatchObject({ code: 'REQUEST_FAILED' })
  isFailing = false
  const [begun] = await Promise.all([begin(), clock.advance(10_000)])
  expect(begun?.height).toBe(open)
  await leave()
})

it.each([
  ['which lacks the key block that is named', () => undefined],
  ['while another node has the key block that is named', (height: number) => height],
])('is not known from an API fifty macroblocks behind at the pace of the clock, %s', async (_, known) => {
  const { clock, model, earn, isGrown } = earningChain(100)
  await isGrown
  const client = model.clientOf(clock)
  const named = model.keyBlockHash()
  const open = model.height() - 1
  model.faults.lag = 50
  const firstOpen = firstOpenBlock({ client, openKeyBlock: () => named })
  const { place, leave } = followTip(client, { pollIntervalMs: 2_000 })
  const ask = () => {
    const heightOf = (hash: Hash) => place().heightOf(hash) ?? (hash === named ? known(open) : undefined)
    return firstOpen({ ...place(), heightOf }, new AbortController().signal)
  }
  await clock.advance(4_000)
  const found: unknown[] = []
  for (let block = 0; block < 15; block++) {
    found.push(await ask())
    await earn(1)
  }
  model.faults.lag = 0
  await clock.advance(4_000)
  expect(found.every((one) => one === undefined)).toBe(true)
  expect((await ask())?.height).toBe(open)
  await leave()
})

it.each([20, 50])(
  'is not known while a poll reads on at the pace of the clock, with %i unread',
  async (unread) => {
    const { clock, model, earn, isGrown } = earningChain(100)
    await isGrown
    const client = model.clientOf(clock)
    const open = model.height() - 1
    const firstOpen = firstOpenBlock({ client })
    model.faults.lag = unread
    const { place, leave } = followTip(client, { pollIntervalMs: 2_000 })
    await clock.advance(4_000)
    const found: unknown[] = [await firstOpen(place(), AbortSignal.timeout(60_000))]
    for (let block = 0; block < 15; block++) {
      await earn(1)
      // The node has all of them; the poll reads one when it is due.
      model.faults.lag = 0
      found.push(await firstOpen(place(), AbortSignal.timeout(60_000)))
      model.faults.lag = unread
    }
    expect(place().at?.height).toBeGreaterThan(open - unread + 10)
    expect(found).toEqual(found.map(() => undefined))
    model.faults.lag = 0
    await clock.advance(4_000)
    expect((await firstOpen(place(), AbortSignal.timeout(60_000)))?.height).toBe(open)
    await leave()
  },
)

it('is known from a fast chain, where its clock is wrong and the node is slow to answer', async () => {
  const clock = steppedClock()
  const model = modelChain(account, () => Math.floor(clock.now() / 1_000))
  const grow = async (blocks: number): Promise<void> => {
    for (let block = 0; block < blocks; block++) {
      await clock.advance(1_000)
      model.mine([1n])
    }
  }
  await grow(100)
  const client = model.clientOf({ ...clock, now: () => clock.now() + HOUR_MS })
  const request: Transport['request'] = async (asked) => {
    await clock.sleep(600, asked.signal)
    return client.transport.request(asked)
  }
  const open = model.height()
  const heights: number[] = []
  const watch = watchRewards({
    ...{ client: { ...client, transport: { request } }, address: account },
    onReward: ({ height }) => void heights.push(height ?? -1),
  })
  await grow(120)
  await watch.stop()
  const [first = 0] = heights
  expect(first).toBeGreaterThanOrEqual(open - 2)
  expect(first).toBeLessThanOrEqual(open + 1)
  expect(heights).toEqual(from(first, heights.at(-1) ?? 0))
})

it('is known where the node that says the height stays five macroblocks behind, and the clock is wrong', async () => {
  const { clock, model, earn, isGrown } = earningChain(60)
  await isGrown
  const client = balancedClient({
    ...{ model, clock: { ...clock, now: () => clock.now() + HOUR_MS } },
    ...{ isBehind: (path) => path === '/height', blocksBehind: () => 5 },
  })
  const firstOpen = firstOpenBlock({ client })
  const { place, leave } = followTip(client, { pollIntervalMs: 2_000 })
  const first = model.height() - 6
  let found: OpenBlock | null | undefined
  for (let block = 0; found === undefined && block < 10; block++) {
    await earn(1)
    found = await firstOpen(place(), AbortSignal.timeout(60_000))
  }
  // It is where the poll was when it was first asked.
  expect(found?.height).toBeGreaterThanOrEqual(first)
  expect(found?.height).toBeLessThanOrEqual(first + 1)
  await leave()
})

it('is below what a chain booked that began anew, where its clock is wrong and the open key block was not shown', async () => {
  const { clock, model, earn, isGrown } = earningChain(60)
  await isGrown
  const client = model.clientOf({ ...clock, now: () => clock.now() + HOUR_MS })
  const firstOpen = firstOpenBlock({ client })
  const { place, leave } = followTip(client, { pollIntervalMs: 2_000 })
  const ask = () => firstOpen(place(), new AbortController().signal)
  await clock.advance(4_000)
  expect(await ask()).toBeUndefined()
  model.rollBack(1_000)
  const origin = model.height()
  let found: OpenBlock | null | undefined
  for (let block = 0; found === undefined && block < 20; block++) {
    await earn(1)
    found = await ask()
  }
  await leave()
  expect(model.height()).toBeGreaterThan(origin + 3)
  expect(found?.height).toBeLessThanOrEqual(origin)
})

it('is not dated by a key block that a fork put in the place of the open one, where the clock is wrong', async () => {
  const { clock, model, earn, isGrown } = earningChain(60)
  await isGrown
  const client = model.clientOf({ ...clock, now: () => clock.now() + HOUR_MS })
  const firstOpen = firstOpenBlock({ client })
  const { place, leave } = followTip(client, { pollIntervalMs: 2_000 })
  const ask = () => firstOpen(place(), new AbortController().signal)
  const open = model.height() - 1
  model.faults.lag = 30
  await clock.advance(4_000)
  await ask()
  await earn(3)
  model.faults.lag = 1
  await clock.advance(4_000)
  await ask()
  model.rollBack(1)
  await clock.advance(2 * BLOCK_MS)
  let found: OpenBlock | null | undefined
  for (let block = 0; found === undefined && block < 20; block++) {
    await earn(1)
    found = await ask()
  }
  // What was open is dated up to a block before it was seen.
  expect([open - 1, open]).toContain(found?.height)
  await leave()
})
