import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkBrand, textFiles } from '@hailstone/brand/check'
import { loadBrandConfig, readBrandFiles } from '@hailstone/brand/tools'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServedFiles } from '../tools/serve-files.ts'
import { serveFiles } from '../tools/serve-files.ts'
import { expectFine } from './accessibility.ts'
import { brandFolder, go, importAccount, plain, untilKept, useApp } from './app-harness.ts'

const app = useApp()
const flags = { ...plain, i18n: { default: 'en', enabled: ['en', 'ar'] } }

const screens = {
  'news.en.md':
    '# News\n\n## May\n\nMining **begins** in *May*: [the plan](https://acme.example/plan).\n\n### Later\n\n3. one\n4. two\n',
  'news.ar.md':
    '# أخبار\n\n## مايو\n\nيبدأ **التعدين** في مايو: [الخطة](https://acme.example/plan).\n\n- واحد\n- اثنان\n',
  'questions.en.md':
    '# Questions\n\n## Why?\n\nBecause it is yours: [see **the terms** *here*](https://acme.example/terms).\n',
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hailstone-screens-'))
  await cp(brandFolder('jamr'), folder, { recursive: true })
  await mkdir(join(folder, 'screens'))
  for (const [name, text] of Object.entries(screens)) await writeFile(join(folder, 'screens', name), text)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const device = { viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' } as const

/** Builds a screen whose checks have errors, which no command does. */
async function builtOf(source: string): Promise<Uint8Array> {
  const { config } = await loadBrandConfig(folder)
  const { files } = await readBrandFiles(folder)
  const hostile = new Map([...files, ['screens/news.en.md', new TextEncoder().encode(source)]])
  const { brand } = checkBrand({ source: { config, files: hostile }, flags })
  const made = brand && textFiles(brand, hostile).get('brand/screens/news.en.json')
  if (!made) throw new Error('There is no such screen.')
  return made
}

describe('screens from Markdown of the brand', () => {
  it('are rows under More, with headings, lists and links out of the app', async () => {
    const page = await app.open(await app.preview({ brandFolder: folder, flags }), device)
    await page.getByRole('link', { name: 'More', exact: true }).click()
    await page.getByRole('region', { name: 'Jamr' }).getByRole('link', { name: 'News' }).click()
    await page.locator('h1:focus', { hasText: 'News' }).waitFor()
    await page.getByRole('heading', { level: 2, name: 'May' }).waitFor()
    await page.getByRole('heading', { level: 3, name: 'Later' }).waitFor()
    expect(await page.locator('article ol').getAttribute('start')).toBe('3')
    expect(await page.locator('article strong').innerText()).toBe('begins')
    const link = page.getByRole('link', { name: /the plan/ })
    expect(await link.innerText()).toContain('acme.example')
    expect(await link.evaluate(({ outerHTML }) => outerHTML)).toMatch(
      /target="_blank" rel="noopener noreferrer"/,
    )
    await expectFine(page, 'screen')
    await go(page, '/more/screens/questions')
    await page.getByRole('link', { name: 'see the terms here acme.example', exact: true }).waitFor()
    expect(await page.locator('article a').count()).toBe(1)

    await go(page, '/more/screens/never')
    await page.getByRole('heading', { level: 1, name: 'More' }).waitFor()
  })

  it('are read from right to left in Arabic, and in the language of the brand where Arabic is missing', async () => {
    const page = await app.open(await app.preview({ brandFolder: folder, flags }), device)
    await go(page, '/more/language')
    await page.getByRole('radio', { name: 'العربية' }).click()
    await page.locator('html[dir="rtl"]').waitFor()
    await go(page, '/more/screens/news')
    await page.locator('article[lang="ar"][dir="rtl"]').getByText('واحد').waitFor()
    await expectFine(page, 'screen-arabic')
    await go(page, '/more/screens/questions')
    await page.locator('h1[lang="en"]', { hasText: 'Questions' }).waitFor()
    await page.locator('article[lang="en"][dir="ltr"]').getByText('Because it is yours:').waitFor()
    await expectFine(page, 'screen-fallback')
  })

  it('show HTML and addresses of scripts as the text they are, and refuse a file that no build wrote', async () => {
    const files = new Map(await app.files({ brandFolder: folder, flags }))
    const path = 'brand/screens/news.en.json'
    files.set(
      path,
      await builtOf(
        '# News\n\n<script>document.title = "run"</script>\n\n<img src="x" onerror="document.title = 1">\n\n[go](javascript:document.title=2)\n',
      ),
    )
    const served = await serveFiles((): ServedFiles => files)
    const page = await app.open(served.url, device)
    await importAccount(page, app.keyOf(2))
    await go(page, '/more/screens/news')
    await page.getByText('<script>document.title = "run"</script>').waitFor()
    await page.getByText('<img src="x" onerror="document.title = 1">').waitFor()
    await page.getByText('[go](javascript:document.title=2)').waitFor()
    expect(await page.locator('article').locator('script, img, a').count()).toBe(0)
    expect(await page.title()).toContain('News')

    const right = files.get(path) as Uint8Array
    const block = { kind: 'paragraph', text: [{ text: 'go', href: 'javascript:document.title=3' }] }
    files.set(path, new TextEncoder().encode(JSON.stringify({ title: 'News', blocks: [block] })))
    await go(page, '/more')
    await go(page, '/more/screens/news')
    await page.getByText('This page could not be loaded.').waitFor()
    await expectFine(page, 'screen-refused')
    files.set(path, right)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('[go](javascript:document.title=2)').waitFor()
    await served.stop()
  })

  it('are there without a connection', async () => {
    const page = await app.open(await app.serve({ brandFolder: folder, flags }), {
      ...device,
      serviceWorkers: 'allow',
    })
    await importAccount(page, app.keyOf(3))
    await untilKept(page)
    await page.context().setOffline(true)
    await go(page, '/more/screens/questions')
    await page.getByText('Because it is yours:').waitFor()
    await page.context().setOffline(false)
  })
})
