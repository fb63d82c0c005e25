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

  it('is read in full-width digits, and in those of every script', () => {
    expect(read('１．５', 'ja')).toBe(150n)
    expect(read('１２，５', 'de')).toBe(1_250n)
    const zeros = [
      0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0x1040, 0x17e0, 0x1a80, 0x1a90, 0xff10, 0x1d7ce, 0x1d7d8,
    ]
    for (const zero of zeros) {
      const typed = [1, 9, 0].map((digit) => String.fromCodePoint(zero + digit)).join('')
      expect([zero, read(typed)]).toStrictEqual([zero, 19_000n])
    }
  })

  it('is refused with numbers that are no decimal digits', () => {
    for (const text of ['½', '1½', '1²', '①', '⒈5', '一', 'Ⅷ'])
      expect([text, read(text)]).toStrictEqual([text, 'AMOUNT_MALFORMED'])
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
      ['１，０００', 'ja'],
      ['１．０００', 'de'],
      ['1\u00a0000', 'fr'],
    ] as const)
      expect([text, read(text, language)]).toStrictEqual([text, 'AMOUNT_MALFORMED'])
  })
})
