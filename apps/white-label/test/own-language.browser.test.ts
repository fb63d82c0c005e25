import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectFine, routes, settled } from './accessibility.ts'
import { plain, useApp } from './app-harness.ts'
import { makeBrand, runBrand } from './brand-command.ts'

const app = useApp()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'own-language-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** Words of one Hebrew letter, as long as the English ones, in place of a translation. Values stay as they are. */
const translated = (text: string): string =>
  text.replaceAll(/\{\{\w+\}\}|[A-Za-z]+/g, (word) => (word.startsWith('{') ? word : 'ש'.repeat(word.length)))

const i18n = { default: 'en', enabled: ['en', 'he'] }
const enabled = ['--set', `i18n=${JSON.stringify(i18n)}`]

it('comes with a brand: begun by the command, refused until it is whole, and shown from right to left', async () => {
  const path = await makeBrand('hebrew', { folder, network: app.network })
  const file = join(path, 'i18n/he.json')
  const begun = await runBrand(['language', 'he', path])
  expect(begun.code, begun.said).toBe(0)
  const english: Record<string, string> = JSON.parse(await readFile(file, 'utf8'))
  const entries = Object.entries(english)
  expect(entries.map(([key]) => key)).toEqual(expect.arrayContaining(['mine.start', 'install.title']))

  await writeFile(file, JSON.stringify(Object.fromEntries(entries.slice(1))))
  const refused = await runBrand(['build', path, ...enabled, '--out', join(folder, 'out')])
  expect(refused.code, refused.said).toBe(1)
  expect(refused.said).toMatch(/language-incomplete[\s\S]*1 missing/)

  await writeFile(
    file,
    JSON.stringify(Object.fromEntries(entries.map(([key, text]) => [key, translated(text)]))),
  )
  const passed = await runBrand(['check', path, ...enabled])
  expect(passed.said).toContain('0 errors')
  expect(passed.said).not.toContain('language-untranslated')

  const url = await app.serve({ brandFolder: path, flags: { ...plain, i18n } })
  const device = { locale: 'he-IL', viewport: { width: 320, height: 640 } }
  const page = await app.open(url, device)
  await page.locator('.setup .actions').waitFor()
  await page.locator('html[lang=he][dir=rtl]').waitFor({ state: 'attached' })
  expect(await page.locator('.picker option').allTextContents()).toEqual(['English', 'עברית'])
  await expectFine(page, 'hebrew welcome')
  await page.locator('.picker select').selectOption('en')
  await page.locator('html[dir=ltr]').waitFor()

  await page.goto(await app.preview({ brandFolder: path, flags: { ...plain, i18n } }))
  await page.locator('html[dir=rtl]').waitFor()
  await settled(page, '/more/language')
  await page.getByText('English').click()
  await page.locator('html[dir=ltr]').waitFor()
  await page.getByText('עברית').click()
  await page.locator('html[dir=rtl]').waitFor()

  // No sentence of the app is English, nor the name of a text.
  const sentences = entries.flatMap(([key, text]) => (/\w+ \w+ \w+/.test(text) ? [key, text] : [key]))
  for (const route of routes.filter((one) => one !== '/unlock')) {
    await settled(page, route)
    const shown = await page.evaluate(() => document.body.innerText)
    expect(
      sentences.filter((sentence) => sentence.includes('.') && shown.includes(sentence)),
      route,
    ).toEqual([])
    expect(shown, route).toContain('ש')
  }
  await expectFine(page, 'hebrew more')

  // Without its texts the app is there in English, and says so of itself.
  const alone = await (await app.device({ locale: 'he-IL' })).newPage()
  await alone.route('**/brand/i18n/he.json', (route) => route.abort())
  await alone.goto(url)
  await alone.getByRole('button', { name: 'Create a wallet' }).waitFor()
  await alone.locator('html[lang=en][dir=ltr]').waitFor({ state: 'attached' })
})
