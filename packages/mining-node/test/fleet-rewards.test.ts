import { type Hash, type NodeError, sha256Hex } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { followFleetRewards } from '../src/fleet/fleet-rewards.ts'
import { rememberedJourney } from '../src/fleet/journey-store.ts'
import type { FleetReward } from '../src/fleet/rewards-of-macroblock.ts'
import { followTip } from '../src/watchers/chain-tip.ts'
import { blockOf, MINED_BEFORE, type PayingChain, paid, payingChain, somebody } from './paying-chain.ts'
import { type SteppedClock, steppedClock } from './stepped-clock.ts'

const POLL_MS = 500
const FIRST = BigInt(MINED_BEFORE)

function followed(chain: PayingChain, store = rememberedJourney(), areAccountsKnown = () => true) {
  const told: FleetReward[] = []
  const reverted: FleetReward[] = []
  const errors: NodeError[] = []
  const watch = followFleetRewards({
    client: chain.client,
    pollIntervalMs: POLL_MS,
    store,
    isOurs: (address) => address !== somebody,
    areAccountsKnown,
    onReward: (reward) => told.push(reward),
    onReverted: (reward) => reverted.push(reward),
    onError: (error) => errors.push(error),
  })
  const amountsOf = (rewards: readonly FleetReward[]) => rewards.map(({ amount }) => amount)
  return { told, errors, watch, amounts: () => amountsOf(told), gone: () => amountsOf(reverted) }
}

/** A journey that is at the newest macroblock. */
async function begun(clock: SteppedClock, areAccountsKnown?: () => boolean) {
  const chain = payingChain(clock)
  const journey = followed(chain, rememberedJourney(), areAccountsKnown)
  await clock.advance(POLL_MS)
  chain.mine()
  await clock.advance(10 * POLL_MS)
  expect(journey.amounts()).toEqual([FIRST])
  return { chain, ...journey }
}

it('asks one question for each block of a macroblock, and one for each microblock that paid us', async () => {
  const clock = steppedClock()
  const { chain, watch, amounts } = await begun(clock)
  chain.asked.length = 0
  const ours = blockOf([paid(7n), paid(3n, 'iref')])
  const others = blockOf([{ account: somebody, recordType: 'im', amount: 1n }])
  const stat = blockOf([{ account: somebody, recordType: 'istat', amount: 1n }])
  const { hash } = chain.mine({ microblocks: [ours, others], statBlocks: [stat] })
  await clock.advance(10 * POLL_MS)
  expect(amounts()).toEqual([FIRST, 7n, 3n])
  const isOfJourney = ({ path, name }: PayingChain['asked'][number]): boolean =>
    path !== '/height' && Number(name) !== chain.height()
  expect(chain.asked.filter(isOfJourney).map(({ path, name }) => `${path} ${name}`)).toEqual([
    `/macroblock_by_height ${chain.height() - 1}`,
    `/macroblock_by_height ${chain.height() - 1}`,
    `/eindex_by_hash ${ours.hash}`,
    `/mblock ${ours.hash}`,
    `/eindex_by_hash ${others.hash}`,
    `/eindex_by_hash ${hash}`,
    `/eindex_by_hash ${stat.hash}`,
  ])
  await watch.stop()
})

it.each(['/macroblock_by_height', '/eindex_by_hash', '/mblock'])(
  'never passes a macroblock that a node behind %s lacks, however long, and says so',
  async (path) => {
    const clock = steppedClock()
    const { chain, watch, amounts, errors } = await begun(clock)
    chain.mine()
    const lacking = chain.height() - 1
    // Whoever follows the height has seen it.
    let isKnown = false
    chain.behind = (asked) => {
      if (asked.path !== path) return 0
      if (path !== '/macroblock_by_height' || Number(asked.name) !== lacking || isKnown) return 1
      isKnown = true
      return 0
    }
    await clock.advance(600_000)
    expect(amounts()).toEqual([FIRST])
    expect(errors.length).toBeGreaterThan(20)
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['HEIGHT_UNAVAILABLE']))
    chain.mine()
    chain.behind = () => 0
    await clock.advance(60_000)
    expect(amounts()).toEqual([FIRST, FIRST + 1n, FIRST + 2n])
    await watch.stop()
  },
)

