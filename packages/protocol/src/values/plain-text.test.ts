import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { symbol } from '../schema/leaves.ts'
import { plainJson, plainText } from './plain-text.ts'

const hostile = [
  ...['\u001b[2J', '\u001b]0;title\u0007', '\u009b31m', '\r', '\n', '\t', '\b', '\u007f', '\u0000', '\u0085'],
  ...[
    '\u202e',
    '\u2066',
    '\u200b',
    '\u200e',
    '\u2028',
    '\u2029',
    '\ufeff',
    '\u00ad',
    '\u3164',
    '\u{e0041}',
    '\ud800',
  ],
]

describe('plainText', () => {
  it.each(hostile)('leaves nothing of %j that a terminal acts on', (text) => {
    const shown = plainText(`DEV${text}X`)
    expect(shown).toMatch(/^DEV\uFFFD[\x20-\x7e\uFFFD]*X$/)
  })

  it('leaves what people read as it is', () => {
    const text = 'Tidewater Pearls — 25,5 ₿ 真珠 عربي →'
    expect(plainText(text)).toBe(text)
  })
})

describe('plainJson', () => {
  it('means the same and shows nothing else', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...hostile), (text, more) => {
        const json = plainJson(JSON.stringify({ text: text + more }))
        expect(JSON.parse(json)).toStrictEqual({ text: text + more })
        expect(plainText(json)).toBe(json)
      }),
    ))
})

describe('the symbol of a token that an API names', () => {
  const read = (ticker: string): unknown => symbol.read(ticker)
  it('keeps at most 32 characters, and none that is not shown', () => {
    expect(read('DEV')).toBe('DEV')
    expect(read('DEV\u001b[1A\u001b[2Kfee 0\n')).toBe('DEV\uFFFD[1A\uFFFD[2Kfee 0\uFFFD')
    expect(read('A'.repeat(1_000))).toBe('A'.repeat(32))
  })
})
