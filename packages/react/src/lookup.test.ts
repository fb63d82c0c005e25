import { apiError } from '@hailstone/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLookup } from './lookup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A lookup whose answers are given one after the other; the last one is repeated. */
function lookupOf(answers: readonly (() => Promise<string | null>)[]) {
  let asked = 0
  const ask = () => answers[Math.min(asked++, answers.length - 1)]?.() ?? Promise.resolve(null)
  return { ...createLookup({ ask, everyMs: 600_000, nothingYet: 'nothing yet' }), asked: () => asked }
}

const nothing = async () => null
const down = () => Promise.reject(new Error('down'))
const silent = () => new Promise<never>(() => undefined)
const here = async () => 'here'

describe('a lookup', () => {
  it('believes that there is nothing when that was repeated', async () => {
    const lookup = lookupOf([nothing])
    lookup.subscribe(() => undefined)
    const seen = []
    for (const ms of [0, 4_000, 8_000]) {
      await vi.advanceTimersByTimeAsync(ms)
      seen.push(lookup.snapshot())
    }
    const yet = { status: 'failed', why: 'nothing yet' }
    expect(seen).toMatchObject([yet, yet, { status: 'ready', value: null }])
  })

  it('asks again in time although the clock was set back meanwhile', async () => {
    const lookup = lookupOf([here])
    lookup.subscribe(() => undefined)()
    await vi.advanceTimersByTimeAsync(600_000)
    vi.setSystemTime(Date.now() - 3_600_000)
    lookup.subscribe(() => undefined)
    expect(lookup.asked()).toBe(2)
  })

  it('forgets such answers, and no value, when one has something', async () => {
    const lookup = lookupOf([nothing, here, nothing])
    lookup.subscribe(() => undefined)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(lookup.snapshot()).toMatchObject({ status: 'ready', value: 'here' })
    await vi.advanceTimersByTimeAsync(600_000)
    expect(lookup.snapshot()).toMatchObject({ status: 'stale', value: 'here', why: 'nothing yet' })
  })

  it('does not load for ever where nobody answers', async () => {
    const lookup = lookupOf([silent, here])
    lookup.subscribe(() => undefined)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(lookup.snapshot()).toMatchObject({ status: 'failed', why: expect.stringContaining('no answer') })
    await vi.advanceTimersByTimeAsync(4_000)
    expect(lookup.snapshot()).toMatchObject({ status: 'ready', value: 'here' })
  })

  it('carries the error and its code beside the sentence', async () => {
    const error = apiError('REQUEST_TIMEOUT', { method: 'GET', path: '/token', timeoutMs: 5 })
    const lookup = lookupOf([() => Promise.reject(error)])
    lookup.subscribe(() => undefined)
    await vi.advanceTimersByTimeAsync(0)
    expect(lookup.snapshot()).toEqual({
      status: 'failed',
      why: error.message,
      error,
      code: 'REQUEST_TIMEOUT',
    })
  })

  it('that failed is asked again at once for whoever comes back', async () => {
    const lookup = lookupOf([here, down, here])
    const leave = lookup.subscribe(() => undefined)
    await vi.advanceTimersByTimeAsync(0)
    lookup.refresh()
    await vi.advanceTimersByTimeAsync(0)
    expect(lookup.snapshot()).toMatchObject({ status: 'stale', why: 'down' })
    leave()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(lookup.asked()).toBe(2)
    lookup.subscribe(() => undefined)
    await vi.advanceTimersByTimeAsync(0)
    expect(lookup.snapshot()).toMatchObject({ status: 'ready', value: 'here' })
  })
})