it.each([
  ['a microblock of a token that is not there', { microblocks: [blockOf([], 0n), blockOf([paid(9n)])] }],
  ['a statblock of an unknown pool', { microblocks: [blockOf([paid(9n)])], statBlocks: [blockOf([])] }],
])('%s has paid nobody once that is proved', async (_, parts) => {
  const clock = steppedClock()
  const { chain, watch, amounts, errors } = await begun(clock)
  chain.mine(parts)
  await clock.advance(10 * POLL_MS)
  expect(amounts()).toEqual([FIRST, 9n])
  expect(errors).toEqual([])
  await watch.stop()
})

it('a microblock that paid its publisher has records, whoever says that it has none', async () => {
  const clock = steppedClock()
  const { chain, watch, amounts, errors } = await begun(clock)
  const lost = blockOf([paid(9n)])
  chain.mine({ microblocks: [lost] })
  chain.behind = ({ path, name }) => (path === '/eindex_by_hash' && name === lost.hash ? 1 : 0)
  await clock.advance(60_000)
  expect(amounts()).toEqual([FIRST])
  expect(errors.map(({ code }) => code)).toContain('HEIGHT_UNAVAILABLE')
  chain.behind = () => 0
  await clock.advance(60_000)
  expect(amounts()).toEqual([FIRST, 9n])
  await watch.stop()
})

it('tells what was calculated in the first two seconds on a chain that is followed already', async () => {
  const clock = steppedClock()
  const chain = payingChain(clock)
  const other = followTip(chain.client, { pollIntervalMs: POLL_MS })
  await clock.advance(60_000)
  const { watch, amounts } = followed(chain)
  chain.mine()
  await clock.advance(POLL_MS)
  chain.mine()
  await clock.advance(60_000)
  expect(amounts()).toEqual([FIRST, FIRST + 1n])
  await watch.stop()
  await other.leave()
})

it('says so while the chain ends below the place of the run before', async () => {
  const clock = steppedClock()
  const store = rememberedJourney()
  await store.move({ next: MINED_BEFORE + 4, partings: 0, isLeaving: false })
  const { told, errors, watch } = followed(payingChain(clock), store)
  await clock.advance(20 * POLL_MS)
  expect(errors[0]).toMatchObject({ code: 'HEIGHT_UNAVAILABLE', facts: { height: MINED_BEFORE + 3 } })
  expect(told).toEqual([])
  await watch.stop()
})

it('tells nothing from before the beginning, on a chain that was followed and was away', async () => {
  const clock = steppedClock()
  const chain = payingChain(clock)
  const other = followTip(chain.client, { pollIntervalMs: POLL_MS })
  await clock.advance(60_000)
  chain.behind = () => 1
  for (let mined = 0; mined < 20; mined++) {
    await clock.advance(15_000)
    chain.mine()
    chain.behind = () => chain.height() - 2
  }
  chain.behind = () => 0
  const { watch, amounts } = followed(chain)
  await clock.advance(10 * POLL_MS)
  chain.mine()
  await clock.advance(60_000)
  expect(amounts()).toEqual([FIRST + 20n])
  await watch.stop()
  await other.leave()
})

/** True for one question about macroblocks, counted from zero, or for more that follow it. */
function onlyAt(nth: number, many = 1): (asked: { readonly path: string }) => boolean {
  let asked = -1
  return ({ path }) => path === '/macroblock_by_height' && ++asked >= nth && asked < nth + many
}
const QUESTIONS = [0, 1, 2, 3, 4, 5]

it.each(QUESTIONS)(
  'takes nothing back for question %i to a node that is behind where a macroblock was read in two versions',
  async (nth) => {
    const clock = steppedClock()
    const { chain, watch, amounts, gone } = await begun(clock)
    chain.mine({ microblocks: [blockOf([paid(7n)])] })
    chain.fork(1)
    chain.mine({ microblocks: [blockOf([paid(9n)])] })
    chain.isLeft = onlyAt(0)
    await clock.advance(4 * POLL_MS)
    expect(amounts()).toEqual([FIRST, 9n])
    await clock.advance(15_000)
    chain.mine()
    const isBehind = onlyAt(nth)
    chain.behind = (asked) => (isBehind(asked) ? 2 : 0)
    await clock.advance(60_000)
    expect([amounts(), gone()]).toEqual([[FIRST, 9n, FIRST + 2n], []])
    await watch.stop()
  },
)

