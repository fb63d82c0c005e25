import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  colourBetween,
  contrastRatio,
  minContrast,
  PART_CONTRAST,
  relativeLuminance,
  TEXT_CONTRAST,
} from './contrast.ts'
import { deriveTheme, groundSteps, type ThemeInputs } from './derive-theme.ts'
import { nearestColour } from './nearest-colour.ts'
import { colourDistance, readOklch } from './oklch.ts'
import { themeCss } from './theme-css.ts'
import { colourTokens, contrastPairs, type Palette } from './theme-tokens.ts'

const inputs = (given: Partial<ThemeInputs>): ThemeInputs => ({
  primary: '#3454d1',
  accent: null,
  success: null,
  warning: null,
  danger: null,
  dark: { primary: null, accent: null },
  mode: 'system',
  radius: 'md',
  shape: 'soft',
  density: 'regular',
  hero: 'ring',
  ground: 'plain',
  font: { kind: 'system' },
  headings: { kind: 'system' },
  contrast: 'error',
  ...given,
})

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

const ground = fc.constantFrom('plain', 'tint', 'gradient')

const misfits = (palette: Palette): readonly string[] =>
  contrastPairs
    .filter(({ front, backs, kind }) => {
      const least = minContrast(
        palette[front],
        backs.flatMap((back) => (back === 'background' ? groundSteps(palette) : [palette[back]])),
      )
      return least < (kind === 'text' ? TEXT_CONTRAST : PART_CONTRAST)
    })
    .map(({ front, backs }) => `${front} on ${backs.join(', ')}`)

