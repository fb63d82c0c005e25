import { expect, it } from 'vitest'
import { createTryLimit } from './try-limit.ts'

it('counts tries of each key within the window, and says when the next one is free', () => {
  let now = 0
  const limit = createTryLimit({ tries: 2, windowMs: 1000, now: () => now })
  const take = (key: string): number => limit.take(key)
  expect([take('a'), take('b')]).toStrictEqual([0, 0])
  now = 400
  expect([take('a'), take('a'), take('a'), take('b')]).toStrictEqual([0, 600, 600, 0])
  now = 1001
  expect([take('a'), take('a')]).toStrictEqual([0, 399])
  limit.giveBack('a')
  expect([take('a'), take('a')]).toStrictEqual([0, 399])
  limit.clear('a')
  expect(take('a')).toBe(0)
})

it('forgets the key that was used longest ago, not one that somebody tries again and again', () => {
  const limit = createTryLimit({ tries: 2, windowMs: 1000, now: () => 0 })
  limit.take('ada')
  limit.take('old')
  limit.take('ada')
  for (let number = 0; number < 9_999; number++) limit.take(`stranger ${number}`)
  expect(limit.take('ada')).toBe(1000)
  for (const _ of [1, 2]) expect(limit.take('old')).toBe(0)
})

it('keeps the place of keys that count, whatever was given back, and forgets closed ones last', () => {
  const limit = createTryLimit({ tries: 1, windowMs: 1000, now: () => 0 })
  limit.take('closed')
  for (let number = 0; number < 20_000; number++) {
    limit.take(`busy ${number}`)
    limit.giveBack(`busy ${number}`)
  }
  expect(limit.take('closed')).toBe(1000)
  const wide = createTryLimit({ tries: 2, windowMs: 1000, now: () => 0 })
  for (const _ of [1, 2]) wide.take('closed')
  for (let number = 0; number < 20_000; number++) wide.take(`stranger ${number}`)
  expect(wide.take('closed')).toBe(1000)
})

it('forgets no key within the window if it may have any number of them, and every key after it', () => {
  let now = 0
  const limit = createTryLimit({
    tries: 2,
    windowMs: 1000,
    now: () => now,
    maxKeys: Number.POSITIVE_INFINITY,
  })
  limit.take('nearly closed')
  for (let number = 0; number < 20_000; number++) limit.take(`stranger ${number}`)
  expect([limit.take('nearly closed'), limit.take('nearly closed')]).toStrictEqual([0, 1000])
  now = 1001
  expect(limit.take('nearly closed')).toBe(0)
})
