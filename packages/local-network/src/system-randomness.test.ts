import { expect, test } from 'vitest'
import { systemRandomness } from './system-randomness.ts'

test('draws another number in [0, 1) each time', () => {
  const drawn = Array.from({ length: 1000 }, systemRandomness)
  expect(new Set(drawn).size).toBe(drawn.length)
  expect(drawn.every((one) => one >= 0 && one < 1)).toBe(true)
  expect(drawn.filter((one) => one < 0.5).length).toBeGreaterThan(300)
})