it.each(QUESTIONS)(
  'takes nothing back for question %i and the next to a node on a fork that was left',
  async (nth) => {
    const clock = steppedClock()
    let areKnown = true
    const { chain, watch, amounts, gone } = await begun(clock, () => areKnown)
    areKnown = false
    for (const amount of [1n, 2n]) chain.mine({ microblocks: [blockOf([paid(amount)])] })
    chain.fork(2)
    await clock.advance(15_000)
    for (const amount of [7n, 8n, 9n]) chain.mine({ microblocks: [blockOf([paid(amount)])] })
    await clock.advance(10 * POLL_MS)
    chain.isLeft = onlyAt(nth, 2)
    areKnown = true
    await clock.advance(60_000)
    expect([amounts(), gone()]).toEqual([[FIRST, 7n, 8n, 9n], []])
    await watch.stop()
  },
)

it('takes back what a fork took once the chain has shown what is there instead', async () => {
  const clock = steppedClock()
  const { chain, watch, amounts, gone } = await begun(clock)
  for (const amount of [1n, 2n, 3n]) chain.mine({ microblocks: [blockOf([paid(amount)])] })
  await clock.advance(15_000)
  expect(amounts()).toEqual([FIRST, 1n, 2n, 3n])
  chain.fork(2)
  chain.mine({ microblocks: [blockOf([paid(8n)])] })
  await clock.advance(15_000)
  for (const amount of [9n, 10n]) chain.mine({ microblocks: [blockOf([paid(amount)])] })
  await clock.advance(60_000)
  expect([amounts(), gone()]).toEqual([
    [FIRST, 1n, 2n, 3n, 8n, 9n, 10n],
    [3n, 2n],
  ])
  await watch.stop()
})

it('takes nothing back while the node that answers is on a fork that was left', async () => {
  const clock = steppedClock()
  const { chain, watch, amounts, gone } = await begun(clock)
  for (const amount of [1n, 2n, 3n]) chain.mine({ microblocks: [blockOf([paid(amount)])] })
  chain.fork(3)
  for (const amount of [6n, 7n, 8n, 9n, 10n]) {
    await clock.advance(15_000)
    chain.mine({ microblocks: [blockOf([paid(amount)])] })
  }
  await clock.advance(15_000)
  chain.isLeft = () => true
  await clock.advance(30_000)
  chain.isLeft = () => false
  await clock.advance(30_000)
  expect([amounts(), gone()]).toEqual([[FIRST, 6n, 7n, 8n, 9n, 10n], []])
  await watch.stop()
})

it('takes nothing back of a fork that it passed first and the poll sees part below its beginning', async () => {
  const clock = steppedClock()
  const chain = payingChain(clock)
  let areKnown = false
  const { watch, amounts, gone } = followed(chain, rememberedJourney(), () => areKnown)
  await clock.advance(POLL_MS)
  chain.mine()
  await clock.advance(10 * POLL_MS)
  chain.fork(2)
  for (const amount of [7n, 8n]) chain.mine({ microblocks: [blockOf([paid(amount)])] })
  areKnown = true
  await clock.advance(15_000)
  expect(amounts()).toEqual([])
  chain.mine({ microblocks: [blockOf([paid(9n)])] })
  await clock.advance(15_000)
  expect([amounts(), gone()]).toEqual([[7n, 8n, 9n], []])
  await watch.stop()
})

it('takes nothing back for a node on a fork that was left, which has one macroblock more than another one that is behind', async () => {
  const clock = steppedClock()
  const chain = payingChain(clock)
  for (const amount of [5n, 6n, 7n]) chain.mine({ microblocks: [blockOf([paid(amount)])] })
  await clock.advance(30_000)
  chain.fork(3)
  const { watch, amounts, gone } = followed(chain)
  await clock.advance(POLL_MS)
  for (const amount of [1n, 2n]) {
    chain.mine({ microblocks: [blockOf([paid(amount)])] })
    await clock.advance(15_000)
  }
  expect(amounts()).toEqual([1n, 2n])
  chain.isLeft = () => true
  await clock.advance(30_000)
  expect(gone()).toEqual([])
  chain.isLeft = () => false
  for (const amount of [3n, 4n]) chain.mine({ microblocks: [blockOf([paid(amount)])] })
  await clock.advance(30_000)
  expect([amounts(), gone()]).toEqual([[1n, 2n, 3n, 4n], []])
  await watch.stop()
})

