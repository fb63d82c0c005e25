import { brandSettings, checkBrand } from '@hailstone/brand/check'
import { describe, expect, it } from 'vitest'
import { withChange } from './brand-draft.ts'
import { settingOfFiles } from './chosen-files.ts'

const settingAt = (path: string) => {
  const found = brandSettings().find((one) => one.path === path)
  if (found === undefined) throw new Error(path)
  return found
}
const font = (size = 8) => Uint8Array.from({ length: size }, (_, at) => [0x77, 0x4f, 0x46, 0x32][at] ?? 0)
const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const drawing = new TextEncoder().encode('<svg/>')
const typeface = (name: string, bytes = font()) =>
  settingOfFiles(settingAt('theme.font'), [{ name, bytes }], undefined).value

describe('files chosen in the wizard', () => {
  it('become a typeface of the brand, to which only its licence is missing', () => {
    const { value, files } = settingOfFiles(
      settingAt('theme.font'),
      [{ name: 'KelpSans-Regular.woff2', bytes: font() }],
      'serif',
    )
    expect(value).toEqual({ family: 'Kelp Sans', files: ['fonts/KelpSans-Regular.woff2'] })
    expect([...files.keys()]).toEqual(['fonts/KelpSans-Regular.woff2'])
    const about = (config: object) =>
      checkBrand({ source: { config, files } })
        .findings.filter(({ path }) => path.startsWith('theme.font'))
        .map(({ name, path }) => `${name} ${path}`)
    const config = withChange({ schema: 1 }, { path: 'theme.font', value })
    expect(about(config)).toEqual(['required-missing theme.font.licence'])
    expect(about(withChange(config, { path: 'theme.font.licence', value: 'OFL-1.1' }))).toEqual([])
  })

  it('are in the order of their weight, and keep the licence that was there', () => {
    const chosen = ['Inter-Bold.woff2', 'Inter-Regular.woff2', 'Inter-SemiBold.woff2'].map((name) => ({
      name,
      bytes: font(),
    }))
    expect(settingOfFiles(settingAt('theme.headings'), chosen, { licence: 'OFL-1.1' }).value).toEqual({
      family: 'Inter',
      files: ['fonts/Inter-Regular.woff2', 'fonts/Inter-SemiBold.woff2', 'fonts/Inter-Bold.woff2'],
      licence: 'OFL-1.1',
    })
  })

  it.each([
    ['inter.woff2', 'inter'],
    ['kelp_sans-VariableFont_wght.woff2', 'kelp sans'],
    ['Schrift (1).woff2', 'Schrift 1'],
    ['字体.woff2', 'Own'],
    [`${'a'.repeat(60)}.woff2`, 'a'.repeat(40)],
  ])('name the family: %s', (name, family) => {
    expect(typeface(name)).toMatchObject({ family })
    const source = { config: { schema: 1, theme: { font: typeface(name) } }, files: new Map() }
    const names = checkBrand({ source }).findings.map((one) => one.name)
    expect(names).not.toContain('font-malformed')
    expect(names).not.toContain('font-not-woff2')
  })

  it('are refused where they are no font, too large, or for a setting without files', () => {
    expect(() => typeface('kelp.woff2', drawing)).toThrow('kelp.woff2 is no WOFF2 font.')
    expect(() => typeface('kelp.woff2', font(150_001))).toThrow(
      'kelp.woff2 has 151 kB: at most 150 kB are possible.',
    )
    expect(() =>
      settingOfFiles(settingAt('assets.art.welcome'), [{ name: 'a.svg', bytes: font(30_001) }], undefined),
    ).toThrow('at most 30 kB')
    expect(() =>
      settingOfFiles(settingAt('app.name'), [{ name: 'a.svg', bytes: drawing }], undefined),
    ).toThrow('takes no file')
  })

  it.each([
    ['assets.logo', 'Kelp.SVG', drawing, 'assets/logo.svg'],
    ['assets.logoDark', 'Kelp.PNG', png, 'assets/logoDark.png'],
    ['assets.art.welcome', 'kelp.svg', drawing, 'assets/art/welcome.svg'],
    // The bytes count more than the name; one that is no PNG keeps the ending that was meant.
    ['assets.icon', 'kelp.svg', png, 'assets/icon.png'],
    ['assets.icon', 'kelp.png', drawing, 'assets/icon.png'],
  ])('become the picture %s from %s', (path, name, bytes, file) => {
    const { value, files } = settingOfFiles(settingAt(path), [{ name, bytes }], undefined)
    expect([value, [...files.keys()]]).toEqual([file, [file]])
  })
})
