import type { Amount } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { dailyRatio } from './expected-returns.ts'

/** From the answers of the public handlers, vectors/api_responses.json. */
const table = [
  { stake: 250000000000n as Amount, stakeAfterOneDay: 250173309009n as Amount },
  { stake: 1250000000000n as Amount, stakeAfterOneDay: 1251065268802n as Amount },
  { stake: 2500000000000n as Amount, stakeAfterOneDay: 2508680226511n as Amount },
]

test('reads a stake of the table off it, and others between two of its lines', () => {
  expect(dailyRatio(table, 1250000000000)).toBeCloseTo(0.0008522150415999999, 15)
  expect(dailyRatio(table, 1033426862859)).toBeCloseTo(0.0008438858159867473, 15)
})

test('knows nothing below the first and above the last stake, nor without a table', () => {
  expect(dailyRatio(table, 1)).toBeUndefined()
  expect(dailyRatio(table, 2500000000001)).toBeUndefined()
  expect(dailyRatio(table, Number.NaN)).toBeUndefined()
  expect(dailyRatio([], 250000000000)).toBeUndefined()
})