it('goes over to an older chain that is all that is shown for minutes', async () => {
  const clock = steppedClock()
  const chain = payingChain(clock)
  for (const amount of [5n, 6n, 7n]) chain.mine({ microblocks: [blockOf([paid(amount)])] })
  await clock.advance(30_000)
  chain.fork(3)
  const { watch, gone } = followed(chain)
  await clock.advance(POLL_MS)
  for (const amount of [1n, 2n]) {
    chain.mine({ microblocks: [blockOf([paid(amount)])] })
    await clock.advance(15_000)
  }
  chain.isLeft = () => true
  await clock.advance(400_000)
  expect(gone()).toEqual([2n, 1n])
  await watch.stop()
})

it('takes back what a young journey passed of a chain that began anew far below', async () => {
  const clock = steppedClock()
  const chain = payingChain(clock)
  for (let mined = 0; mined < 30; mined++) chain.mine()
  const { watch, amounts, gone } = followed(chain)
  await clock.advance(10 * POLL_MS)
  chain.mine({ microblocks: [blockOf([paid(7n)])] })
  await clock.advance(15_000)
  expect(amounts()).toEqual([7n])
  chain.fork(chain.height() - 2)
  chain.mine({ microblocks: [blockOf([paid(8n)])] })
  chain.mine({ microblocks: [blockOf([paid(9n)])] })
  await clock.advance(60_000)
  expect([amounts(), gone()]).toEqual([[7n, 8n, 9n], [7n]])
  await watch.stop()
})

it('tells nothing twice of a chain that was put back by more than is remembered', async () => {
  const clock = steppedClock()
  const chain = payingChain(clock)
  const { watch, amounts } = followed(chain)
  await clock.advance(10 * POLL_MS)
  const passed = Array.from({ length: 300 }, (_, mined) => FIRST + BigInt(mined))
  for (let mined = 0; mined < passed.length; mined++) {
    chain.mine()
    await clock.advance(15_000)
  }
  chain.fork(280)
  chain.mine({ microblocks: [] })
  for (const amount of [1n, 2n, 3n]) {
    chain.mine({ microblocks: [blockOf([paid(amount)])] })
    await clock.advance(15_000)
  }
  await clock.advance(60_000)
  expect(amounts()).toEqual([...passed, 1n, 2n, 3n])
  await watch.stop()
})

it('looks for its beginning again where what it passed was replaced below what the poll has read', async () => {
  const clock = steppedClock()
  const chain = payingChain(clock)
  let isAway = true
  chain.behind = () => {
    if (isAway) throw new Error('the API is away')
    return 0
  }
  const { watch, amounts, gone } = followed(chain)
  for (const amount of [1n, 2n, 3n]) {
    await clock.advance(15_000)
    chain.mine({ microblocks: [blockOf([paid(amount)])] })
  }
  isAway = false
  await clock.advance(16_000)
  expect(amounts()).toEqual([1n, 2n, 3n])
  chain.fork(5)
  const amountsOfNow = [6n, 7n, 8n, 9n, 10n, 11n]
  for (const amount of amountsOfNow) chain.mine({ microblocks: [blockOf([paid(amount)])] })
  await clock.advance(60_000)
  expect([amounts(), gone()]).toEqual([
    [1n, 2n, 3n, ...amountsOfNow],
    [3n, 2n, 1n],
  ])
  await watch.stop()
})

it('looks for its beginning again where that was replaced while no process looked', async () => {
  const clock = steppedClock()
  const chain = payingChain(clock)
  const store = rememberedJourney()
  const first = followed(chain, store)
  await clock.advance(10 * POLL_MS)
  await first.watch.stop()
  expect((await store.place())?.next).toBe(MINED_BEFORE)
  chain.fork(4)
  const amountsOfNow = [6n, 7n, 8n, 9n, 10n, 11n]
  for (const amount of amountsOfNow) {
    await clock.advance(15_000)
    chain.mine({ microblocks: [blockOf([paid(amount)])] })
  }
  const { watch, amounts } = followed(chain, store)
  await clock.advance(60_000)
  expect(amounts()).toEqual(amountsOfNow)
  await watch.stop()
  const again = followed(chain, store)
  await clock.advance(60_000)
  expect(again.amounts()).toEqual([])
  await again.watch.stop()
})

