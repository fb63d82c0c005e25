import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { duplicateKeyDelayMs, reconnectDelayMs } from './backoff.ts'

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
      fc.property(count, random, (duplicates, chance) => {
        const delayMs = duplicateKeyDelayMs({ duplicates, random: chance })
        expect(delayMs).toBeGreaterThanOrEqual(60_000)
        expect(delayMs).toBeLessThanOrEqual(990_000)
      }),
    ))
})
