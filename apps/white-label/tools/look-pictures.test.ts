import { checkBrand, deriveTheme } from '@hailstone/brand/check'
import { lookNames, looks } from '@hailstone/brand/tools'
import { describe, expect, it } from 'vitest'
import { goodBrand, goodSource } from '../../../packages/brand/test/good-brand.ts'
import { lookPictures } from './look-pictures.ts'

describe('the picture of a look', () => {
  it.each(lookNames)('has the colours, corners and fonts of an app with it: %s', (name) => {
    const { brand } = checkBrand({ source: { ...goodSource, config: { ...goodBrand, theme: looks[name] } } })
    if (brand === null) throw new Error('The brand is good.')
    const { theme } = deriveTheme(brand.theme)
    const palette = theme[theme.mode === 'dark' ? 'dark' : 'light']
    expect(lookPictures[name]).toEqual({
      background: palette.background,
      backgroundEnd: palette['background-end'],
      text: palette.text,
      primary: palette.primary,
      accent: palette.accent,
      radius: theme.radius.medium,
      buttonRadius: theme.buttonRadius,
      hero: theme.hero,
      font: theme.font.kind,
      headings: theme.headings.kind,
    })
  })
})
