import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  contestedDelayMs,
  failoverDelayMs,
  hintedDelayMs,
  lingeringDelayMs,
  localDelayMs,
  reconnectDelayMs,
  refusedDelayMs,
} from './backoff.ts'

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const count = fc.nat({ max: 100_000 })

describe('the way back', () => {
  it('spreads the first return over five seconds', () => {
    expect(reconnectDelayMs({ failures: 0, random: 0 })).toBe(0)
    expect(reconnectDelayMs({ failures: 0, random: 0.9 })).toBe(4500)
  })

  it('doubles the spread from four seconds to twenty, on top of one', () => {
    const longest = [1, 2, 3, 4, 5, 50].map((failures) => reconnectDelayMs({ failures, random: 1 }))
    expect(longest).toEqual([5000, 9000, 17_000, 21_000, 21_000, 21_000])
    expect(reconnectDelayMs({ failures: 7, random: 0 })).toBe(1000)
  })

  it('never waits longer than 21 seconds, whatever the count', () =>
    fc.assert(
      fc.property(count, random, (failures, chance) => {
        const delayMs = reconnectDelayMs({ failures, random: chance })
        expect(delayMs).toBeGreaterThanOrEqual(failures === 0 ? 0 : 1000)
        expect(delayMs).toBeLessThanOrEqual(21_000)
      }),
    ))

  it('leaves a contested key alone for at least a minute and at most sixteen and a half', () =>
    fc.assert(
      fc.property(count, random, (times, chance) => {
        const delayMs = contestedDelayMs({ times, random: chance })
        expect(delayMs).toBeGreaterThanOrEqual(60_000)
        expect(delayMs).toBeLessThanOrEqual(990_000)
      }),
    ))

  it.each([
    ['to another gateway at once, within a second and a half', failoverDelayMs, 0, 750],
    ['after something of this machine within half a second', localDelayMs, 0, 250],
    ['after a refusal in a minute or two', refusedDelayMs, 60_000, 90_000],
    ['when our own session lingers in ten to fifteen seconds', lingeringDelayMs, 10_000, 12_500],
  ])('leads %s', (_, delayMs, least, middle) => {
    expect(delayMs(0)).toBe(least)
    expect(delayMs(0.5)).toBe(middle)
  })

  it('doubles the wait for a contested key from one minute to sixteen, and spreads it over half a minute', () => {
    const at = (times: number, chance = 0): number => contestedDelayMs({ times, random: chance })
    expect([0, 1, 3, 4, 5].map((times) => at(times))).toEqual([60_000, 120_000, 480_000, 960_000, 960_000])
    expect(at(0, 0.5)).toBe(75_000)
  })

  it('is as a server asks, spread over its window or five seconds, each five minutes at most and never less than nothing', () => {
    expect(hintedDelayMs({ retryAfterMs: 2_000, windowMs: 10_000 }, 0.5)).toBe(7_000)
    expect(hintedDelayMs({ retryAfterMs: 2_000 }, 0.5)).toBe(4_500)
    expect(hintedDelayMs({ retryAfterMs: 1e9, windowMs: 1e9 }, 0.5)).toBe(450_000)
    expect(hintedDelayMs({ retryAfterMs: -5, windowMs: -5 }, 0.5)).toBe(0)
    expect(hintedDelayMs({ retryAfterMs: 0, windowMs: 0 }, 0.5)).toBe(0)
  })
})
