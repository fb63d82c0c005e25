import { expect, it } from 'vitest'
import { daysLeft } from './emission.ts'

it.each([
  ['two days', { left: 20_000n, paid: 2_000n, days: 2 }, 20],
  ['seven days', { left: 20_000n, paid: 7_000n, days: 7 }, 20],
  ['no whole day', { left: 20_000n, paid: 0n, days: 0 }, Number.POSITIVE_INFINITY],
  ['an emission that is over', { left: 0n, paid: 0n, days: 7 }, 0],
])('forecasts the end of the emission by the rate of %s', (_, facts, days) => {
  expect(daysLeft(facts)).toBe(days)
})