it('looks for its beginning below macroblocks that no node shows for a while', async () => {
  const clock = steppedClock()
  const chain = payingChain(clock)
  const store = rememberedJourney()
  const first = followed(chain, store)
  await clock.advance(10 * POLL_MS)
  await first.watch.stop()
  chain.fork(4)
  const amountsOfNow = [6n, 7n, 8n, 9n, 10n, 11n, 12n, 13n]
  for (const amount of amountsOfNow) {
    await clock.advance(15_000)
    chain.mine({ microblocks: [blockOf([paid(amount)])] })
  }
  const untilMs = clock.now() + 3_000
  chain.behind = ({ path, name }) => {
    const isBelow = path === '/macroblock_by_height' && Number(name) < chain.height() - 1
    return isBelow && clock.now() < untilMs ? 9 : 0
  }
  const { watch, amounts } = followed(chain, store)
  await clock.advance(60_000)
  expect(amounts()).toEqual(amountsOfNow)
  await watch.stop()
})

it('tells nothing from before its beginning when it is stopped there and started again', async () => {
  const clock = steppedClock()
  const chain = payingChain(clock)
  const store = rememberedJourney()
  for (let runs = 0; runs < 3; runs++) {
    const { watch, amounts } = followed(chain, store)
    await clock.advance(10 * POLL_MS)
    await watch.stop()
    expect(amounts()).toEqual([])
  }
  chain.mine()
  const { watch, amounts } = followed(chain, store)
  await clock.advance(60_000)
  expect(amounts()).toEqual([FIRST])
  await watch.stop()
})

it.each([3_600_000, -3_600_000])(
  'goes on where a chain began anew and the clocks are %i ms apart',
  async (apartMs) => {
    const clock = steppedClock()
    const chain = payingChain({ ...clock, now: () => clock.now() + apartMs })
    for (let mined = 0; mined < 30; mined++) chain.mine()
    const { watch, amounts, gone } = followed({ ...chain, client: { ...chain.client, clock } })
    const [before, now] = [
      [1n, 2n, 3n, 4n, 5n, 6n],
      [11n, 12n, 13n, 14n, 15n, 16n],
    ]
    for (const amount of before) {
      await clock.advance(15_000)
      chain.mine({ microblocks: [blockOf([paid(amount)])] })
    }
    await clock.advance(15_000)
    expect(amounts()).toEqual(before)
    chain.fork(chain.height() - 2)
    for (const amount of now) {
      chain.mine({ microblocks: [blockOf([paid(amount)])] })
      await clock.advance(15_000)
    }
    await clock.advance(60_000)
    expect([amounts(), gone()]).toEqual([[...before, ...now], [...before].reverse()])
    await watch.stop()
  },
)

it('asks no more while a macroblock holds it up for longer than the poll remembers', async () => {
  const clock = steppedClock()
  const { chain, watch } = await begun(clock)
  const {
    microblocks: [lost],
  } = chain.mine()
  chain.behind = ({ name }) => (name === lost?.hash ? chain.height() : 0)
  async function questions(macroblocks: number): Promise<number> {
    chain.asked.length = 0
    for (let mined = 0; mined < macroblocks; mined++) {
      chain.mine()
      await clock.advance(15_000)
    }
    return chain.asked.length
  }
  await questions(240)
  const before = await questions(10)
  await questions(40)
  expect(await questions(10)).toBeLessThan(1.2 * before)
  await watch.stop()
})

