import { expect, it } from 'vitest'
import {
  EXPIRES_AFTER_MS,
  isGivenUp,
  NEVER_TRIED,
  triesIn,
  type WebhookTries,
  withFailure,
} from '../src/webhook/webhook-tries.ts'

const MINUTE_MS = 60_000
const NOW_MS = 1_700_000_000_000

/** Tries after attempts of one process, each so many ms after the one before. */
const afterRun = (before: WebhookTries, gapsMs: readonly number[], nowMs = NOW_MS): WebhookTries =>
  [null, ...gapsMs].reduce<WebhookTries>(
    (tries, sinceLastMs) => withFailure(tries, { sinceLastMs, nowMs }),
    before,
  )

it('an event is given up after a day of attempts of one process', () => {
  const almost = afterRun(
    NEVER_TRIED,
    Array.from({ length: 24 * 60 - 1 }, () => MINUTE_MS),
  )
  expect(isGivenUp(almost)).toBe(false)
  expect(isGivenUp(withFailure(almost, { sinceLastMs: MINUTE_MS, nowMs: NOW_MS }))).toBe(true)
})

it('attempts of all processes count, and the time between them does not', () => {
  let tries = NEVER_TRIED
  const days = 4
  for (let day = 0; day < days; day++) {
    expect(isGivenUp(tries)).toBe(false)
    // Six hours of attempts, and then the machine is off until tomorrow.
    const attempts = Array.from({ length: 6 * 60 }, () => MINUTE_MS)
    tries = afterRun(tries, attempts, NOW_MS + day * EXPIRES_AFTER_MS)
  }
  expect(isGivenUp(tries)).toBe(true)
  expect(tries.triedMs).toBe(EXPIRES_AFTER_MS + (days - 1) * MINUTE_MS)
})

it.each([
  ['forward by a year', 365 * EXPIRES_AFTER_MS, MINUTE_MS],
  ['back by a year', -365 * EXPIRES_AFTER_MS, 0],
])('a clock that is set %s between two processes counts a minute at most', (_, byMs, countsMs) => {
  const before = afterRun(NEVER_TRIED, [MINUTE_MS])
  const after = withFailure(before, { sinceLastMs: null, nowMs: NOW_MS + byMs })
  expect(after.triedMs - before.triedMs).toBe(countsMs)
  // From there on it is counted as before.
  const next = withFailure(after, { sinceLastMs: null, nowMs: NOW_MS + byMs + MINUTE_MS })
  expect(next.triedMs - after.triedMs).toBe(MINUTE_MS)
})

it('a process that makes one attempt a minute gives up as well', () => {
  let tries = NEVER_TRIED
  for (let minute = 0; !isGivenUp(tries); minute++)
    tries = withFailure(tries, { sinceLastMs: null, nowMs: NOW_MS + minute * MINUTE_MS })
  expect(tries.failures).toBe(24 * 60 + 1)
})

it('a machine that slept for a day between two attempts has not tried for a day', () => {
  expect(isGivenUp(afterRun(NEVER_TRIED, [EXPIRES_AFTER_MS]))).toBe(false)
})

it.each([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'tries'],
  ['half of it', { failures: 3 }],
  ['negative times', { failures: 3, triedMs: -1, lastAtMs: 0 }],
])('%s is an event that was never tried', (_, value) => {
  expect(triesIn(value)).toBe(NEVER_TRIED)
})
