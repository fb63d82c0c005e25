import { isNodeError } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { amountText } from './amount-text.ts'
import { readAmount } from './read-amount.ts'

const languages = ['en', 'ar', 'de', 'es', 'fr', 'hi', 'id', 'it', 'ja', 'ko', 'pt', 'ru', 'tr', 'zh']

describe('amounts as text', () => {
  it('are exact to the last unit, also where a number would round', () => {
    const units = 18_446_744_073_709_551_615n
    expect(amountText(units, { language: 'en', decimals: 10 })).toBe('1,844,674,407.3709551615')
    expect(amountText(units, { language: 'de', decimals: 10 })).toBe('1.844.674.407,3709551615')
    expect(amountText(units, { language: 'en', decimals: 0 })).toBe('18,446,744,073,709,551,615')
  })

  it('are cut in lists, never rounded, in digits that can be copied everywhere', () => {
    const short = (units: bigint, language = 'en'): string =>
      amountText(units, { language, decimals: 10, fractionMax: 4 })
    expect(short(1_000_048_446_629_995n)).toBe('100,004.8446…')
    expect(short(1_000_048_446_629_995n, 'de')).toBe('100.004,8446…')
    expect(short(1_000_048_446_629_995n, 'ar')).toBe('\u2066100,004.8446…\u2069')
    expect(short(9_999_999_999_999n)).toBe('999.9999…')
    expect(short(255_000_000_000n)).toBe('25.5')
    expect(short(5n)).toBe('0.0000…')
    expect(short(0n)).toBe('0')
  })

  it('can be read back in every language without their grouping', () => {
    for (const language of languages) {
      for (const units of [0n, 1n, 12_345n, 9_007_199_254_740_993n, 123_456_789_012_345_678n]) {
        const text = amountText(units, { language, decimals: 10 })
        const [sign = '.'] = amountText(15_000_000_000n, { language, decimals: 10 }).match(/[.,]/) ?? []
        const typed = text.replace(new RegExp(`[^0-9${sign}]`, 'g'), '')
        expect(readAmount(typed, { language, decimals: 10 }), `${language} ${text}`).toBe(units)
      }
    }
  })

  it('refuse what could be meant in two ways', () => {
    const code = (text: string, language: string): string | undefined => {
      try {
        readAmount(text, { language, decimals: 10 })
      } catch (error) {
        return isNodeError(error) ? error.code : 'OTHER'
      }
      return undefined
    }
    for (const text of ['1,234.5', '1,5', '１，２', '1e3', ' ', '', '-1', '+1', '1..2', '0x1', '1 000'])
      expect(code(text, 'en'), text).toBe('AMOUNT_MALFORMED')
    expect(code('1.234', 'de')).toBe('AMOUNT_MALFORMED')
    expect(readAmount('1,5', { language: 'de', decimals: 10 })).toBe(15_000_000_000n)
    expect(readAmount('1.5', { language: 'de', decimals: 10 })).toBe(15_000_000_000n)
    expect(code('0.00000000001', 'en')).toBe('AMOUNT_TOO_PRECISE')
    expect(code('99999999999', 'en')).toBe('AMOUNT_OUT_OF_RANGE')
  })
})
