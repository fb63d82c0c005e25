import type { Hash, TokenId } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { createRestingMiners } from './resting-miners.ts'

const tokenId = '0'.repeat(64) as TokenId
const all = new Map([[tokenId, { count: 3, weight: 90n }]])

function setUp() {
  let nowMs = 1000
  const resting = createRestingMiners({ clock: { now: () => nowMs }, beaconIntervalMs: 100 })
  const left = () => resting.takeOff(all, true).get(tokenId)
  const offer = (id: number) =>
    resting.begin({ id, keyBlockHash: '' as Hash, nowMs, tokenId, isStaked: true, transactions: [] }, left())
  return { resting, left, offer, pass: (ms: number) => (nowMs += ms) }
}

test('a miner of average weight rests until it is known which one, and for the interval in all', () => {
  const { resting, left, offer, pass } = setUp()
  offer(1)
  expect(left()).toEqual({ count: 2, weight: 60n })
  resting.correct(1, 80n)
  expect(left()).toEqual({ count: 2, weight: 10n })
  pass(50)
  offer(2)
  expect(left()).toEqual({ count: 1, weight: 5n })
  pass(50)
  expect(left()).toEqual({ count: 2, weight: 85n })
  pass(50)
  expect(left()).toEqual({ count: 3, weight: 90n })
})

test('nobody rests for an offer that nobody got', () => {
  const { resting, left, offer } = setUp()
  offer(1)
  resting.correct(1, null)
  expect(left()).toEqual({ count: 3, weight: 90n })
})

test('miners without a stake are counted for themselves', () => {
  const { resting, offer } = setUp()
  offer(1)
  expect(resting.takeOff(all, false)).toEqual(all)
})

test('miners that left while they rested leave nothing below zero', () => {
  const { resting, offer } = setUp()
  for (const id of [1, 2, 3]) offer(id)
  const fewer = new Map([[tokenId, { count: 1, weight: 10n }]])
  expect(resting.takeOff(fewer, true).get(tokenId)).toEqual({ count: 0, weight: 0n })
})
