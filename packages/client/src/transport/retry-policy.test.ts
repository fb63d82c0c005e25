import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  afterCall,
  defaultRetryPolicy,
  parseRetryAfter,
  type RetryPolicy,
  retryDelay,
} from './retry-policy.ts'

const nowMs = Date.UTC(2026, 0, 1)
const policy = defaultRetryPolicy
const question = {
  policy,
  attempt: 1,
  retries: policy.budgetCapacity,
  remainingMs: 10_000,
  random: 0.5,
  nowMs,
}

const questions = fc.record({
  policy: fc.constant(policy),
  attempt: fc.integer({ min: 1, max: 9 }),
  answer: fc.option(
    fc.record({
      status: fc.constantFrom(400, 404, 429, 500, 502, 503, 504),
      retryAfter: fc.oneof(fc.constant(null), fc.nat().map(String), fc.string(), fc.constant('1000000000')),
    }),
    { nil: undefined },
  ),
  retries: fc.double({ min: 0, max: 10, noNaN: true }),
  remainingMs: fc.double({ min: -10, max: 100_000, noNaN: true }),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  nowMs: fc.constant(nowMs),
})

describe('retryDelay', () => {
  it('never waits longer than the deadline, nor than Retry-After and jitter may be', () => {
    fc.assert(
      fc.property(questions, (asked) => {
        const delayMs = retryDelay(asked)
        if (delayMs === null) return
        expect(delayMs).toBeGreaterThanOrEqual(0)
        expect(delayMs).toBeLessThan(asked.remainingMs)
        expect(delayMs).toBeLessThanOrEqual(policy.maxRetryAfterMs + policy.maxDelayMs)
      }),
    )
  })

  it('never takes a retry that the budget has not', () => {
    fc.assert(
      fc.property(questions, (asked) => {
        if (asked.retries < 1) expect(retryDelay(asked)).toBeNull()
      }),
    )
    expect(retryDelay({ ...question, retries: 1 })).not.toBeNull()
    expect(retryDelay({ ...question, retries: 0.9999 })).toBeNull()
  })

  it('does not repeat what cannot change: other statuses than passing ones of servers and edges', () => {
    for (const status of [200, 204, 301, 400, 401, 403, 404, 413, 418, 426, 501, 505, 525, 526]) {
      expect(retryDelay({ ...question, answer: { status, retryAfter: null } })).toBeNull()
    }
    const ofEdges = [520, 521, 522, 523, 524, 527, 530]
    for (const status of [408, 425, 429, 500, 502, 503, 504, ...ofEdges]) {
      expect(retryDelay({ ...question, answer: { status, retryAfter: null } })).toBe(100)
    }
  })

  it('stops after the attempts of the policy', () => {
    expect(retryDelay({ ...question, attempt: 3 })).not.toBeNull()
    expect(retryDelay({ ...question, attempt: 4 })).toBeNull()
  })

  it('doubles the ceiling of the jitter up to its maximum', () => {
    const longPolicy: RetryPolicy = { ...policy, maxAttempts: 20 }
    const delays = [1, 2, 3, 6, 9].map((attempt) =>
      retryDelay({ ...question, policy: longPolicy, attempt, random: 1 }),
    )
    expect(delays).toStrictEqual([200, 400, 800, 5000, 5000])
  })

  it('H9: honours Retry-After and clamps it to thirty seconds', () => {
    const asked = (retryAfter: string) =>
      retryDelay({ ...question, random: 0, remainingMs: 100_000, answer: { status: 429, retryAfter } })
    expect(asked('7')).toBe(7_000)
    expect(asked('1000000000')).toBe(30_000)
    expect(asked('garbage')).toBe(0)
  })

  it('gives up at once when the server asks for more time than is left', () => {
    const asked = (retryAfter: string) => retryDelay({ ...question, answer: { status: 503, retryAfter } })
    expect(asked('20')).toBeNull()
    expect(asked('9')).toBe(9_100)
  })
})

describe('the budget', () => {
  it('bounds the extra load of a dead server to ten percent once the burst is spent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), (calls) => {
        let retries = policy.budgetCapacity
        let extra = 0
        for (let call = 0; call < calls; call++) {
          retries = afterCall(retries, policy)
          for (let attempt = 1; retryDelay({ ...question, attempt, retries }) !== null; attempt++) {
            retries--
            extra++
          }
        }
        expect(extra).toBeLessThanOrEqual(policy.budgetCapacity + calls * 0.1)
        expect(retries).toBeGreaterThanOrEqual(0)
        // Of ten calls one retry comes back to the letter.
        if (calls > 100)
          expect(extra).toBeGreaterThanOrEqual(policy.budgetCapacity + Math.floor(calls * 0.1) - 1)
      }),
      { numRuns: 20 },
    )
  })

  it('fills up again while calls succeed, never above its capacity', () => {
    let retries = 0
    for (let call = 0; call < 500; call++) retries = afterCall(retries, policy)
    expect(retries).toBe(policy.budgetCapacity)
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
