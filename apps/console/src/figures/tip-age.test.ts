import { expect, it } from 'vitest'
import { tipAge } from './tip-age.ts'

it('a macroblock grows older although the clock is set back an hour', () => {
  const index = {}
  const tip = { hash: 'a', time: 1_000 }
  expect(tipAge(index, tip, { nowMs: 1_005_900, steadyMs: 0 })).toBe(5)
  const nowMs = 1_060_000 - 3_600_000
  expect(tipAge(index, tip, { nowMs, steadyMs: 60_000 })).toBe(60)
  expect(tipAge(index, { hash: 'b', time: 1_060 }, { nowMs, steadyMs: 61_000 })).toBe(0)
  expect(tipAge({}, tip, { nowMs: 1_300_000, steadyMs: 61_000 })).toBe(300)
})
