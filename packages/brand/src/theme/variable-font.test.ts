import { expect, it } from 'vitest'
import { blockFonts } from '../../test/block-fonts.ts'
import { isVariableFont } from './variable-font.ts'

it('tells a font with axes from one with a single weight', () => {
  expect(isVariableFont(blockFonts.variable)).toBe(true)
  expect(isVariableFont(blockFonts.regular)).toBe(false)
  expect(isVariableFont(blockFonts.bold)).toBe(false)
})

it('takes what ends early for a font without axes', () => {
  for (let length = 0; length < blockFonts.variable.length; length += 1) {
    const cut = isVariableFont(blockFonts.variable.subarray(0, length))
    expect(cut && length < 48, String(length)).toBe(false)
  }
  expect(isVariableFont(new Uint8Array(200).fill(0xff))).toBe(false)
})
