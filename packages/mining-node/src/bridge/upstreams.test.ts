import { expect, it } from 'vitest'
import { inTurn, NO_FAILURES, nextTurn, noted, pauseAfter } from './upstreams.ts'

const [a, b, c] = ['ws://a:1/', 'ws://b:1/', 'ws://c:1/'].map((url) => new URL(url)) as [URL, URL, URL]
const urls = [a, b, c]

it('gateways take turns', () => {
  const second = nextTurn(NO_FAILURES)
  expect([inTurn(urls, NO_FAILURES)[0], inTurn(urls, second)[0]]).toEqual([a, b])
  expect(inTurn(urls, nextTurn(nextTurn(second)))[0]).toBe(a)
})

it('those that do not answer come last, in all turns, until they answer', () => {
  const failing = noted(NO_FAILURES, b, false)
  expect(inTurn(urls, failing)).toEqual([a, c, b])
  expect(inTurn(urls, nextTurn(failing))).toEqual([c, a, b])
  expect(inTurn(urls, nextTurn(noted(failing, b, true)))[0]).toBe(b)
  expect(inTurn([b], failing)).toEqual([b])
})

it('they are tried again later each time, at least once a minute', () => {
  const twice = noted(noted(NO_FAILURES, b, false), b, false)
  expect(twice.failures.get(b.host)).toBe(2)
  expect([1, 2, 3, 10].map(pauseAfter)).toEqual([2_000, 4_000, 8_000, 60_000])
})
