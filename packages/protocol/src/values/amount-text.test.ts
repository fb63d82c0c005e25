import { describe, expect, it } from 'vitest'
import { MAX_AMOUNT } from './amount.ts'
import { amountParts, amountText, decimalSignOf } from './amount-text.ts'

type Row = readonly [
  units: bigint,
  decimals: number,
  language: string,
  fractionMax: number | undefined,
  text: string,
]

const all = Number.POSITIVE_INFINITY

const table: readonly Row[] = [
  [0n, 10, 'en', undefined, '0'],
  [0n, 0, 'de', undefined, '0'],
  [5n, 10, 'en', undefined, '0.000000…'],
  [5n, 10, 'en', all, '0.0000000005'],
  [10_000n, 10, 'en', undefined, '0.000001'],
  [19_999_999_999n, 10, 'en', undefined, '1.999999…'],
  [19_999_999_999n, 10, 'en', 0, '1…'],
  [20_000_000_000n, 10, 'en', 0, '2'],
  [255_000_000_000n, 10, 'en', 2, '25.5'],
  [12_000_001_000n, 10, 'en', undefined, '1.200000…'],
  [489_354_321_098_766n, 10, 'en', 2, '48,935.43…'],
  [489_354_321_098_766n, 10, 'en', undefined, '48,935.432109…'],
  [489_354_321_098_766n, 10, 'en', 8, '48,935.43210987…'],
  [489_354_321_098_766n, 10, 'en', 10, '48,935.4321098766'],
  [489_354_321_098_766n, 10, 'de', undefined, '48.935,432109…'],
  [489_354_321_098_766n, 10, 'es', undefined, '48.935,432109…'],
  [12_345_678_901_234n, 10, 'es', undefined, '1234,567890…'],
  [489_354_321_098_766n, 10, 'ar-EG', undefined, '٤٨٬٩٣٥٫٤٣٢١٠٩…'],
  [489_354_321_098_766n, 10, 'ar-EG', all, '٤٨٬٩٣٥٫٤٣٢١٠٩٨٧٦٦'],
  [489_354_321_098_766n, 10, 'ar-u-nu-latn', undefined, '48,935.432109…'],
  [12_345_678_900_000n, 5, 'hi', undefined, '12,34,56,789'],
  [12_345_678_901_234n, 5, 'hi', undefined, '12,34,56,789.01234'],
  [MAX_AMOUNT, 0, 'en', undefined, '18,446,744,073,709,551,615'],
  [MAX_AMOUNT, 0, 'hi', undefined, '1,84,46,74,40,73,70,95,51,615'],
  [MAX_AMOUNT, 10, 'de', undefined, '1.844.674.407,370955…'],
  [MAX_AMOUNT, 10, 'de', all, '1.844.674.407,3709551615'],
  [-489_354_321_098_766n, 10, 'en', undefined, '−48,935.432109…'],
  [-5n, 10, 'de', undefined, '−0,000000…'],
]

describe('an amount as people read it', () => {
  it.each(table)('%s units of %s decimals in %s with at most %s digits: %s', (...row) => {
    const [units, decimals, language, fractionMax, text] = row
    const style = { language, decimals, fractionMax }
    expect(amountText(units, style)).toBe(text)
    const { whole, fraction, isCut } = amountParts(units, style)
    expect(whole + fraction).toBe(text)
    expect(isCut).toBe(text.endsWith('…'))
  })

  it('is never more than the amount, and every digit that is shown is its own', () => {
    for (let units = 1n; units < 10n ** 20n; units = units * 7n + 3n) {
      for (let fractionMax = 0; fractionMax <= 10; fractionMax++) {
        const style = { language: 'en', decimals: 10 }
        const cut = amountText(units, { ...style, fractionMax }).replace('…', '')
        expect(amountText(units, { ...style, fractionMax: all }).startsWith(cut)).toBe(true)
      }
    }
  })

  it('has the sign of its language between coins and fraction', () => {
    expect(['en', 'de', 'ar-EG', 'ar-u-nu-latn'].map(decimalSignOf)).toEqual(['.', ',', '٫', '.'])
  })
})
