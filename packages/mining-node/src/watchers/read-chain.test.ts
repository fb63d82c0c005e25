import type { Client } from '@hailstone/client'
import { type Address, type NodeError, sha256Hex } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { balancedClient, seededRandom } from '../../test/balanced-client.ts'
import { type ModelChain, modelChain } from '../../test/model-chain.ts'
import { MINED_BEFORE, payingChain } from '../../test/paying-chain.ts'
import { steppedClock } from '../../test/stepped-clock.ts'
import { until } from '../../test/until.ts'
import { followTip } from './chain-tip.ts'

const account = `02${'ab'.repeat(32)}` as Address
const POLL_MS = 2_000

const seeds = Array.from({ length: 20 }, (_, seed) => seed)
const otherRoot = (path: string, text: string): string =>
  path === '/macroblock_by_height' ? text.replace(/"m_root":"[^"]+"/, `"m_root":"${'ab'.repeat(32)}"`) : text

it.each([
  ['as it is', undefined],
  ['from a snapshot, whose roots do not fit', otherRoot],
])(
  'a chain %s is read without gaps over two nodes at random, and nothing is taken back',
  async (_, altered) => {
    for (const seed of seeds) {
      const [model, clock] = [modelChain(account), steppedClock()]
      const random = seededRandom(seed)
      for (let block = 0; block < 10; block++) model.mine([1n])
      const client = balancedClient({
        model,
        clock,
        isBehind: () => random() < 0.5,
        ...(altered && { altered }),
      })
      const read: number[] = []
      const reverted: number[] = []
      const { leave } = followTip(client, {
        pollIntervalMs: POLL_MS,
        onCalculated: ({ keyBlock }) => read.push(keyBlock.height),
        onReverted: ({ height }) => reverted.push(height),
      })
      for (let block = 0; block < 30; block++) {
        await clock.advance(15_000 * random())
        model.mine([1n])
      }
      const newest = model.height() - 1
      await until(() => clock.advance(POLL_MS).then(() => read.at(-1) === newest), 'it caught up')
      await leave()
      const [first = 0] = read
      expect(read).toEqual(Array.from({ length: newest + 1 - first }, (_unused, at) => first + at))
      expect(reverted).toEqual([])
    }
  },
)

/** A chain of which one macroblock, the next, is hidden for as long as is said. */
function withHidden() {
  const [model, clock] = [modelChain(account), steppedClock()]
  for (let block = 0; block < 3; block++) model.mine([1n])
  const hidden = model.height()
  const state = { isHidden: true }
  const client = model.clientOf(clock)
  const transport: Client['transport'] = {
    request: async (request) =>
      state.isHidden && request.query === `height=${hidden}`
        ? { status: 404, contentType: 'application/json', text: '{"err":1,"message":"no such height"}' }
        : client.transport.request(request),
  }
  const read: number[] = []
  const errors: NodeError[] = []
  const { leave } = followTip(
    { ...client, transport },
    {
      pollIntervalMs: POLL_MS,
      onCalculated: ({ keyBlock }) => read.push(keyBlock.height),
      onError: (error) => errors.push(error),
    },
  )
  return { model, clock, hidden, state, read, errors, leave }
}

it('a macroblock that a node does not have for two minutes is no hole', async () => {
  const { model, clock, hidden, state, read, errors, leave } = withHidden()
  await clock.advance(10_000)
  for (let block = 0; block < 4; block++) model.mine([1n])
  await clock.advance(120_000)
  expect(read).toEqual([hidden - 1])
  state.isHidden = false
  await clock.advance(30_000)
  await leave()
  expect(read).toEqual([-1, 0, 1, 2, 3].map((above) => hidden + above))
  expect(errors).toEqual([])
})

it('a macroblock that is missing for minutes below one that is there is a hole, which is reported', async () => {
  const { model, clock, hidden, read, errors, leave } = withHidden()
  await clock.advance(10_000)
  for (let block = 0; block < 4; block++) model.mine([1n])
  await clock.advance(600_000)
  await leave()
  expect(read).toEqual([-1, 1, 2, 3].map((above) => hidden + above))
  expect(errors.map(({ code, facts }) => [code, facts])).toEqual([['HEIGHT_UNAVAILABLE', { height: hidden }]])
})

it('begins below the first height of all, also where macroblocks could not be read before others followed', async () => {
  const [model, clock] = [modelChain(account), steppedClock()]
  for (let block = 0; block < 30; block++) model.mine([1n])
  const first = model.height()
  const state = { isFailing: true }
  const client = model.clientOf(clock)
  const transport: Client['transport'] = {
    request: async (request) => {
      if (state.isFailing && request.path.includes('macroblock')) throw new Error('cut')
      return client.transport.request(request)
    },
  }
  const read: number[] = []
  const { leave } = followTip(
    { ...client, transport },
    { pollIntervalMs: POLL_MS, onCalculated: ({ keyBlock }) => read.push(keyBlock.height) },
  )
  await clock.advance(1_000)
  for (let block = 0; block < 20; block++) model.mine([1n])
  state.isFailing = false
  await until(() => clock.advance(POLL_MS).then(() => read.at(-1) === model.height() - 1), 'it caught up')
  await leave()
  const [begun = Number.POSITIVE_INFINITY] = read
  expect(begun).toBeLessThanOrEqual(first)
  expect(read).toEqual(Array.from({ length: model.height() - begun }, (_, at) => begun + at))
})

