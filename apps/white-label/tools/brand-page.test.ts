import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkBrandFolder } from '@hailstone/brand/tools'
import { beforeAll, expect, it } from 'vitest'
import { brandPage } from './brand-page.ts'
import { appFolder } from './build-brand.ts'

let shell: string
beforeAll(async () => {
  shell = await readFile(join(appFolder(), 'index.html'), 'utf8')
})

it('names the direction of every language that is written from right to left, and of no other', async () => {
  const { brand } = await checkBrandFolder({ folder: join(appFolder(), 'brands', 'jamr') })
  if (brand === null) throw new Error('the example is a brand')
  const pageIn = (language: string) =>
    brandPage(shell, { ...brand, i18n: { ...brand.i18n, default: language } })
  for (const language of ['ar', 'fa', 'he', 'ur', 'ckb', 'ps', 'sd', 'ug', 'yi', 'dv', 'pa-Arab', 'ar-EG'])
    expect(pageIn(language)).toContain(`<html lang="${language}" dir="rtl">`)
  for (const language of ['en', 'hi', 'pa', 'az', 'zh-Hant'])
    expect(pageIn(language)).toContain(`<html lang="${language}" dir="ltr">`)
})

async function pageWith(text: string): Promise<string> {
  const { brand } = await checkBrandFolder({ folder: join(appFolder(), 'brands', 'jamr') })
  if (brand === null) throw new Error('the example is a brand')
  return brandPage(shell, { ...brand, app: { ...brand.app, name: text, shortName: text, tagline: text } })
}

/** Returns the page without any occurrence of a text. */
const without = (page: string, text: string): string => page.split(text).join('')

it.each([
  "a $' b",
  'a $& b',
  'a $` b',
  'a $$ b',
  'a $1 $<name> b',
  '</title><script>alert(1)</script>',
  '"><script>alert(1)</script>',
  '<!-- brand -->',
  '<title>x</title><html lang="en">',
])('S-12: a name of %s is text in the page, and changes nothing else of it', async (hostile) => {
  const plain = await pageWith('PLAIN')
  const written = hostile
    .replaceAll('&', () => '&amp;')
    .replaceAll('<', () => '&lt;')
    .replaceAll('>', () => '&gt;')
    .replaceAll('"', () => '&quot;')
  const page = await pageWith(hostile)
  expect(page.split(written)).toHaveLength(plain.split('PLAIN').length)
  expect(without(page, written)).toBe(without(plain, 'PLAIN'))
})

it('S-12: a shell without a place for the brand is refused', async () => {
  const { brand } = await checkBrandFolder({ folder: join(appFolder(), 'brands', 'jamr') })
  if (brand === null) throw new Error('the example is a brand')
  for (const place of ['<!-- brand -->', '<html lang="en">', '<title>Mining</title>'])
    expect(() => brandPage(shell.split(place).join(''), brand)).toThrow('no place for a brand')
})
