import { describe, expect, it } from 'vitest'
import { amountText, exactText } from './amount-text.ts'

const token = { symbol: 'HAIL', decimals: 10 }

describe('an amount', () => {
  it('is shown with two digits, a half rounded up, as no number of JavaScript could', () => {
    const shown = ['8399999999981', '839949999999', '839950000000', '25000000000', '0', '49999999']
    expect(shown.map((units) => amountText(units, token))).toStrictEqual([
      ...['840', '83.99', '84', '2.5', '0', '0'],
    ])
    expect(amountText('123456789012345678901234567890', token)).toBe(
      '12\u202f345\u202f678\u202f901\u202f234\u202f567\u202f890.12',
    )
    expect(amountText('99999999999999999999999950000000', token)).toBe(
      '10\u202f000\u202f000\u202f000\u202f000\u202f000\u202f000\u202f000',
    )
  })

  it('that somebody has is not shown higher than it is, and one that is missing is enough', () => {
    const [balance, missing] = [974_699_999_981n, 25_300_000_019n]
    expect(balance + missing).toBe(10n ** 12n)
    expect(amountText(String(balance), token, 'down')).toBe('97.46')
    expect(amountText(String(missing), token, 'up')).toBe('2.54')
    expect(amountText('25300000000', token, 'up')).toBe('2.53')
    expect(amountText('1', token, 'up')).toBe('0.01')
  })

  it('of a token with few digits is shown as it is', () => {
    for (const rounding of ['nearest', 'down', 'up'] as const) {
      expect(amountText('1999', { decimals: 0 }, rounding)).toBe('1\u202f999')
      expect(amountText('1999', { decimals: 2 }, rounding)).toBe('19.99')
      expect(amountText('5', { decimals: 1 }, rounding)).toBe('0.5')
    }
  })

  it('has every digit where it is pointed at', () => {
    expect(exactText('8399999999981', token)).toBe('839.9999999981 HAIL')
  })
})
