import type { RewardRow } from '@hailstone/react'
import { expect, it } from 'vitest'
import { rewardsCsv } from './rewards-csv.ts'

const rowOf = (index: number) =>
  ({ index, timeMs: index, recordType: 'im', amount: 1n, recordHash: `h${index}` }) as unknown as RewardRow
/** Rewards with these running numbers, oldest first. */
const rowsFrom = (first: number, end: number) =>
  Array.from({ length: end - first }, (_, at) => rowOf(first + at))
const given = { count: 2_500, decimals: 0, symbol: 'HAIL' }
const numbers = (csv: string) =>
  csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => Number(line.split(',')[0]))

it('the file has every reward once, also where older ones are stored while it is read', async () => {
  for (const storedAt of [0, 1, 2, 3]) {
    let rows = rowsFrom(1_000, 3_500)
    let reads = 0
    const read = async (from: number, count: number) => {
      if (reads++ === storedAt) rows = [...rowsFrom(900, 1_000), ...rows]
      return rows.slice(from, from + count)
    }
    const found = numbers(await rewardsCsv(read, given))
    expect(found).toEqual(Array.from({ length: found.length }, (_, at) => 3_499 - at))
    expect(found.length).toBeGreaterThanOrEqual(2_500)
  }
})

it('the file has the rewards that were stored since the page has counted them, and none that is not there', async () => {
  const rows = rowsFrom(0, 2_600)
  expect(
    numbers(await rewardsCsv(async (from, count) => rows.slice(from, from + count), given)),
  ).toHaveLength(2_600)
  expect(numbers(await rewardsCsv(async () => [], given))).toEqual([])
})
