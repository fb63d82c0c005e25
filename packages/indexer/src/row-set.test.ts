import { expect, it } from 'vitest'
import { RowSet } from './row-set.ts'

it('knows which rows of a span are not there without a key for each', () => {
  const rows = new RowSet()
  const row = { token: 1, agent: 7, day: 20, microblocks: 1, earned: 0n, lost: 0n, new_miners: 0 }
  rows.load('agent_day', [row], [[1, 7]], { first: 10, last: 1_000_000_000 })
  expect([20, 10, 1_000_000_000].map((day) => rows.get('agent_day', 1, 7, day))).toEqual([
    row,
    undefined,
    undefined,
  ])
  for (const key of [
    [1, 7, 9],
    [1, 7, 1_000_000_001],
    [1, 8, 10],
    [2, 7, 10],
  ])
    expect(() => rows.get('agent_day', ...key)).toThrow('was not loaded')
})

it('refuses a row that was not asked for', () => {
  const rows = new RowSet()
  rows.load('holding', [], [[1, 7]])
  expect(rows.get('holding', 1, 7)).toBeUndefined()
  expect(() => rows.get('holding', 1, 8)).toThrow('was not loaded')
})
