import type { Client } from '@hailstone/client'
import { type Address, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { createEventHub } from '../src/events.ts'
import { followAccount } from '../src/follow-account.ts'
import { idleSnapshot } from '../src/idle-snapshot.ts'
import type { MiningSnapshot } from '../src/store/mining-snapshot.ts'
import { createStore } from '../src/store/mining-store.ts'
import { followTip } from '../src/watchers/chain-tip.ts'
import { watchBalance } from '../src/watchers/watch-balance.ts'
import { watchHeight } from '../src/watchers/watch-height.ts'
import { watchRewards } from '../src/watchers/watch-rewards.ts'
import { type ModelChain, modelChain } from './model-chain.ts'
import { type SteppedClock, steppedClock } from './stepped-clock.ts'
import { until } from './until.ts'

const account = `02${'ab'.repeat(32)}` as Address
const WARM_UP = 4

/** Returns a client of the model with repeatable chance. */
function clientOf(model: ModelChain, clock: SteppedClock): Client {
  let state = 1
  const randomness = (): number => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  return { ...model.clientOf(clock), randomness }
}

/** Watches the height of a chain that grows after each of these times in ms; the first blocks are not counted. */
async function watch(times: readonly number[], pollIntervalMs?: number) {
  const clock = steppedClock()
  const model = modelChain(account, () => Math.floor(clock.now() / 1_000))
  const delays: number[] = []
  let minedAt = 0
  const client = clientOf(model, clock)
  await using _watch = watchHeight({
    client,
    pollIntervalMs,
    onChange: () => delays.push(clock.monotonicMs() - minedAt),
  })
  for (const [at, ms] of times.entries()) {
    await clock.advance(ms)
    minedAt = clock.monotonicMs()
    model.mine([])
    if (at < WARM_UP) model.asked.length = delays.length = 0
  }
  await clock.advance(100)
  const asked = model.asked.filter((path) => path === '/height').length
  return { asked, slowestMs: Math.max(...delays), clock, model, delays }
}

const regular = (ms: number, count = 20): readonly number[] =>
  Array.from({ length: WARM_UP + count }, () => ms)

describe('questions for the height', () => {
  it('are one or two for each block of 15 s, and it is told within 2 s', async () => {
    const { asked, slowestMs, model } = await watch(regular(15_000))
    expect(asked).toBeLessThanOrEqual(40)
    // With the macroblocks themselves; none is looked for before it should be there.
    expect(model.asked.length).toBeLessThanOrEqual(40)
    expect(slowestMs).toBeLessThanOrEqual(2_000)
  })

  it('are hardly asked where a gateway names the key blocks', async () => {
    const clock = steppedClock()
    const model = modelChain(account, () => Math.floor(clock.now() / 1_000))
    const heights: number[] = []
    const tip = followTip(clientOf(model, clock), { onHeight: ({ height }) => heights.push(height) })
    for (let block = 0; block < WARM_UP + 24; block++) {
      await clock.advance(15_000)
      if (block === WARM_UP) model.asked.length = heights.length = 0
      model.mine([])
      // As a gateway does, which names the open key block.
      tip.expect()
    }
    await clock.advance(2_000)
    const asked = (wanted: string): number => model.asked.filter((path) => path === wanted).length
    expect(heights).toHaveLength(24)
    expect(heights.at(-1)).toBe(model.height())
    expect(asked('/height')).toBeLessThanOrEqual(2)
    expect(asked('/macroblock_by_height')).toBeLessThanOrEqual(24 + 2)
    await tip.leave()
  })

  it('are a tenth of what they were for blocks of 180 s', async () => {
    const { asked, slowestMs } = await watch(regular(180_000, 10))
    expect(asked).toBeLessThanOrEqual(90)
    expect(slowestMs).toBeLessThanOrEqual(2_000)
  })

  it('tell blocks of 2 s as soon as a poll every 2 s', async () => {
    const { slowestMs, delays } = await watch(regular(2_000, 40))
    expect(slowestMs).toBeLessThanOrEqual(2_000)
    expect(delays.length).toBeGreaterThanOrEqual(39)
  })

  it('follow a block time that becomes shorter, and one that becomes longer', async () => {
    const shorter = await watch([...regular(60_000), ...regular(15_000, 30)])
    expect(shorter.delays.slice(-20).every((ms) => ms <= 2_000)).toBe(true)
    const longer = await watch([...regular(15_000), ...regular(60_000)])
    expect(longer.delays.slice(-10).every((ms) => ms <= 2_000)).toBe(true)
  })

  it('are no more while a balance is watched', async () => {
    const clock = steppedClock()
    const model = modelChain(account, () => Math.floor(clock.now() / 1_000))
    const client = clientOf(model, clock)
    await using _watch = watchBalance({ client, address: account, onChange: () => undefined })
    for (const [at, ms] of regular(15_000).entries()) {
      await clock.advance(ms)
      model.mine([])
      if (at < WARM_UP) model.asked.length = 0
    }
    await clock.advance(100)
    expect(model.asked.filter((path) => path === '/height').length).toBeLessThanOrEqual(40)
    expect(model.asked).toContain('/balance')
  })

  it('are asked as often as the program says', async () => {
    expect((await watch(regular(15_000), 1_000)).asked).toBeGreaterThanOrEqual(290)
  })

  it('become rare while the chain stands still, and find the next block within 15 s', async () => {
    const clock = steppedClock()
    const model = modelChain(account, () => Math.floor(clock.now() / 1_000))
    const heights: number[] = []
    await using _watch = watchHeight({
      client: clientOf(model, clock),
      onChange: ({ height }) => heights.push(height),
    })
    for (let block = 0; block < 6; block++) {
      await clock.advance(15_000)
      model.mine([])
    }
    await clock.advance(600_000)
    model.asked.length = 0
    await clock.advance(600_000)
    expect(model.asked.length).toBeLessThanOrEqual(60)
    model.mine([])
    await clock.advance(15_100)
    expect(heights.at(-1)).toBe(model.height())
  })
})

it('an API that stood still for twenty blocks and showed one is caught up with within the next', async () => {
  const clock = steppedClock()
  const model = modelChain(account, () => Math.floor(clock.now() / 1_000))
  const heights: number[] = []
  await using _watch = watchHeight({
    client: clientOf(model, clock),
    onChange: ({ height }) => heights.push(height),
  })
  for (let block = 0; block < 30; block++) {
    await clock.advance(15_000)
    model.mine([])
    if (block >= 10) model.faults.lag++
  }
  model.faults.lag--
  const standing = heights.length
  await until(() => clock.advance(100).then(() => heights.length > standing), 'it shows one block')
  model.faults.lag = 0
  await clock.advance(15_000)
  expect(heights.at(-1)).toBe(model.height())
})

it.each([0, 3_600_000])(
  'an API that was six blocks behind from the beginning is caught up with within six, where the clock is wrong by %i ms',
  async (wrongMs) => {
    const clock = steppedClock()
    const model = modelChain(account, () => Math.floor(clock.now() / 1_000))
    const grow = async (blocks: number): Promise<void> => {
      for (let block = 0; block < blocks; block++) {
        await clock.advance(15_000)
        model.mine([])
      }
    }
    await grow(12)
    model.faults.lag = 6
    const client = clientOf(model, { ...clock, now: () => clock.now() + wrongMs })
    let height = 0
    await using _watch = watchHeight({
      client,
      onChange: (tip) => {
        height = tip.height
      },
    })
    await grow(12)
    model.faults.lag = 0
    await grow(6)
    await clock.advance(2_000)
    expect(height).toBe(model.height())
  },
)

it('a wrong clock costs a question in five blocks', async () => {
  const clock = steppedClock()
  const model = modelChain(account, () => Math.floor(clock.now() / 1_000))
  const client = clientOf(model, { ...clock, now: () => clock.now() + 3_600_000 })
  await using _watch = watchHeight({ client, onChange: () => undefined })
  for (let block = 0; block < WARM_UP + 20; block++) {
    await clock.advance(15_000)
    if (block === WARM_UP) model.asked.length = 0
    model.mine([])
  }
  expect(model.asked.length).toBeLessThanOrEqual(40 + 4)
})

/** Requests of an hour in which a miner has a microblock in each of 240 macroblocks. */
const HOUR: Readonly<Record<string, number>> = {
  '/macroblock_by_height': 242,
  // A header is asked for once; the model has another hash for what it pays.
  '/mblock': 480,
  '/account_rewards': 80,
  '/balance': 80,
  '/height': 6,
}
/** The model knows no tokens, and what is not answered is asked again. */
const UNANSWERED = ['/token_info', '/get_stake_limits', '/referrer_stake', '/eindex_by_hash']

it('asks little in an hour of mining, and for no list that grows with the network', async () => {
  const clock = steppedClock()
  const model = modelChain(account, () => Math.floor(clock.now() / 1_000))
  const client = clientOf(model, clock)
  const events = createEventHub(client.logger)
  const knows = { address: account, tokenId: ZERO_TOKEN_ID }
  const store = createStore<MiningSnapshot>({
    initial: idleSnapshot({ ...knows, hasApi: true, leaderCheck: { status: 'noKey', refused: 0 } }),
    onError: () => undefined,
  })
  const followed = followAccount({
    ...{ client, store, events, pollIntervalMs: undefined, blockTimeMs: 15_000 },
    question: { ...knows, referralAgent: undefined },
    onChainGrew: () => undefined,
  })
  followed.linked(true)
  for (let block = 0; block < WARM_UP + 240; block++) {
    await clock.advance(15_000)
    if (block === WARM_UP) model.asked.length = 0
    model.mine([1n])
    followed.published(model.microblockHash(), model.keyBlockHash())
    followed.keyBlockOpened()
  }
  const counts: Record<string, number> = {}
  for (const path of model.asked) counts[path] = (counts[path] ?? 0) + 1
  for (const path of UNANSWERED) delete counts[path]
  expect(Object.entries(counts).filter(([path, count]) => count > (HOUR[path] ?? 0))).toEqual([])
  expect(store.snapshot().publications.included).toBeGreaterThanOrEqual(240)
  await followed.stop()
})

describe('an account that earns', () => {
  /** Watches a balance over macroblocks of which some pay it, and say so. Returns after how many of them it was read. */
  async function watchEarnings(pays: (block: number) => boolean) {
    const clock = steppedClock()
    const model = modelChain(account, () => Math.floor(clock.now() / 1_000))
    const client = clientOf(model, clock)
    const reads: number[] = []
    await using watch = watchBalance({
      client,
      address: account,
      blockTimeMs: 15_000,
      onChange: () => undefined,
      onRead: ({ height }) => reads.push(height ?? 0),
    })
    const tip = followTip(client, {
      onCalculated: ({ keyBlock }) => {
        if (pays(keyBlock.height)) watch.earned()
      },
    })
    for (let block = 0; block < WARM_UP + 24; block++) {
      await clock.advance(15_000)
      if (block === WARM_UP) reads.length = 0
      model.mine([1n])
      tip.expect()
    }
    await clock.advance(2_000)
    await tip.leave()
    return reads
  }

  it('in every macroblock is read after every third one', async () => {
    const reads = await watchEarnings(() => true)
    expect(reads).toHaveLength(8)
    expect(reads.every((height, at) => at === 0 || height === (reads[at - 1] ?? 0) + 3)).toBe(true)
  })

  it('in every fifth macroblock is read after each of those', async () => {
    const reads = await watchEarnings((height) => height % 5 === 0)
    const earning = reads.filter((height) => height % 5 === 0)
    expect(earning.length).toBeGreaterThanOrEqual(4)
    expect(earning.every((height, at) => at === 0 || height === (earning[at - 1] ?? 0) + 5)).toBe(true)
  })

  it('is read at once after a reorganisation that replaced the macroblock it was read after', async () => {
    const clock = steppedClock()
    const model = modelChain(account, () => Math.floor(clock.now() / 1_000))
    const client = clientOf(model, clock)
    const amounts: bigint[] = []
    await using watch = watchBalance({
      client,
      address: account,
      blockTimeMs: 15_000,
      onChange: () => undefined,
      onRead: ({ amount }) => amounts.push(amount),
    })
    const tip = followTip(client, { onCalculated: () => watch.earned() })
    const mine = async (reward: bigint): Promise<void> => {
      await clock.advance(13_000)
      model.mine([reward])
      tip.expect()
      await clock.advance(2_000)
    }
    for (let block = 0; block < WARM_UP; block++) await mine(1n)
    // The last one was read, at once or in its turn; another takes its place, and one comes above it.
    watch.readNow()
    await clock.advance(100)
    expect(amounts.at(-1)).toBe(model.balance())
    model.rollBack(1)
    model.mine([500n])
    await mine(0n)
    expect(amounts.at(-1)).toBe(model.balance())
    await tip.leave()
  })
})

it('a new miner whose beginning is not known asks an API that stands still once every 2 s for its empty history', async () => {
  const clock = steppedClock()
  const model = modelChain(account, () => Math.floor(clock.now() / 1_000))
  for (let block = 0; block < 10; block++) {
    await clock.advance(15_000)
    model.mine([])
  }
  await clock.advance(120_000)
  const client = clientOf(model, clock)
  await using watch = watchRewards({ client, address: account, onReward: () => undefined })
  await clock.advance(10_000)
  model.asked.length = 0
  await clock.advance(600_000)
  expect(watch.cursor()).toBe(null)
  expect(model.asked.filter((path) => path === '/account_rewards').length).toBeLessThanOrEqual(301)
})
