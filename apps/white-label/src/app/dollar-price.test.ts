import { describe, expect, it, vi } from 'vitest'
import { dollarText } from '../text/dollar-text.ts'
import { agedAt, centsOf, openDollarPrice, priceOf } from './dollar-price.ts'

const NOW = 1_700_000_000_000
const of = (exchange: number | null, coinGecko: number | null, decimals: number | null = 10) =>
  priceOf({ rawPrice: { exchange, coinGecko, decimals } }, NOW)

describe('a price in US dollars', () => {
  it('is that of the exchange, else that of the price service, else none', () => {
    expect(of(5, 7)).toEqual({ price: 5n, decimals: 10, source: 'exchange', readAtMs: NOW })
    expect(of(null, 7)).toEqual({ price: 7n, decimals: 10, source: 'service', readAtMs: NOW })
    expect(of(0, 7)?.source).toBe('service')
    for (const none of [of(null, null), of(0, 0), of(-1, null), of(5, 7, null), of(5, 7, -1), of(5, 7, 31)])
      expect(none).toBeNull()
    expect(priceOf({ rawPrice: undefined }, NOW)).toBeNull()
  })

  it('makes whole cents of any amount, to the last digit and never more', () => {
    const price = { price: 123_000_000n, decimals: 10 }
    expect(centsOf(10n ** 10n, price, 10)).toBe(1n)
    expect(centsOf(10n ** 12n, price, 10)).toBe(123n)
    expect(centsOf(10n ** 12n - 1n, price, 10)).toBe(122n)
    // Above what a number holds exactly.
    expect(centsOf(987_654_321_987_654_321_987n, { price: 1n, decimals: 0 }, 0)).toBe(
      98_765_432_198_765_432_198_700n,
    )
    expect(centsOf(10n ** 10n, { price: 1n, decimals: 12 }, 10)).toBe(0n)
  })

  it('is kept for an hour, and not on a clock that was set back', () => {
    const price = of(5, 7)
    expect(price).not.toBeNull()
    expect(agedAt(price, NOW)).toBe(price)
    expect(agedAt(price, NOW + 3_600_000)).toBe(price)
    expect(agedAt(price, NOW + 3_600_001)).toBeNull()
    expect(agedAt(price, NOW - 1)).toBeNull()
    expect(agedAt(null, NOW)).toBeNull()
  })

  it('is taken away by no node that lacks it, and is gone an hour after it was read', async () => {
    vi.useFakeTimers()
    vi.stubGlobal('document', {
      hidden: false,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    })
    const rawPrice = { exchange: 5, coinGecko: null, decimals: 10 }
    const answers: unknown[] = [{ rawPrice }, undefined, {}]
    const source = openDollarPrice({ getToken: async () => answers.shift() } as never, 'aa' as never)
    const leave = source.subscribe(() => undefined)
    await vi.advanceTimersByTimeAsync(59 * 60_000)
    expect([source.snapshot()?.price, answers.length]).toEqual([5n, 0])
    await vi.advanceTimersByTimeAsync(2 * 60_000)
    expect(source.snapshot()).toBeNull()
    leave()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  it('is written with two digits in every language', () => {
    expect(dollarText(0n, 'en')).toBe('$0.00')
    expect(dollarText(7n, 'en')).toBe('$0.07')
    expect(dollarText(123_456_789_012_345_678_905n, 'en')).toBe('$1,234,567,890,123,456,789.05')
    expect(dollarText(123_405n, 'de')).toMatch(/^1\.234,05\s\$$/)
    expect(dollarText(105n, 'ar')).toMatch(/1\.05|1,05/)
  })
})
