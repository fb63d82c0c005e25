import { expect, it } from 'vitest'
import { addressKey, createTryLimit } from './try-limit.ts'

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

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('counts %s as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})

it('counts all addresses of a site of 48 bits as one', () => {
  expect(
    ['2001:db8:1:2::9', '2001:db8:1:ffff::9', '2001:db8:2::9'].map((one) => addressKey(one, 3)),
  ).toStrictEqual([...['2001:db8:1', '2001:db8:1', '2001:db8:2']])
})
