import type { Address, Hash } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import type { StakePoolState } from '../store/index.ts'
import { stakeFigures, stakeSums } from './stake-figures.ts'

const pool = (id: string, given: Partial<StakePoolState> = {}): StakePoolState => ({
  id: id as Hash,
  owner: '02' as Address,
  feeBps: 1000,
  name: id,
  stake: 100n,
  votes: 10,
  ...given,
})

const figures = (pools: readonly StakePoolState[], blocks = 10) =>
  stakeFigures({ pools, blocks, rewardPerBlock: 10n, blocksPerYear: 1000 })

test('ranks by stake and then by identifier, both descending', () => {
  const { pools } = figures([pool('a'), pool('c', { stake: 500n }), pool('b')])
  expect(pools.map(({ id, rank }) => [id, rank])).toEqual([
    ['c', 1],
    ['b', 2],
    ['a', 3],
  ])
})

test('shares count active pools alone where they say so', () => {
  const { pools, ...sums } = figures([pool('a', { stake: 300n }), pool('b', { votes: 0 })])
  expect(sums).toEqual({ totalStake: 400n, activeTotalStake: 300n, effectiveTotalStake: 300n })
  expect(pools[0]).toMatchObject({
    isActive: true,
    stakePower: 0.75,
    activeStakePower: 1,
    activeStakeShare: 0,
    effectiveStakePower: 1,
    uptime: 1,
  })
  expect(pools[1]).toMatchObject({
    isActive: false,
    stakePower: 0.25,
    activeStakePower: 0,
    activeStakeShare: 0.25,
    effectiveStakePower: 0,
    yearlyReturnBps: 0,
  })
})

test('half the votes are half the uptime, and half the effective stake', () => {
  const [half] = figures([pool('a', { votes: 5 })]).pools
  expect(half).toMatchObject({ uptime: 0.5, effectiveStake: 50 })
})

test('the yearly return is what the pool earns, less the part of its owner', () => {
  // 10 units a block, 1000 blocks: 10,000 on a stake of 100 are 10,000 percent; nine tenths are left.
  expect(figures([pool('a')]).pools[0]?.yearlyReturnBps).toBe(900_000)
})

test('an empty network has no sums, and a pool without delegations no shares that are not numbers', () => {
  expect(stakeSums({ pools: [], blocks: 0 })).toEqual({
    totalStake: null,
    activeTotalStake: null,
    effectiveTotalStake: null,
  })
  const [lonely] = figures([pool('a', { stake: null, votes: 0 })], 0).pools
  expect(lonely).toMatchObject({ stake: 0n, stakePower: null, uptime: 0, yearlyReturnBps: 0 })
})
