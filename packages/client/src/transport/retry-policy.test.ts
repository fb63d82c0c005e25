import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  afterCall,
  decideRetry,
  defaultRetryPolicy,
  fullBudget,
  parseRetryAfter,
  type RetryCause,
  type RetryPolicy,
} from './retry-policy.ts'

const nowMs = Date.UTC(2026, 0, 1)
const policy = defaultRetryPolicy
const budget = fullBudget(policy)
const network: RetryCause = { kind: 'network' }
const question = { policy, attempt: 1, cause: network, budget, remainingMs: 10_000, random: 0.5, nowMs }

const cause = fc.oneof(
  fc.constant<RetryCause>({ kind: 'network' }),
  fc.constant<RetryCause>({ kind: 'timeout' }),
  fc.record({
    kind: fc.constant('status' as const),
    status: fc.constantFrom(400, 404, 429, 500, 502, 503, 504),
    retryAfter: fc.oneof(fc.constant(null), fc.nat().map(String), fc.string(), fc.constant('1000000000')),
  }),
)
const questions = fc.record({
  policy: fc.constant(policy),
  attempt: fc.integer({ min: 1, max: 9 }),
  cause,
  budget: fc.record({ retries: fc.double({ min: 0, max: 10, noNaN: true }) }),
  remainingMs: fc.double({ min: -10, max: 100_000, noNaN: true }),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  nowMs: fc.constant(nowMs),
})

describe('decideRetry', () => {
  it('never waits longer than the deadline, nor than Retry-After and jitter may be', () => {
    fc.assert(
      fc.property(questions, (asked) => {
        const decision = decideRetry(asked)
        if (!decision.retry) return
        expect(decision.delayMs).toBeGreaterThanOrEqual(0)
        expect(decision.delayMs).toBeLessThan(asked.remainingMs)
        expect(decision.delayMs).toBeLessThanOrEqual(policy.maxRetryAfterMs + policy.maxDelayMs)
      }),
    )
  })

  it('takes exactly one retry from the budget and never goes into debt', () => {
    fc.assert(
      fc.property(questions, (asked) => {
        const decision = decideRetry(asked)
        if (!decision.retry) return
        expect(asked.budget.retries - decision.budget.retries).toBeCloseTo(1, 3)
        expect(decision.budget.retries).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('does not repeat what cannot change: other statuses than 429, 502, 503 and 504', () => {
    for (const status of [200, 204, 301, 400, 401, 403, 404, 413, 418, 500, 501]) {
      const decision = decideRetry({ ...question, cause: { kind: 'status', status, retryAfter: null } })
      expect(decision).toStrictEqual({ retry: false, why: 'final' })
    }
    for (const status of [429, 502, 503, 504]) {
      const decision = decideRetry({ ...question, cause: { kind: 'status', status, retryAfter: null } })
      expect(decision.retry).toBe(true)
    }
  })

  it('stops after the attempts of the policy', () => {
    expect(decideRetry({ ...question, attempt: 3 }).retry).toBe(true)
    expect(decideRetry({ ...question, attempt: 4 })).toStrictEqual({ retry: false, why: 'attempts' })
  })

  it('doubles the ceiling of the jitter up to its maximum', () => {
    const patient: RetryPolicy = { ...policy, maxAttempts: 20 }
    const delays = [1, 2, 3, 6, 9].map((attempt) => {
      const decision = decideRetry({ ...question, policy: patient, attempt, random: 1 })
      return decision.retry ? decision.delayMs : null
    })
    expect(delays).toStrictEqual([200, 400, 800, 5000, 5000])
  })

  it('H9: honours Retry-After and clamps it to thirty seconds', () => {
    const asked = (retryAfter: string) =>
      decideRetry({
        ...question,
        random: 0,
        remainingMs: 100_000,
        cause: { kind: 'status', status: 429, retryAfter },
      })
    expect(asked('7')).toMatchObject({ delayMs: 7_000 })
    expect(asked('1000000000')).toMatchObject({ delayMs: 30_000 })
    expect(asked('garbage')).toMatchObject({ delayMs: 0 })
  })

  it('gives up at once when the server asks for more time than is left', () => {
    const cause: RetryCause = { kind: 'status', status: 503, retryAfter: '20' }
    expect(decideRetry({ ...question, cause })).toStrictEqual({ retry: false, why: 'deadline' })
  })
})

describe('the budget', () => {
  it('bounds the extra load of a dead server to ten percent once the burst is spent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), (calls) => {
        let left = fullBudget(policy)
        let extra = 0
        for (let call = 0; call < calls; call++) {
          left = afterCall(left, policy)
          for (let attempt = 1; ; attempt++) {
            const decision = decideRetry({ ...question, attempt, budget: left })
            if (!decision.retry) break
            left = decision.budget
            extra++
          }
        }
        expect(extra).toBeLessThanOrEqual(policy.budgetCapacity + calls * 0.1)
      }),
      { numRuns: 20 },
    )
  })

  it('fills up again while calls succeed, never above its capacity', () => {
    let left = { retries: 0 }
    for (let call = 0; call < 500; call++) left = afterCall(left, policy)
    expect(left.retries).toBe(policy.budgetCapacity)
  })
})

describe('parseRetryAfter', () => {
  it('H9: reads seconds and HTTP dates and nothing else', () => {
    expect(parseRetryAfter('120', nowMs)).toBe(120_000)
    expect(parseRetryAfter(' 0 ', nowMs)).toBe(0)
    expect(parseRetryAfter('Thu, 01 Jan 2026 00:00:05 GMT', nowMs)).toBe(5_000)
    expect(parseRetryAfter('Thu, 01 Jan 1970 00:00:05 GMT', nowMs)).toBe(0)
    for (const text of ['', '-1', '1.5', 'soon', '2026-01-02', '1e3', 'Thu, 99 Foo 2026 GMT']) {
      expect(parseRetryAfter(text, nowMs)).toBeNull()
    }
    expect(parseRetryAfter(null, nowMs)).toBeNull()
  })
})
