import { walletFromPrivateKey } from '@hailstone/client'
import { type Address, type Hash, type NodeError, sha256Hex } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { balancedClient, seededRandom } from '../../test/balanced-client.ts'
import { modelChain } from '../../test/model-chain.ts'
import { steppedClock } from '../../test/stepped-clock.ts'
import * as checked from '../watch/checked-watches.ts'
import { followTip } from './chain-tip.ts'
import { followOthers, type OthersMined } from './follow-others.ts'
import { followPublications, type IncludedMicroblock } from './follow-publications.ts'
import { type MissedReferral, watchMissedReferrals } from './watch-missed-referrals.ts'

const account = `02${'ab'.repeat(32)}` as Address
const agent = walletFromPrivateKey(sha256Hex('agent')).address
const BLOCK_MS = 15_000
const BLOCKS = 40

const parted = (text: string, change: (value: never) => unknown): string =>
  text === '' ? text : JSON.stringify(change(JSON.parse(text) as never))

/** Every miner names the agent, which is not paid its half. */
function unpaid(path: string, text: string): string {
  if (path === '/mblock') {
    return parted(text, ({ header, ...rest }: { header?: object }) => ({
      ...rest,
      ...(header && { header: { ...header, referrer: agent } }),
    }))
  }
  if (path === '/eindex_by_hash') {
    return parted(text, (records: readonly object[]) =>
      records.flatMap((record) => [record, { ...record, rectype: 'iref' }, { ...record, rectype: 'iref' }]),
    )
  }
  return text
}

/** Two nodes behind one address, one of them three macroblocks behind. */
function twoNodes(seed: number, altered = (_: string, text: string): string => text) {
  const [model, clock, random] = [modelChain(account), steppedClock(), seededRandom(seed)]
  for (let block = 0; block < 5; block++) model.mine([])
  const client = balancedClient({ model, clock, altered, isBehind: () => random() < 0.5 })
  const errors: NodeError[] = []
  const onError = (error: NodeError): unknown => errors.push(error)
  return { model, clock, errors, common: { client, pollIntervalMs: 2_000, onError } }
}

const seeds = [1, 2, 3]

it.each(seeds)('every missed referral is told once, seed %i', async (seed) => {
  const { model, clock, errors, common } = twoNodes(seed, unpaid)
  const told: MissedReferral[] = []
  const watch = watchMissedReferrals({ ...common, address: agent, onMissed: (one) => told.push(one) })
  await clock.advance(BLOCK_MS)
  for (let block = 0; block < BLOCKS; block++) {
    model.mine([])
    await clock.advance(BLOCK_MS)
  }
  await clock.advance(20 * BLOCK_MS)
  await watch.stop()
  const heights = told.map(({ height }) => height)
  const [first = 0] = heights
  expect(heights).toEqual(Array.from({ length: model.height() - first }, (_, at) => first + at))
  expect(heights.length).toBeGreaterThanOrEqual(BLOCKS)
  expect(new Set(told.map(({ reason }) => reason))).toEqual(new Set(['stakeTooLow']))
  expect(errors.some(({ message }) => message.includes('which another answer names'))).toBe(true)
})

it('missed referrals are those of an address in either letter case', async () => {
  const [model, clock] = [modelChain(account), steppedClock()]
  model.mine([])
  const client = balancedClient({ model, clock, altered: unpaid, isBehind: () => false })
  const told: MissedReferral[] = []
  const onMissed = (one: MissedReferral): unknown => told.push(one)
  const watch = checked.watchMissedReferrals({ client, address: agent.toUpperCase(), onMissed })
  for (let block = 0; block < 3; block++) {
    model.mine([])
    await clock.advance(BLOCK_MS)
  }
  await watch.stop()
  expect(told.length).toBeGreaterThan(0)
})

it('no missed referral is dropped while hundreds of macroblocks wait', async () => {
  const [model, clock] = [modelChain(account), steppedClock()]
  const client = balancedClient({ model, clock, altered: unpaid, isBehind: () => false })
  let isAway = true
  const { transport } = client
  const told: number[] = []
  const watch = watchMissedReferrals({
    client: {
      ...client,
      transport: {
        request: (request) =>
          isAway && request.path === '/mblock'
            ? Promise.reject(new Error('away'))
            : transport.request(request),
      },
    },
    pollIntervalMs: 2_000,
    address: agent,
    onMissed: ({ height }) => told.push(height),
  })
  await clock.advance(BLOCK_MS)
  const first = model.height() - 1
  for (let block = 0; block < 250; block++) {
    model.mine([])
    await clock.advance(BLOCK_MS)
  }
  isAway = false
  await clock.advance(20 * BLOCK_MS)
  await watch.stop()
  expect(told).toEqual(Array.from({ length: 251 }, (_, at) => first + at))
})