/** A run that passed a macroblock, and another one that goes on from there after two more. */
async function goneOnFrom(
  clock: SteppedClock,
  meanwhile: (chain: PayingChain) => void,
  earlier: (chain: PayingChain) => void = () => undefined,
) {
  const chain = payingChain(clock)
  const store = rememberedJourney()
  const before = followed(chain, store)
  await clock.advance(POLL_MS)
  earlier(chain)
  chain.mine({ microblocks: [blockOf([paid(1n)])] })
  await clock.advance(15_000)
  expect(before.amounts()).toEqual([1n])
  await before.watch.stop()
  meanwhile(chain)
  for (const amount of [3n, 4n]) chain.mine({ microblocks: [blockOf([paid(amount)])] })
  return { chain, ...followed(chain, store) }
}

it('takes back what another macroblock replaced under the same key block, whatever a node that was left behind shows', async () => {
  const clock = steppedClock()
  const { chain, watch, amounts, gone } = await goneOnFrom(clock, (chain) => {
    chain.fork(1)
    chain.mine({ microblocks: [blockOf([paid(2n)])] })
  })
  let left = 8
  chain.isLeft = ({ name }) => name === String(MINED_BEFORE) && left-- > 0
  await clock.advance(60_000)
  expect([amounts(), gone()]).toEqual([[2n, 3n, 4n], [1n]])
  await watch.stop()
})

it('takes nothing back for one node on a fork that was left, where the poll does not reach', async () => {
  const clock = steppedClock()
  const { chain, watch, amounts, gone } = await goneOnFrom(
    clock,
    () => undefined,
    (chain) => {
      for (const amount of [7n, 8n]) chain.mine({ microblocks: [blockOf([paid(amount)])] })
      chain.fork(2)
    },
  )
  const isFirst = [MINED_BEFORE, MINED_BEFORE + 1].map((height) => {
    let asked = 0
    return ({ name }: { readonly name: string }) => name === String(height) && asked++ === 0
  })
  chain.isLeft = (asked) => isFirst.some((is) => is(asked))
  await clock.advance(60_000)
  expect([amounts(), gone()]).toEqual([[3n, 4n], []])
  await watch.stop()
})

it('passes what is below a macroblock that no node answers for, in the end', async () => {
  const clock = steppedClock()
  const { chain, watch, amounts, gone } = await goneOnFrom(clock, (chain) => {
    for (const amount of [5n, 6n, 7n]) chain.mine({ microblocks: [blockOf([paid(amount)])] })
    chain.behind = ({ name }) => {
      if (name === String(MINED_BEFORE + 2)) throw new Error('it does not answer')
      return 0
    }
  })
  await clock.advance(400_000)
  expect(amounts()).toEqual([5n])
  chain.behind = () => 0
  await clock.advance(60_000)
  expect([amounts(), gone()]).toEqual([[5n, 6n, 7n, 3n, 4n], []])
  await watch.stop()
})

it('takes nothing back where every second answer is of a node on a fork that was left, below what the poll has read', async () => {
  const clock = steppedClock()
  const { chain, watch, amounts, gone } = await goneOnFrom(
    clock,
    () => undefined,
    (chain) => {
      for (const amount of [7n, 8n]) chain.mine({ microblocks: [blockOf([paid(amount)])] })
      chain.fork(2)
    },
  )
  const asked = new Map<string, number>()
  chain.isLeft = ({ path, name }) => {
    const count = asked.get(name) ?? 0
    asked.set(name, count + 1)
    const isOfFork = name === String(MINED_BEFORE) || name === String(MINED_BEFORE + 1)
    return path === '/macroblock_by_height' && isOfFork && count % 2 === 0
  }
  await clock.advance(60_000)
  expect([amounts(), gone()]).toEqual([[3n, 4n], []])
  await watch.stop()
})

it('takes back at once what a fork took, where a node that was left behind answers in between', async () => {
  const clock = steppedClock()
  const { chain, watch, amounts, gone, errors } = await goneOnFrom(clock, (chain) => {
    chain.mine()
    chain.fork(2)
    chain.mine({ microblocks: [blockOf([paid(2n)])] })
  })
  let asked = 0
  // The second answer about the macroblock above.
  chain.isLeft = ({ name }) => name === String(MINED_BEFORE + 1) && ++asked === 2
  await clock.advance(1)
  expect([amounts(), gone(), errors]).toEqual([[2n, 3n, 4n], [1n], []])
  await watch.stop()
})

