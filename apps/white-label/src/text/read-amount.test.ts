import { describe, expect, it } from 'vitest'
import { readAmount } from './read-amount.ts'

const read = (text: string, language = 'en'): bigint | string => {
  try {
    return readAmount(text, { language, decimals: 2 })
  } catch (error) {
    return (error as { readonly code: string }).code
  }
}

describe('an amount that somebody types', () => {
  it('is read in the digits of the keyboard, with the sign of the language', () => {
    expect(read('١٫٥', 'ar')).toBe(150n)
    expect(read('۱٫۵')).toBe(150n)
    expect(read('१.५', 'hi')).toBe(150n)
    expect(read('٣')).toBe(300n)
    expect(read(' 1,5 ', 'de')).toBe(150n)
  })

  it('may begin or end with the sign', () => {
    expect([read('.5'), read('1.'), read(',5', 'de'), read('1,', 'de')]).toStrictEqual([50n, 100n, 50n, 100n])
    expect([read('.'), read('..5'), read('5..'), read(',5'), read('1.', 'de')]).toStrictEqual(
      Array.from({ length: 5 }, () => 'AMOUNT_MALFORMED'),
    )
  })

  it('is refused with groups, which mean one thing here and another there', () => {
    for (const [text, language] of [
      ['1,000', 'en'],
      ['1.000', 'de'],
      ['1 000', 'fr'],
      ['١٬٠٠٠', 'ar'],
    ] as const)
      expect([text, read(text, language)]).toStrictEqual([text, 'AMOUNT_MALFORMED'])
  })
})