it('is caught up with while a node names a height far above the macroblocks of another one, and not for ever', async () => {
  const [model, clock] = [modelChain(account), steppedClock()]
  for (let block = 0; block < 60; block++) model.mine([1n])
  const behind = { height: 50, macroblocks: 50 }
  const client = balancedClient({
    ...{ model, clock },
    isBehind: (path) => behind[path === '/height' ? 'height' : 'macroblocks'] > 0,
    blocksBehind: () => behind.macroblocks,
  })
  const { place, leave } = followTip(client, { pollIntervalMs: POLL_MS })
  const isCatchingUpAfter = async (ms: number): Promise<boolean> => {
    await clock.advance(ms)
    return place().isCatchingUp
  }
  expect(await isCatchingUpAfter(10_000)).toBe(false)
  Object.assign(behind, { height: 0, macroblocks: 30 })
  expect(await isCatchingUpAfter(10_000)).toBe(true)
  expect(await isCatchingUpAfter(400_000)).toBe(false)
  Object.assign(behind, { macroblocks: 20 })
  expect(await isCatchingUpAfter(10_000)).toBe(true)
  Object.assign(behind, { macroblocks: 5 })
  expect(await isCatchingUpAfter(10_000)).toBe(false)
  await leave()
})

it('is not caught up with for ever where the height is always far above the macroblocks', async () => {
  const [model, clock] = [modelChain(account), steppedClock()]
  for (let block = 0; block < 60; block++) model.mine([1n])
  const client = balancedClient({
    ...{ model, clock },
    isBehind: (path) => path !== '/height',
    blocksBehind: () => 30,
  })
  const { place, leave } = followTip(client, { pollIntervalMs: POLL_MS })
  for (let block = 0; block < 80; block++) {
    model.mine([1n])
    await clock.advance(15_000)
  }
  const { at, isCatchingUp } = place()
  await leave()
  expect(at?.height).toBeGreaterThan(100)
  expect(isCatchingUp).toBe(false)
})

it('goes on far above where the node that shows macroblocks is always behind the one that names the height', async () => {
  const [model, clock] = [modelChain(account), steppedClock()]
  for (let block = 0; block < 300; block++) model.mine([1n])
  const behind = { blocks: 280 }
  const client = balancedClient({
    ...{ model, clock },
    isBehind: (path) => behind.blocks > 2 || path !== '/height',
    blocksBehind: () => behind.blocks,
  })
  const { place, leave } = followTip(client, { pollIntervalMs: POLL_MS })
  await clock.advance(10_000)
  expect(place().at?.height).toBeLessThan(30)
  behind.blocks = 2
  await clock.advance(30_000)
  await leave()
  expect(place().at?.height).toBe(model.height() - 3)
})

it('takes a macroblock back that a fork filled anew, where a node that was left behind still shows it as it was', async () => {
  const clock = steppedClock()
  const chain = payingChain(clock)
  const read: number[] = []
  const reverted: number[] = []
  const { leave } = followTip(chain.client, {
    pollIntervalMs: POLL_MS,
    onCalculated: ({ keyBlock }) => read.push(keyBlock.height),
    onReverted: ({ height }) => reverted.push(height),
  })
  await clock.advance(POLL_MS)
  const block = (name: string) => ({ hash: sha256Hex(name), records: [], reward: 0n })
  chain.mine({ microblocks: [block('before')] })
  await clock.advance(15_000)
  expect(read.at(-1)).toBe(MINED_BEFORE)
  chain.fork(1)
  chain.mine({ microblocks: [block('after')] })
  chain.mine()
  let asked = 0
  chain.isLeft = ({ path, name }) =>
    path === '/macroblock_by_height' && name === String(MINED_BEFORE) && asked++ === 0
  await clock.advance(15_000)
  await leave()
  expect([reverted, read.slice(-2)]).toEqual([[MINED_BEFORE], [MINED_BEFORE, MINED_BEFORE + 1]])
})

it('takes nothing of a fork back for a node that was left behind and shows the next macroblock of before', async () => {
  const clock = steppedClock()
  const chain = payingChain(clock)
  const read: number[] = []
  const reverted: number[] = []
  const { leave } = followTip(chain.client, {
    pollIntervalMs: POLL_MS,
    onCalculated: ({ keyBlock }) => read.push(keyBlock.height),
    onReverted: ({ height }) => reverted.push(height),
  })
  await clock.advance(POLL_MS)
  const block = (name: string) => ({ hash: sha256Hex(name), records: [], reward: 0n })
  for (const name of ['one', 'two', 'three']) chain.mine({ microblocks: [block(name)] })
  await clock.advance(30_000)
  expect(read.at(-1)).toBe(MINED_BEFORE + 2)
  chain.fork(3)
  for (const name of ['other one', 'other two', 'other three', 'four']) {
    chain.mine({ microblocks: [block(name)] })
  }
  let asked = 0
  // The first question is about where the fork began; then it is read from there.
  chain.isLeft = ({ path, name }) => {
    const isNext = path === '/macroblock_by_height' && name === String(MINED_BEFORE + 1)
    return isNext && ++asked > 1 && asked < 6
  }
  await clock.advance(60_000)
  await leave()
  expect(reverted).toEqual([2, 1, 0].map((above) => MINED_BEFORE + above))
  expect(read.at(-1)).toBe(MINED_BEFORE + 3)
})