it('missed referrals of a macroblock that was read from a fork are those that it holds now', async () => {
  const [model, clock] = [modelChain(account), steppedClock()]
  let isAway = false
  const client = balancedClient({
    ...{ model, clock, isBehind: () => false },
    altered: (path, text) => (isAway && path === '/mblock' ? 'away' : unpaid(path, text)),
  })
  const told: Hash[] = []
  const onMissed = ({ microblockHash }: MissedReferral): unknown => told.push(microblockHash)
  const watch = watchMissedReferrals({ client, pollIntervalMs: 2_000, address: agent, onMissed })
  await clock.advance(BLOCK_MS)
  isAway = true
  model.mine([])
  await clock.advance(BLOCK_MS)
  model.refill([])
  isAway = false
  await clock.advance(4 * BLOCK_MS)
  await watch.stop()
  expect(told.at(-1)).toBe(model.microblockHash())
})

it('missed referrals of a macroblock are not those of a fork that another node shows when one fails', async () => {
  const [model, clock] = [modelChain(account), steppedClock()]
  model.mine([])
  const early = model.microblockHash()
  const [isAway, isOnFork] = [{ is: false }, { is: false }]
  let height = 0
  const client = balancedClient({
    ...{ model, clock, isBehind: () => false },
    altered: (path, text) => {
      if (path === '/mblock' && isAway.is) return 'away'
      if (path !== '/macroblock_by_height' || !isOnFork.is) return unpaid(path, text)
      return parted(text, (macroblock: { readonly kblock?: { readonly n: number } }) =>
        macroblock.kblock?.n === height
          ? { ...macroblock, mblocks: [{ hash: early, tx_cnt: 1 }] }
          : macroblock,
      )
    },
  })
  const told: Hash[] = []
  const onMissed = ({ microblockHash }: MissedReferral): unknown => told.push(microblockHash)
  const watch = watchMissedReferrals({ client, pollIntervalMs: 2_000, address: agent, onMissed })
  for (let block = 0; block < 3; block++) {
    model.mine([])
    await clock.advance(BLOCK_MS)
  }
  told.length = 0
  isAway.is = true
  height = model.height()
  const mined = [0, 1].map(() => {
    model.mine([])
    return model.microblockHash()
  })
  await clock.advance(BLOCK_MS)
  isOnFork.is = true
  await clock.advance(2 * BLOCK_MS)
  isOnFork.is = false
  isAway.is = false
  await clock.advance(4 * BLOCK_MS)
  await watch.stop()
  expect(told).toEqual(mined)
})

it.each(seeds)('every published microblock is told as included, seed %i', async (seed) => {
  const { model, clock, common } = twoNodes(seed)
  const included: IncludedMicroblock[] = []
  const watch = followPublications({ ...common, onIncluded: (one) => included.push(one) })
  await clock.advance(BLOCK_MS)
  const published: Hash[] = []
  for (let block = 0; block < BLOCKS; block++) {
    model.mine([])
    published.push(model.microblockHash())
    watch.published(model.microblockHash(), model.keyBlockHash())
    await clock.advance(BLOCK_MS)
  }
  await clock.advance(20 * BLOCK_MS)
  await watch.stop()
  expect(included.map(({ microblockHash }) => microblockHash).sort()).toEqual([...published].sort())
})

it.each(seeds)('the miners of microblocks of others are known in the end, seed %i', async (seed) => {
  const { model, clock, common } = twoNodes(seed)
  const counted: OthersMined[] = []
  const others = followOthers({
    ...common,
    isOurs: () => false,
    isOurAccount: () => false,
    onCount: (mined) => counted.push(mined),
  })
  await clock.advance(BLOCK_MS)
  const { leave } = followTip(common.client, { pollIntervalMs: 2_000, onCalculated: others.calculated })
  for (let block = 0; block < 5; block++) {
    model.mine([])
    await clock.advance(BLOCK_MS)
  }
  for (let block = 0; block < 3; block++) await clock.advance(4 * BLOCK_MS)
  await leave()
  await others.stop()
  expect(counted.at(-1)).toMatchObject({ miners: 1 })
})
