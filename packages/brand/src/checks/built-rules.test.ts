import { expect, it } from 'vitest'
import { brandWith, bytesOf, goodFiles, goodSource } from '../../test/good-brand.ts'
import { textFiles } from '../generators/text-files.ts'
import { readRuntimeBrand } from '../runtime/read-runtime-brand.ts'
import { shippedLanguages } from '../schema/shipped-languages.ts'
import { builtFindings } from './built-rules.ts'
import { checkBrand, isBuildable } from './check-brand.ts'

type Case = { readonly config?: unknown; readonly news?: string }

/** Checks a brand and, if it may be built, reads its `brand.json` as the app does. */
function readBuilt({ config = goodSource.config, news }: Case) {
  const screen = news === undefined ? [] : [['screens/news.en.md', bytesOf(news)] as const]
  const files = new Map([...goodFiles, ...screen])
  const report = checkBrand({ source: { ...goodSource, config, files } })
  const { brand } = report
  const text = (made: Uint8Array | undefined): string => new TextDecoder().decode(made)
  if (brand === null || !isBuildable(report)) return { report, read: null }
  return { report, read: readRuntimeBrand(text(textFiles(brand, files).get('brand/brand.json'))) }
}

it.each([
  ['# Transcript: May\n\na', 'Transcript: May'],
  ['# Typescript : news\n\na', 'Typescript : news'],
  ['News  \nMay\n===\n\na', 'News May'],
])('a title that the check lets pass is read by the app: %j', (news, title) => {
  const { report, read } = readBuilt({ news })
  expect(report.findings).toEqual([])
  expect(read?.screens).toEqual([{ name: 'news', titles: [{ language: 'en', title }] }])
})

it('so is a tagline that ends like the name of a language of scripts', () => {
  const { read } = readBuilt({ config: brandWith('app.tagline', 'Postscript: dig') })
  expect(read?.app.tagline).toBe('Postscript: dig')
})

it('a brand that is larger than the app reads is refused before it is built', () => {
  const terms = `https://acme.example/${'a'.repeat(2_000)}`
  const translations = shippedLanguages.map((language) => ({ language, terms, privacy: terms }))
  const config = {
    ...(brandWith('legal.translations', translations) as object),
    links: { terms, privacy: terms, support: terms, whitepaper: terms },
    i18n: { default: 'en', enabled: shippedLanguages },
  }
  const { report } = readBuilt({ config })
  expect(report.findings.map(({ name, path }) => `${name} ${path}`)).toEqual(['refused-by-app brand.json'])
})

it('names the place and the value of what no other rule has found', () => {
  const { brand } = checkBrand({ source: goodSource })
  if (brand === null) throw new Error('the good brand is good')
  expect(builtFindings(brand, goodFiles)).toEqual([])
  const found = builtFindings({ ...brand, app: { ...brand.app, tagline: 'a{b' } }, goodFiles)
  expect(found).toMatchObject([{ name: 'refused-by-app', path: 'app.tagline', found: '"a{b"' }])
})
