import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNodeError } from '../errors/node-error.ts'
import { formatAmount, MAX_AMOUNT, parseAmount } from './amount.ts'

const codeOf = (text: string, decimals = 10) => {
  try {
    parseAmount(text, { decimals })
    return 'read'
  } catch (error) {
    return isNodeError(error) ? error.code : error
  }
}

describe('parseAmount and formatAmount', () => {
  it('come back to the same units for every amount and every number of decimals', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, MAX_AMOUNT), fc.integer({ min: 0, max: 10 }), (units, decimals) => {
        expect(parseAmount(formatAmount(units, { decimals }), { decimals })).toBe(units)
      }),
      { numRuns: 20_000 },
    )
  })

  it.each(['', ' 1', '1 ', '-1', '+1', '1e3', '1,5', '1.', '.5', '1.2.3', '0x1', '１', '1_000', 'NaN', '∞'])(
    'refuses %j by its form',
    (text) => expect(codeOf(text)).toBe('AMOUNT_MALFORMED'),
  )

  it('refuses more fraction digits than the token has, even zeros', () => {
    expect(codeOf('1.00000000000')).toBe('AMOUNT_TOO_PRECISE')
    expect(codeOf('1.0', 0)).toBe('AMOUNT_TOO_PRECISE')
  })

  it('refuses what does not fit into 64 bits', () => {
    expect(codeOf('1844674407.3709551615')).toBe('read')
    expect(codeOf('1844674407.3709551616')).toBe('AMOUNT_OUT_OF_RANGE')
    expect(codeOf('9'.repeat(400), 0)).toBe('AMOUNT_OUT_OF_RANGE')
  })

  it('shows a negative difference with its sign', () => {
    expect(formatAmount(-1n, { decimals: 10 })).toBe('-0.0000000001')
  })
})
