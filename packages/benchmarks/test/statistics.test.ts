import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judge, outcomeOf } from '../src/outcome.ts'
import { median, percentile, ratioInterval } from '../src/statistics.ts'

const samples = fc.array(fc.double({ min: 1, max: 1_000, noNaN: true }), { minLength: 1, maxLength: 20 })

describe('a median', () => {
  it('is one of the values, with at least half of them on each side', () => {
    fc.assert(
      fc.property(samples, (values) => {
        const middle = median(values)
        expect(values).toContain(middle)
        expect(values.filter((value) => value <= middle).length * 2).toBeGreaterThanOrEqual(values.length)
        expect(values.filter((value) => value >= middle).length * 2).toBeGreaterThanOrEqual(values.length)
      }),
    )
  })

  it('has no value without values', () => expect(() => median([])).toThrow(RangeError))

  it('of 99 in 100 is the largest but one', () => {
    expect(
      percentile(
        Array.from({ length: 100 }, (_, at) => at + 1),
        99,
      ),
    ).toBe(99)
  })
})

describe('the interval of a ratio', () => {
  it('holds the ratio, and is one point for samples that do not vary', () => {
    fc.assert(
      fc.property(samples, samples, (over, under) => {
        const { median: middle, low, high } = ratioInterval(over, under)
        expect(low).toBeLessThanOrEqual(high)
        expect(middle).toBe(median(over) / median(under))
      }),
      { numRuns: 20 },
    )
    expect(ratioInterval([6, 6, 6], [2, 2, 2])).toEqual({ median: 3, low: 3, high: 3 })
  })
})

describe('a goal', () => {
  const scores = [
    { name: 'ours', samples: [10, 11, 30] },
    { name: 'theirs', samples: [10, 10, 10] },
  ]

  it('is missed when the worse end of the interval misses it', () => {
    const goal = { what: 'as fast', over: 'ours', under: 'theirs', atLeast: 1.05 }
    expect(judge(goal, scores, true).verdict).toBe('missed')
    expect(judge({ ...goal, atLeast: 1 }, scores, true).verdict).toBe('reached')
    expect(judge({ ...goal, atLeast: undefined, atMost: 2 }, scores, true).verdict).toBe('missed')
  })

  it('is not judged on a busy machine', () => {
    const goal = { what: 'as fast', over: 'ours', under: 'theirs', atLeast: 1 }
    expect(judge(goal, scores, false).verdict).toBe('not measurable')
  })

  it('without its contestant is named and not judged', () => {
    const given = {
      id: 'P-0',
      title: '',
      unit: '',
      isMoreBetter: true,
      scores,
      pressures: [],
      wasQuiet: true,
    }
    const outcome = outcomeOf({ ...given, goals: [{ what: 'as fast', over: 'ours', under: 'nobody' }] })
    expect(outcome.goals).toEqual([])
    expect(outcome.notes).toEqual(['not judged, a contestant was absent: as fast'])
  })
})