it('takes nothing back for an older fork that one of two nodes was left on, while the chain stands still', async () => {
  const clock = steppedClock()
  const chain = payingChain(clock)
  const reverted: number[] = []
  const { leave } = followTip(chain.client, {
    pollIntervalMs: POLL_MS,
    onCalculated: () => undefined,
    onReverted: ({ height }) => reverted.push(height),
  })
  for (let block = 0; block < 3; block++) chain.mine()
  await clock.advance(20_000)
  chain.fork(3)
  for (let block = 0; block < 2; block++) {
    chain.mine()
    await clock.advance(20_000)
  }
  const parted = [2, 1, 0].map((above) => MINED_BEFORE + above)
  expect(reverted).toEqual(parted)
  let polls = 0
  let isLeft = false
  chain.isLeft = ({ path }) => {
    if (path === '/height') isLeft = polls++ % 2 === 0
    return isLeft
  }
  await clock.advance(1_800_000)
  await leave()
  expect(reverted).toEqual(parted)
})

it('asks the other one of two addresses, where one is on an older fork and one macroblock ahead', async () => {
  const clock = steppedClock()
  const seconds = (): number => Math.floor(clock.now() / 1_000)
  const [stands, left] = [modelChain(account, seconds), modelChain(account, seconds)]
  const grow = async (chains: readonly ModelChain[], count: number): Promise<void> => {
    for (let block = 0; block < count; block++) {
      await clock.advance(15_000)
      for (const chain of chains) chain.mine([1n])
    }
  }
  await grow([stands, left], 20)
  await grow([left], 2)
  stands.rollBack(1)
  await grow([stands], 2)
  let used = stands
  const distrust = (): void => {
    used = used === stands ? left : stands
  }
  const pinned = () => {
    const { request } = used.clientOf(clock).transport
    return { source: '', request, distrust }
  }
  const reverted: number[] = []
  const transport = { request: pinned().request, pinned, distrust }
  const { place, leave } = followTip(
    { ...stands.clientOf(clock), transport },
    { pollIntervalMs: POLL_MS, onReverted: ({ height }) => reverted.push(height) },
  )
  await clock.advance(4_000)
  expect(left.height() - 1).toBe((place().at?.height ?? 0) + 1)
  // The first one failed once.
  used = left
  await grow([stands], 30)
  await clock.advance(4_000)
  await leave()
  expect([place().at?.height, reverted]).toEqual([stands.height() - 1, []])
})

it('takes nothing back for an older fork that one of two nodes is on, when it catches up with several macroblocks', async () => {
  for (const seed of seeds) {
    const clock = steppedClock()
    const chain = payingChain(clock)
    const random = seededRandom(seed)
    const grow = async (blocks: number): Promise<void> => {
      for (let block = 0; block < blocks; block++) {
        chain.mine()
        await clock.advance(15_000)
      }
    }
    await grow(4)
    chain.fork(4)
    await grow(3)
    const reverted: number[] = []
    const { leave } = followTip(chain.client, {
      pollIntervalMs: POLL_MS,
      onReverted: ({ height }) => reverted.push(height),
    })
    await clock.advance(10_000)
    const state = { isAway: true }
    chain.isLeft = () => {
      if (state.isAway) throw new Error('cut')
      return random() < 0.5
    }
    await grow(4)
    state.isAway = false
    await grow(4)
    await leave()
    expect(reverted).toEqual([])
  }
})

it('follows a fork at once whose first macroblocks are older', async () => {
  const clock = steppedClock()
  let seconds = 100
  const [stands, left] = [modelChain(account, () => seconds), modelChain(account, () => seconds, 'left')]
  const grow = (chain: ModelChain, blocks: number): void => {
    for (let block = 0; block < blocks; block++) {
      seconds += 15
      chain.mine([1n])
    }
  }
  grow(stands, 12)
  grow(left, 3)
  grow(stands, 2)
  let shown = left
  const request: Client['transport']['request'] = (asked) => shown.clientOf(clock).transport.request(asked)
  const { place, leave } = followTip(
    { ...left.clientOf(clock), transport: { request } },
    { pollIntervalMs: POLL_MS },
  )
  await clock.advance(POLL_MS)
  expect(place().at?.height).toBe(left.height() - 1)
  shown = stands
  await clock.advance(POLL_MS)
  await leave()
  expect(place().at?.hash).toBe(stands.keyBlockHash())
})