describe('contrast', () => {
  it('knows the ends of the scale and a published pair', () => {
    expect(contrastRatio('#000000', '#ffffff')).toBe(21)
    expect(contrastRatio('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
    expect(contrastRatio('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
    expect(relativeLuminance('#ff0000')).toBeCloseTo(0.2126, 4)
  })
})

describe('colourBetween', () => {
  it('mixes each channel by its share of the way', () => {
    expect([0, 0.25, 1].map((share) => colourBetween('#00ff10', '#80ff00', share))).toEqual([
      '#00ff10',
      '#20ff0c',
      '#80ff00',
    ])
  })
})

describe('nearestColour', () => {
  it('keeps a colour that passes', () => {
    expect(nearestColour('#123456', () => true)).toBe('#123456')
  })

  it('keeps the hue and moves no further than it must', () => {
    const found = nearestColour('#ffe600', (candidate) => contrastRatio(candidate, '#ffffff') >= 3) ?? ''
    expect(contrastRatio(found, '#ffffff')).toBeGreaterThanOrEqual(3)
    expect(contrastRatio(found, '#ffffff')).toBeLessThan(3.1)
    expect(Math.abs(readOklch(found).hue - readOklch('#ffe600').hue)).toBeLessThan(3)
  })

  it('says when nothing passes', () => {
    expect(nearestColour('#ffe600', () => false)).toBeUndefined()
  })
})

describe('deriveTheme', () => {
  it('passes every pair in both modes for any colours when it may fix them', () => {
    fc.assert(
      fc.property(colour, fc.option(colour), fc.option(colour), ground, (primary, accent, danger, ground) => {
        const { theme } = deriveTheme(inputs({ primary, accent, danger, ground, contrast: 'fix' }))
        expect(misfits(theme.light)).toEqual([])
        expect(misfits(theme.dark)).toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  it('passes every pair for any colours without a gap', () => {
    fc.assert(
      fc.property(colour, ground, (primary, ground) => {
        const { theme, gaps } = deriveTheme(inputs({ primary, ground }))
        const failing = { light: misfits(theme.light), dark: misfits(theme.dark) }
        for (const mode of ['light', 'dark'] as const) {
          expect(failing[mode].length > 0).toBe(gaps.some((gap) => gap.mode === mode))
        }
      }),
      { numRuns: 40 },
    )
  })

  it('finds bright yellow weak on light grounds only, and midnight blue on dark grounds only', () => {
    const modes = (primary: string) => deriveTheme(inputs({ primary })).gaps.map(({ mode }) => mode)
    expect(modes('#FFE600')).toEqual(['light'])
    expect(modes('#1A1A2E')).toEqual(['dark'])
  })

  it('proposes a near colour that passes where the gap is', () => {
    const [gap] = deriveTheme(inputs({ primary: '#1a1a2e' })).gaps
    expect(gap?.proposalPath).toBe('theme.dark.primary')
    const proposal = gap?.proposal ?? ''
    expect(
      deriveTheme(inputs({ primary: '#1a1a2e', dark: { primary: proposal, accent: null } })).gaps,
    ).toEqual([])
    expect(colourDistance('#1a1a2e', proposal)).toBeLessThan(0.4)
  })

  it('changes the ground from a tint of the main colour to that of the accent, in a gradient alone', () => {
    const groundOf = (ground: ThemeInputs['ground']) => {
      const { light } = deriveTheme(inputs({ primary: '#6a2fc9', accent: '#c2187a', ground })).theme
      return [light.background, light['background-end']] as const
    }
    const [first, last] = groundOf('gradient')
    expect(readOklch(first).hue).toBeCloseTo(readOklch('#6a2fc9').hue, -1)
    expect(readOklch(last).hue).toBeCloseTo(readOklch('#c2187a').hue, -1)
    expect(groundOf('tint')).toEqual([first, first])
    expect(new Set([...groundOf('plain'), first]).size).toBe(2)
  })

  it('refuses a colour that only the second end of a gradient makes too weak', () => {
    const gapsOf = (ground: ThemeInputs['ground']) =>
      deriveTheme(inputs({ primary: '#2f9e44', accent: '#c2187a', success: '#888888', ground })).gaps.filter(
        ({ path }) => path === 'theme.success',
      )
    expect(gapsOf('tint')).toEqual([])
    expect(gapsOf('gradient').map(({ mode }) => mode)).toEqual(['light'])
  })

  it('keeps a bright colour as the ground of buttons with dark text, and fixes where it is a part or a text', () => {
    const { light, dark } = deriveTheme(inputs({ primary: '#ffe600', contrast: 'fix' })).theme
    expect([light.brand, light['on-brand'], dark.brand]).toEqual(['#ffe600', '#000000', '#ffe600'])
    expect([light.primary, light['primary-text']]).not.toContain('#ffe600')
    // A dark one would be lost on a dark ground.
    const deep = deriveTheme(inputs({ primary: '#1a1a2e', contrast: 'fix' })).theme
    expect([deep.light.brand, deep.dark.brand]).toEqual(['#1a1a2e', deep.dark.primary])
    expect(deep.dark.brand).not.toBe('#1a1a2e')
  })

  it('uses colours of the brand exactly unless it may fix them', () => {
    expect(deriveTheme(inputs({ primary: '#FFE600' })).theme.light.primary).toBe('#FFE600')
    expect(deriveTheme(inputs({ primary: '#FFE600', contrast: 'fix' })).theme.light.primary).not.toBe(
      '#FFE600',
    )
  })
})

describe('themeCss', () => {
  it('writes every role for both modes and nothing that is not a typed value', () => {
    const css = themeCss(deriveTheme(inputs({})).theme)
    for (const token of colourTokens) expect(css.split(`--color-${token}:#`).length).toBe(5)
    expect(css).not.toContain('url(')
  })

  it('has a gradient and a second family only where the brand asks for them', () => {
    const plain = themeCss(deriveTheme(inputs({})).theme)
    expect(plain).toContain('--ground:none')
    expect(plain).toContain('--font-headings:system-ui')
    const font = { kind: 'own', family: 'Acme Sans', files: ['fonts/a.woff2'], licence: 'OFL-1.1' } as const
    const css = themeCss(deriveTheme(inputs({ ground: 'gradient', headings: font })).theme)
    expect(css).toContain('--ground:linear-gradient(')
    expect(css).toContain('--font-body:system-ui')
    expect(css).toContain('--font-headings:"Acme Sans", system-ui')
    expect(css.split('@font-face').length).toBe(2)
    expect(themeCss(deriveTheme(inputs({ font, headings: font })).theme).split('@font-face').length).toBe(2)
  })

  it('keeps the files of headings apart from those of one name, and draws a single one as it is', () => {
    const family = (file: string) =>
      ({ kind: 'own', family: 'Acme Sans', files: [`fonts/${file}.woff2`], licence: 'OFL-1.1' }) as const
    const { theme } = deriveTheme(inputs({ font: family('regular'), headings: family('bold') }))
    const css = themeCss(theme, '/brand/', () => false)
    expect(css).toContain('--font-body:"Acme Sans", system-ui')
    expect(css).toContain('--font-headings:"Acme Sans headings", system-ui')
    expect([
      ...css.matchAll(/font-family:("[^"]+");src:url\("([^"]+)"\).*?font-weight:([^;]+)/g),
    ]).toMatchObject([
      { 1: '"Acme Sans"', 2: '/brand/fonts/regular.woff2', 3: '400' },
      { 1: '"Acme Sans headings"', 2: '/brand/fonts/bold.woff2', 3: '100 900' },
    ])
  })

  it('names the files of an own font', () => {
    const font = { kind: 'own', family: 'Acme Sans', files: ['fonts/a.woff2'], licence: 'OFL-1.1' } as const
    const css = themeCss(deriveTheme(inputs({ font })).theme)
    expect(css).toContain('url("/brand/fonts/a.woff2")')
    expect(css).toContain('--font-body:"Acme Sans", system-ui')
  })
})
