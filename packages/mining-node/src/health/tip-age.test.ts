import { expect, it } from 'vitest'
import { tipAgeOf, withHeight } from './tip-age.ts'

it('a tip is as old as its block says until it grows, and then as long as it was not seen to grow', () => {
  const minedAtMs = 1_000_000
  const ageOf = (tip: ReturnType<typeof withHeight>, atMs: number) =>
    tipAgeOf(tip, { atMs, unixMs: minedAtMs + 90_000, minedAtMs })
  const first = withHeight(null, 5, 100)
  expect(ageOf(first, 100)).toBe(90_000)
  expect(tipAgeOf(first, { atMs: 350, unixMs: 0 })).toBe(250)
  // The clock of the chain is ahead of this one.
  expect(tipAgeOf(first, { atMs: 350, unixMs: 0, minedAtMs })).toBe(250)
  const same = withHeight(first, 5, 5_000)
  expect(same).toBe(first)
  const grown = withHeight(same, 6, 8_000)
  expect(ageOf(grown, 9_000)).toBe(1_000)
  const fallen = withHeight(grown, 3, 10_000)
  expect(ageOf(fallen, 11_000)).toBe(3_000)
  expect(ageOf(withHeight(fallen, 4, 12_000), 12_500)).toBe(500)
})
