import { describe, expect, it } from 'vitest'
import { gateSize } from '../../../../scripts/gate-size.ts'
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

const AMOUNTS = gateSize('HAILSTONE_AMOUNTS', { change: 200_000, night: 1_000_000 })

describe('parseAmount and formatAmount', () => {
  it(`B4, G-17: amounts of all sizes and decimals come back to the same units, ${AMOUNTS} of them`, () => {
    let state = 1
    const random32 = (): bigint => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return BigInt(state)
    }
    for (let count = 0; count < AMOUNTS; count++) {
      const units = ((random32() << 32n) | random32()) >> BigInt(count % 64)
      const decimals = count % 11
      const text = formatAmount(units, { decimals })
      if (parseAmount(text, { decimals }) !== units) expect({ text, decimals }).toBe(units)
    }
    expect(parseAmount(formatAmount(MAX_AMOUNT, { decimals: 10 }), { decimals: 10 })).toBe(MAX_AMOUNT)
  })

  it.each(['', ' 1', '1 ', '-1', '+1', '1e3', '1,5', '1.', '.5', '1.2.3', '0x1', '１', '1_000', 'NaN', '∞'])(
    'B4: refuses %j by its form',
    (text) => expect(codeOf(text)).toBe('AMOUNT_MALFORMED'),
  )

  it('refuses more fraction digits than the token has, even zeros', () => {
    expect(codeOf('1.00000000000')).toBe('AMOUNT_TOO_PRECISE')
    expect(codeOf('1.0', 0)).toBe('AMOUNT_TOO_PRECISE')
  })

  it('B1: refuses what does not fit into 64 bits', () => {
    expect(codeOf('1844674407.3709551615')).toBe('read')
    expect(codeOf('1844674407.3709551616')).toBe('AMOUNT_OUT_OF_RANGE')
    expect(codeOf('9'.repeat(400), 0)).toBe('AMOUNT_OUT_OF_RANGE')
  })

  it('tells a person who entered too much no function call', () => {
    const enter = () => parseAmount('9'.repeat(12), { decimals: 10 })
    expect(enter).toThrow('An amount is 0 to 18446744073709551615 units; got "9999999999990000000000".')
  })

  it.each([
    ['no token', () => formatAmount(25n, undefined as never), 'decimals', 'nothing'],
    ['decimals as text', () => formatAmount(25n, { decimals: '10' as never }), 'decimals', 'the text "10"'],
    ['a number of units', () => formatAmount(25 as never, { decimals: 10 }), 'amount', 'number 25'],
    ['no token to read with', () => parseAmount('25', undefined as never), 'decimals', 'nothing'],
  ])('refuses %s by the name of the parameter', (_, act, parameter, found) => {
    expect(act).toThrow(
      expect.objectContaining({
        code: 'ARGUMENT_INVALID',
        facts: expect.objectContaining({ parameter, found }),
      }),
    )
  })

  it('says of a number that it should be a text', () => {
    expect(() => parseAmount(25 as never, { decimals: 10 })).toThrow('it should be a text.')
  })

  it('shows a negative difference with its sign', () => {
    expect(formatAmount(-1n, { decimals: 10 })).toBe('-0.0000000001')
  })
})
