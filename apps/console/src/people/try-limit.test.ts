import { expect, it } from 'vitest'
import { createTryLimit } from './try-limit.ts'

it('counts tries of each key within the window, and says when the next one is free', () => {
  let now = 0
  const take = createTryLimit({ tries: 2, windowMs: 1000, now: () => now })
  expect([take('a'), take('b')]).toStrictEqual([0, 0])
  now = 400
  expect([take('a'), take('a'), take('a'), take('b')]).toStrictEqual([0, 600, 600, 0])
  now = 1001
  expect([take('a'), take('a')]).toStrictEqual([0, 399])
})
