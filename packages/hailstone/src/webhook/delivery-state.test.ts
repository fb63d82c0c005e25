import { describe, expect, it } from 'vitest'
import {
  afterAttempt,
  afterUnread,
  type DeliveryState,
  NOTHING_TRIED,
  nextAttempt,
} from './delivery-state.ts'
import { EXPIRES_AFTER_MS } from './webhook-tries.ts'

const events = ['a', 'b', 'c'].map((id) => ({ id, ageMs: () => 0, atMs: 0, body: '{}' }))
const eventOf = (id: string) => ({ id, atMs: 0, body: '{}' })
const none = new Set<string>()
const away = { isDelivered: false, why: 'status 500', isRefused: false, retryAfterMs: null } as const
const refused = { ...away, why: 'status 400', isRefused: true } as const

/** The state after an attempt that began at the time and ended a millisecond later. Waits are not spread. */
const after = (
  state: DeliveryState,
  id: string,
  outcome: Parameters<typeof afterAttempt>[2],
  begunAt: number,
): DeliveryState =>
  afterAttempt(state, eventOf(id), outcome, { begunAt, now: begunAt + 1, nowMs: 0, random: 0.5 })[0]

const idAt = (state: DeliveryState, now: number, running = none) =>
  nextAttempt(state, events, running, now).event?.id

describe('the next attempt', () => {
  it('is at the oldest event, four at a time, and at one alone while the receiver is away', () => {
    const running = new Set(['a', 'x', 'y'])
    expect(idAt(NOTHING_TRIED, 0)).toBe('a')
    expect(idAt(NOTHING_TRIED, 0, running)).toBe('b')
    expect(idAt(NOTHING_TRIED, 0, new Set([...running, 'z']))).toBeUndefined()
    const one = nextAttempt(after(NOTHING_TRIED, 'a', away, 0), events, new Set(['x']), 9_999)
    expect(one).toEqual({ event: undefined, at: Infinity })
  })

  it('waits as long as the receiver asked for, and then is at the event that was tried least', () => {
    const state = after(NOTHING_TRIED, 'a', { ...away, retryAfterMs: 7_000 }, 0)
    expect(nextAttempt(state, events, none, 7_000)).toEqual({ event: undefined, at: 7_001 })
    expect(idAt(state, 7_001)).toBe('b')
    const all = after(after(state, 'b', away, 7_001), 'c', away, 7_003)
    expect(idAt(all, 60_000)).toBe('a')
  })

  it('is not held up by an event that is refused, until everything is', () => {
    let state = after(NOTHING_TRIED, 'a', refused, 0)
    expect(idAt(state, 1)).toBe('b')
    expect(nextAttempt(state, events.slice(0, 1), none, 1)).toEqual({ event: undefined, at: 1_001 })
    for (let attempt = 1; attempt < 8; attempt++) state = after(state, 'a', refused, 1)
    expect(nextAttempt(state, events, none, 2)).toMatchObject({ event: undefined, at: 1_002 })
  })

  it('is not held up by an event that cannot be read, also while the receiver is away', () => {
    const state = afterUnread(after(NOTHING_TRIED, 'b', away, 0), 'a', 2_000)
    expect(nextAttempt(state, events, none, 6_999)).toEqual({ event: undefined, at: 7_000 })
    expect(idAt(state, 7_000)).toBe('c')
    expect(nextAttempt(state, events.slice(0, 2), none, 7_000).event?.id).toBe('a')
  })

  it('is at nothing while nothing waits', () => {
    expect(nextAttempt(NOTHING_TRIED, [], none, 0)).toEqual({ event: undefined, at: Infinity })
  })
})

describe('an attempt', () => {
  it('that fails together with others counts once for the receiver', () => {
    const one = after(NOTHING_TRIED, 'a', away, 0)
    const both = after(one, 'b', away, 0)
    expect([one.failures, both.failures, after(both, 'c', away, 2).failures]).toEqual([1, 1, 2])
    expect(both.counts).toEqual({ delivered: 0, failedAttempts: 2, expired: 0 })
  })

  it('that succeeds ends all waiting for the receiver, and forgets its event alone', () => {
    const failed = after(after(NOTHING_TRIED, 'a', away, 0), 'b', refused, 0)
    const state = after(failed, 'b', { isDelivered: true }, 5)
    expect(state).toMatchObject({ failures: 0, refusals: 0, pausedUntil: -Infinity, failedAt: 1 })
    expect([...state.attempts.keys()]).toEqual(['a'])
    expect([...failed.attempts.keys()]).toEqual(['a', 'b'])
  })

  it('that ends a day of attempts gives its event up', () => {
    const tries = { failures: 9, triedMs: EXPIRES_AFTER_MS, lastAtMs: 0 }
    const at = { begunAt: 0, now: 1, nowMs: 0, random: 0 }
    const [state, left] = afterAttempt(NOTHING_TRIED, { ...eventOf('a'), tries }, away, at)
    expect([left, state.attempts.size, state.counts.expired]).toEqual([null, 0, 1])
    const [, kept] = afterAttempt(NOTHING_TRIED, eventOf('a'), away, at)
    expect(kept).toEqual({ failures: 1, triedMs: 0, lastAtMs: 0 })
  })
})