it.each([
  ['is shown', (hash: Hash) => hash, 1, 4],
  ['is not shown', () => null, 60_000, 100],
  ['no node can be asked for', () => undefined, 60_000, 100],
] as const)('goes on above a macroblock with a snapshot that %s', async (_, shown, withinMs, questions) => {
  const clock = steppedClock()
  let asked = 0
  const { chain, watch, amounts, gone } = await goneOnFrom(clock, (chain) => {
    asked = chain.asked.length
    const hash = sha256Hex('ledger')
    chain.snapshot = { height: MINED_BEFORE, hash, shown: shown(hash) }
  })
  await clock.advance(withinMs)
  expect([amounts(), gone()]).toEqual([[3n, 4n], []])
  const about = chain.asked
    .slice(asked)
    .filter(({ path, name }) => path === '/macroblock' || name === String(MINED_BEFORE))
  expect(about.length).toBeLessThanOrEqual(questions)
  await watch.stop()
})

it('goes on where the poll skipped the macroblock above a snapshot, once a node shows it', async () => {
  const clock = steppedClock()
  const { chain, watch, amounts, gone } = await begun(clock)
  const hash = sha256Hex('ledger')
  chain.snapshot = { height: MINED_BEFORE, hash, shown: hash }
  chain.behind = ({ name }) => (name === String(MINED_BEFORE + 1) ? 3 : 0)
  for (const amount of [1n, 2n]) chain.mine({ microblocks: [blockOf([paid(amount)])] })
  await clock.advance(400_000)
  expect(amounts()).toEqual([FIRST])
  chain.behind = () => 0
  await clock.advance(60_000)
  expect([amounts(), gone()]).toEqual([[FIRST, 1n, 2n], []])
  await watch.stop()
})

it('takes nothing back for one answer about a macroblock below the memory of the poll', async () => {
  const clock = steppedClock()
  const { chain, watch, amounts, gone } = await begun(clock)
  const { microblocks } = chain.mine({ microblocks: [blockOf([paid(1n)])] })
  await clock.advance(15_000)
  chain.fork(1)
  for (const amount of [7n, 8n]) chain.mine({ microblocks: [blockOf([paid(amount)])] })
  // The poll sees that it is gone, and not yet what is there instead.
  let shown = 1
  chain.behind = ({ name }) => (name === String(MINED_BEFORE + 1) && shown-- <= 0 ? 2 : 0)
  await clock.advance(15_000)
  expect([amounts(), gone()]).toEqual([[FIRST, 1n], []])
  chain.fork(2)
  chain.mine({ microblocks })
  for (let mined = 0; mined < 120; mined++) chain.mine({ microblocks: [] })
  chain.behind = () => 0
  let answers = 0
  chain.isLeft = ({ name }) => name === String(MINED_BEFORE + 1) && ++answers === 3
  await clock.advance(60_000)
  expect([amounts(), gone()]).toEqual([[FIRST, 1n], []])
  await watch.stop()
})

it('takes back what a second fork took while a listener takes what the first one did', async () => {
  const clock = steppedClock()
  const chain = payingChain(clock)
  const [gone, errors]: [bigint[], NodeError[]] = [[], []]
  let goOn = (): void => undefined
  const watch = followFleetRewards({
    client: chain.client,
    pollIntervalMs: POLL_MS,
    store: rememberedJourney(),
    isOurs: (address) => address !== somebody,
    areAccountsKnown: () => true,
    onReward: () => undefined,
    onReverted: ({ amount }) => {
      gone.push(amount)
      return new Promise<void>((resolve) => {
        goOn = resolve
      })
    },
    onError: (error) => errors.push(error),
  })
  await clock.advance(POLL_MS)
  for (const amount of [1n, 2n, 3n, 4n]) chain.mine({ microblocks: [blockOf([paid(amount)])] })
  await clock.advance(15_000)
  chain.fork(1)
  for (const amount of [5n, 6n]) chain.mine({ microblocks: [blockOf([paid(amount)])] })
  await clock.advance(15_000)
  expect(gone).toEqual([4n])
  chain.fork(5)
  for (const amount of [7n, 8n]) chain.mine({ microblocks: [blockOf([paid(amount)])] })
  await clock.advance(15_000)
  goOn()
  await clock.advance(15_000)
  expect([gone, errors]).toEqual([[4n, 3n], []])
  goOn()
  await watch.stop()
})
