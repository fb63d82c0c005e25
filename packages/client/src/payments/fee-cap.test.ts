import { isNodeError } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { assertFeeWithinCap, type FeeCap, type PaymentFees } from './fee-cap.ts'

const token = { symbol: 'DEV', decimals: 10 }

const outcome = (
  fees: Omit<PaymentFees, 'token' | 'isShown'>,
  { nativeUnits = 10n, units = 0n, ...cap }: FeeCap = {},
): unknown => {
  try {
    assertFeeWithinCap({ ...fees, token, isShown: false }, { ...cap, units, nativeUnits })
    return 'accepted'
  } catch (error) {
    return isNodeError(error) ? [error.code, error.facts] : error
  }
}

describe('S-8, H2: the fee cap', () => {
  it('takes one percent of the amount and not a unit more', () => {
    expect(outcome({ amount: 1_000n, fee: 10n, nativeFee: 0n })).toBe('accepted')
    expect(outcome({ amount: 1_000n, fee: 11n, nativeFee: 0n })).toStrictEqual([
      'FEE_ABOVE_CAP',
      { fee: 11n, limit: 10n, token },
    ])
    expect(outcome({ amount: 999n, fee: 10n, nativeFee: 0n })).toMatchObject(['FEE_ABOVE_CAP', { limit: 9n }])
  })

  it('takes a fixed number of units where that is allowed', () => {
    expect(outcome({ amount: 1_000n, fee: 300n, nativeFee: 0n }, { units: 300n })).toBe('accepted')
    expect(outcome({ amount: 1_000n, fee: 301n, nativeFee: 0n }, { units: 300n })).toMatchObject([
      'FEE_ABOVE_CAP',
      { limit: 300n },
    ])
  })

  it('counts fees in native coins apart', () => {
    expect(outcome({ amount: 1n, fee: 0n, nativeFee: 10n })).toBe('accepted')
    expect(outcome({ amount: 10n ** 19n, fee: 0n, nativeFee: 11n })).toStrictEqual([
      'FEE_ABOVE_CAP',
      { fee: 11n, limit: 10n, token: undefined },
    ])
  })

  it('lets a person pay one coin where that costs a tenth, by default, and says what is allowed in coins', () => {
    const coin = 10n ** 10n
    const fees = { amount: coin, nativeFee: 0n, token, isShown: false }
    expect(() => assertFeeWithinCap({ ...fees, fee: coin / 10n }, { nativeUnits: coin })).not.toThrow()
    expect(() => assertFeeWithinCap({ ...fees, fee: coin / 5n }, { nativeUnits: coin })).toThrow(
      'a fee of 0.2 DEV; feeCap allows 0.1 DEV',
    )
  })

  it('takes a fee of a coin by default where it is shown to somebody, and not a unit more', () => {
    const coin = 10n ** 10n
    const fees = { amount: 3n * coin, nativeFee: 0n, token, isShown: true }
    expect(() => assertFeeWithinCap({ ...fees, fee: coin }, { nativeUnits: coin })).not.toThrow()
    expect(() => assertFeeWithinCap({ ...fees, fee: coin + 1n }, { nativeUnits: coin })).toThrow(
      'a fee of 1.0000000001 DEV; feeCap allows 1 DEV',
    )
  })

  it('does not round at any size', () => {
    const amount = 2n ** 64n - 1n
    expect(outcome({ amount, fee: amount / 100n, nativeFee: 0n })).toBe('accepted')
    expect(outcome({ amount, fee: amount / 100n + 1n, nativeFee: 0n })).toMatchObject(['FEE_ABOVE_CAP', {}])
  })
})
