import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkBrandFolder, looks, type ShellRequest } from '@hailstone/brand/tools'
import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { blockFonts } from '../../../packages/brand/test/block-fonts.ts'
import { readDictionary } from '../src/i18n/complete-languages.ts'
import { languageNames } from '../src/i18n/languages.ts'
import { appFolder, readShell } from '../tools/build-brand.ts'
import { serveWizard } from '../tools/serve-wizard.ts'
import { violations } from './accessibility.ts'
import { brandFolder, useApp } from './app-harness.ts'
import { makeBrand } from './brand-command.ts'

const app = useApp()
let above: string
let folder: string
let wizard: Awaited<ReturnType<typeof serveWizard>>

beforeAll(async () => {
  above = await mkdtemp(join(appFolder(), 'node_modules', '.wizard-'))
  folder = join(above, 'tidewater')
  await cp(brandFolder('tidewater'), folder, { recursive: true })
  await cp(brandFolder('jamr'), join(above, 'jamr'), { recursive: true })
  await mkdir(join(above, 'torn'))
  await writeFile(join(above, 'torn', 'brand.json'), '{')
  const { apiUrl: api, gatewayUrl } = app.network
  const request: ShellRequest = {
    brandFolder: folder,
    environment: 'dev',
    target: 'web',
    flags: { network: { preset: 'devnet', api, poa: [gatewayUrl], faucet: `${api}/faucet` } },
    out: undefined,
    otherFolders: [join(above, 'jamr'), join(above, 'torn')],
  }
  wizard = await serveWizard(request, await readShell())
})
afterAll(async () => {
  await wizard?.stop()
  await rm(above, { recursive: true, force: true })
})

/** Shows all settings in one list in place of steps. */
const inOneList = (page: Page): Promise<void> => page.getByRole('radio', { name: 'In one list' }).check()

/** The field of the brand's name; a token that is made on the page has one as well. */
const nameOf = (page: Page) => page.getByLabel('Name', { exact: true }).and(page.locator('[name="app.name"]'))

/** Serves the page for one brand until the test ends. Each call of the result opens it, with all settings in one list. */
async function wizardOf(own: string): Promise<() => Promise<Page>> {
  const request = { environment: 'dev', target: 'web', flags: {}, out: undefined } as const
  const served = await serveWizard({ ...request, brandFolder: own }, await readShell())
  onTestFinished(served.stop)
  return async () => {
    const page = await app.open(served.url, { viewport: { width: 1400, height: 1000 } })
    await page.frameLocator('iframe').first().getByRole('heading', { level: 1 }).waitFor()
    await inOneList(page)
    return page
  }
}

/** Builds a brand with the command, as its README says. */
async function build(own: string, out: string): Promise<void> {
  const bin = join(appFolder(), 'bin/hailstone-brand.js')
  await promisify(execFile)(process.execPath, [bin, 'build', own, '--out', out])
}

/** Returns the state of each font of a page or a phone, and the width of a letter as a share of its size, by selector. */
const fontsOf = (page: Page | Frame, selectors: readonly string[]) =>
  page.evaluate(async (all) => {
    await document.fonts.ready
    const widthOf = (selector: string): number => {
      const { fontFamily, fontWeight } = getComputedStyle(document.querySelector(selector) ?? document.body)
      const context = document.createElement('canvas').getContext('2d')
      if (context === null) return 0
      context.font = `${fontWeight} 1000px ${fontFamily}`
      return context.measureText('i').width / 1000
    }
    return {
      loaded: [...document.fonts].map(({ family, weight, status }) => `${family} ${weight} ${status}`),
      widths: all.map(widthOf),
    }
  }, selectors)

const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 80"><title>Kelp</title><path fill="#14532d" d="M20 70 60 10 100 70Z"/></svg>'

type Schema = {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly anyOf?: readonly unknown[]
}

/** Returns the path of every setting of a JSON Schema; lists and alternatives are one. */
const pathsIn = ({ properties }: Schema, path: string): readonly string[] =>
  properties === undefined
    ? [path]
    : Object.entries(properties).flatMap(([key, inner]) =>
        pathsIn(inner as Schema, path === '' ? key : `${path}.${key}`),
      )

describe('the page for partners', () => {
  it('UX-1: shows name, colour and logo in four phones while they are changed, every verdict, and saves the file', async () => {
    const page = await app.open(wizard.url, { viewport: { width: 1400, height: 1000 } })
    await page.locator('iframe').nth(3).waitFor()
    await inOneList(page)
    const captions = await page.locator('figcaption').allInnerTexts()
    expect(captions).toEqual(['English · light', 'English · dark', 'German · light', 'German · dark'])
    const phone = page.frameLocator('iframe').first()
    const german = page.frameLocator('iframe').nth(3)
    await phone.getByRole('heading', { name: 'Welcome to Tidewater Pearls' }).waitFor()
    await nameOf(page).fill('Kelp <b>& Sons</b>')
    await nameOf(page).fill('Kelp & Sons')
    await phone.getByRole('heading', { name: 'Welcome to Kelp & Sons' }).waitFor()
    await german.getByRole('heading', { name: /Kelp & Sons/ }).waitFor()
    expect(await german.locator('html').getAttribute('lang')).toBe('de')
    const ground = (index: number) =>
      page
        .frameLocator('iframe')
        .nth(index)
        .locator('html')
        .evaluate((html) => getComputedStyle(html).backgroundColor)
    expect(await ground(0)).not.toBe(await ground(1))

    const colour = page.getByLabel('Main colour', { exact: true })
    // Yellow on white is illegible: it is refused, with a suggestion.
    await colour.fill('#ffe600')
    await page.locator('.verdict.error', { hasText: 'Colours and contrast' }).waitFor()
    expect(await page.getByRole('button', { name: 'Save the file' }).isDisabled()).toBe(true)
    await phone.getByRole('heading', { name: 'Welcome to Kelp & Sons' }).waitFor()
    await colour.fill('#1d7a46')
    await page.locator('.verdict.fine', { hasText: 'Colours and contrast' }).waitFor()
    await page.getByLabel('Token (64 characters)').fill('50d6')
    await page.locator('.verdict.error', { hasText: 'token.hash' }).waitFor()
    const { id } = app.network.tokens.mineable
    await page.getByLabel('Token (64 characters)').fill(id)
    await page.locator('.verdicts[data-ready="true"]').waitFor()

    await page.getByLabel('Logo (SVG or PNG)').setInputFiles({
      name: 'kelp.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(mark.replace('<path', '<script>alert(1)</script><path')),
    })
    await page.locator('.verdict.error', { hasText: 'Logo and icon' }).waitFor()
    await page
      .getByLabel('Logo (SVG or PNG)')
      .setInputFiles({ name: 'kelp.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(mark) })
    await page.locator('.verdicts[data-ready="true"]').waitFor()
    await expect
      .poll(() =>
        phone
          .locator('img.logo')
          .evaluate((image: HTMLImageElement) => image.naturalWidth / image.naturalHeight),
      )
      .toBe(3)

    await page.getByRole('button', { name: 'Save the file' }).click()
    await page.getByText('Saved as brand.ts').waitFor()
    const old = await readFile(join(folder, 'brand.ts.before'), 'utf8')
    expect(old).toContain("name: 'Tidewater Pearls'")
    // Every other byte is as it was, the comments too.
    const token = old.replace("name: 'Tidewater Pearls'", "name: 'Kelp & Sons'").replace('#0e7c8c', '#1d7a46')
    expect(await readFile(join(folder, 'brand.ts'), 'utf8')).toBe(
      token.replace('50d6c2306b75696a2edb55a85a6356bd3f43112f76b6fbc0d5c1cd476a2a4040', id),
    )
    const saved = await checkBrandFolder({ folder, environment: 'dev', target: 'web' })
    expect(saved.findings.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(saved.brand).toMatchObject({ app: { name: 'Kelp & Sons' }, theme: { primary: '#1d7a46' } })
  })

  it('lists the screens of the brand with their languages and files', async () => {
    const page = await app.open(wizard.url, { viewport: { width: 1400, height: 1000 } })
    await page.locator('iframe').nth(3).waitFor()
    await inOneList(page)
    await page.locator('.screens summary').click()
    expect(await page.locator('.screens li').allInnerTexts()).toEqual([
      'Fragen · German · screens/questions.de.md',
      'Questions · English · screens/questions.en.md',
    ])
    await page.locator('[data-part="screens"].fine').waitFor()
  })

  it('shows a first reward, an empty and an offline screen of the app itself, each without a first run, and the welcome again', async () => {
    const page = await app.open(wizard.url, { viewport: { width: 1400, height: 1000 } })
    const phone = page.frameLocator('iframe').first()
    const german = page.frameLocator('iframe').nth(3)
    await phone.getByRole('heading', { level: 1, name: /^Welcome/ }).waitFor()
    const screen = page.getByRole('group', { name: 'Screen' })
    await screen.getByLabel('First reward').check()
    await phone.getByRole('region', { name: 'Your first reward' }).waitFor()
    await german.getByRole('region', { name: 'Deine erste Belohnung' }).waitFor()
    // The app works: it goes to its other views, and the miner stops and starts.
    const button = phone.locator('.ring-button')
    const before = await button.textContent()
    await button.click()
    await expect.poll(() => button.textContent()).not.toBe(before)
    await phone.locator('nav.tabs a[href="/rewards"]').click()
    await expect.poll(() => phone.locator('.rows .row').count()).toBe(1)

    // The screen stays while a setting changes.
    await screen.getByLabel('Nothing yet').check()
    await phone.locator('.empty').waitFor()
    await page.getByLabel('Short name, under the icon').fill('Kelp')
    await page.locator('.changes li', { hasText: 'app.shortName' }).waitFor({ state: 'attached' })
    await phone.locator('.empty').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await screen.getByLabel('Offline').check()
    await phone.getByText('This device is offline. What you see is the last known state.').waitFor()
    await page.reload()
    await expect.poll(() => screen.getByLabel('Offline').isChecked()).toBe(true)
    await german.getByText('Dieses Gerät hat keine Verbindung. Du siehst das zuletzt Bekannte.').waitFor()
    await screen.getByLabel('Welcome').check()
    await phone.getByRole('heading', { level: 1, name: /^Welcome/ }).waitFor()
  })

  it('changes between brands without a restart, and keeps what was not saved for each', async () => {
    const page = await app.open(wizard.url, { viewport: { width: 1400, height: 1000 } })
    const phone = page.frameLocator('iframe').first()
    const brands = page.getByLabel('Brand', { exact: true })
    const name = nameOf(page)
    const names = () => brands.locator('option').allTextContents()
    const before = await readFile(join(folder, 'brand.ts'), 'utf8')
    await phone.getByRole('heading', { level: 1 }).waitFor()
    expect(await names()).toEqual(['tidewater', 'jamr', 'torn'])
    // Typed with pauses in which the phones reload: the focus must stay.
    await name.fill('Low')
    await phone.getByRole('heading', { name: /^Welcome to Low$/ }).waitFor()
    await page.keyboard.type(' Tide')
    await phone.getByRole('heading', { name: 'Welcome to Low Tide' }).waitFor()
    expect(await names()).toEqual(['tidewater (not saved)', 'jamr', 'torn'])
    // Typed immediately before the change to another brand.
    await name.fill('High Tide')
    await brands.selectOption('1')
    await page.locator('figcaption', { hasText: 'Arabic · light' }).waitFor()
    await phone.locator('html[dir="rtl"]').waitFor()
    const other = await name.inputValue()
    expect(other).not.toMatch(/Tide/)
    await name.fill('Ember')
    await expect.poll(names).toEqual(['tidewater (not saved)', 'jamr (not saved)', 'torn'])

    await brands.selectOption('2')
    await page.getByText('The brand file cannot be read.').waitFor()
    expect([await brands.inputValue(), await name.inputValue()]).toEqual(['1', 'Ember'])

    await brands.selectOption('0')
    await phone.getByRole('heading', { name: 'Welcome to High Tide' }).waitFor()
    expect(await name.inputValue()).toBe('High Tide')
    expect(await readFile(join(folder, 'brand.ts'), 'utf8')).toBe(before)
    await page.reload()
    await phone.getByRole('heading', { name: 'Welcome to High Tide' }).waitFor()
    expect(await name.inputValue()).toBe('High Tide')
    expect(wizard.unsaved()).toEqual(['tidewater', 'jamr'])
    // Typed immediately before saving.
    await name.fill('Spring Tide')
    await page.getByRole('button', { name: 'Save the file' }).click()
    await page.getByText('Saved as brand.ts').waitFor()
    expect(await names()).toEqual(['tidewater', 'jamr (not saved)', 'torn'])
    expect(await readFile(join(folder, 'brand.ts'), 'utf8')).toContain("name: 'Spring Tide'")
    expect(await readFile(join(above, 'jamr', 'brand.ts'), 'utf8')).not.toContain('Ember')
    expect(wizard.unsaved()).toEqual(['jamr'])
    // Saving again without changes must not replace the backup.
    const answered = page.waitForResponse(/\/save$/)
    await page.getByRole('button', { name: 'Save the file' }).click()
    await answered
    expect(await readFile(join(folder, 'brand.ts.before'), 'utf8')).toBe(before)
  })

  it('puts a look on the brand and takes it back, shows what is not saved, and saves what is shown', async () => {
    const page = await app.open(wizard.url, { viewport: { width: 1400, height: 1000 } })
    const phone = page.frameLocator('iframe').first()
    await phone.getByRole('heading', { level: 1 }).waitFor()
    await inOneList(page)
    const file = () => readFile(join(folder, 'brand.ts'), 'utf8')
    const before = await file()
    const colour = page.getByLabel('Main colour', { exact: true })
    const undo = page.getByRole('button', { name: 'Undo' })
    const unsaved = page.locator('.changes li')
    const first = await colour.inputValue()
    const buttonRadius = () =>
      phone
        .getByRole('button')
        .first()
        .evaluate((button) => getComputedStyle(button).borderTopLeftRadius)
    expect(await page.getByRole('radio', { name: 'ember' }).count()).toBe(1)
    await page.getByRole('radio', { name: 'ember' }).check()
    await expect.poll(() => colour.inputValue()).toBe(looks.ember.primary)
    await expect.poll(buttonRadius).toBe('0px')
    await expect.poll(() => unsaved.allInnerTexts()).toContainEqual(expect.stringContaining('theme.shape'))
    expect(await file()).toBe(before)

    await page.getByRole('radio', { name: 'meadow' }).check()
    await expect.poll(() => colour.inputValue()).toBe(looks.meadow.primary)
    // A colour of one's own on it: it is that look no longer.
    await colour.fill('#2f7d4f')
    await expect.poll(() => page.locator('input[name="look"]:checked').count()).toBe(0)
    await undo.click()
    await expect.poll(() => page.getByRole('radio', { name: 'meadow' }).isChecked()).toBe(true)
    await undo.click()
    await expect.poll(() => colour.inputValue()).toBe(first)
    await expect.poll(() => unsaved.count()).toBe(0)

    // What is typed while an answer is on its way stays, and is sent after it.
    const name = nameOf(page)
    await page.getByRole('radio', { name: 'frost' }).check()
    await expect.poll(() => colour.inputValue()).toBe(looks.frost.primary)
    await page.route('**/undo', async (route) => {
      await name.fill('Typed meanwhile')
      await route.continue()
    })
    await undo.click()
    await expect.poll(() => colour.inputValue()).toBe(first)
    await page.unroute('**/undo')
    await phone.getByRole('heading', { name: 'Welcome to Typed meanwhile' }).waitFor()
    expect(await name.inputValue()).toBe('Typed meanwhile')
    await undo.click()
    await expect.poll(() => unsaved.count()).toBe(0)

    await page
      .getByLabel('Logo (SVG or PNG)')
      .setInputFiles({ name: 'kelp.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(mark) })
    await expect.poll(() => unsaved.allInnerTexts()).toEqual(['assets/logo.svg'])
    await undo.click()
    await expect.poll(() => unsaved.count()).toBe(0)

    await page.getByRole('radio', { name: 'dune' }).check()
    await expect.poll(() => colour.inputValue()).toBe(looks.dune.primary)
    await page.getByRole('button', { name: 'Save the file' }).click()
    await page.getByText('Saved as brand.ts').waitFor()
    expect(await unsaved.count()).toBe(0)
    const { brand } = await checkBrandFolder({ folder, environment: 'dev', target: 'web' })
    expect(brand?.theme).toMatchObject({ ...looks.dune, font: { kind: looks.dune.font } })
    // The step before can be taken back after it was saved, too.
    await undo.click()
    await expect.poll(() => colour.inputValue()).toBe(first)
    await page.getByRole('button', { name: 'Save the file' }).click()
    // What the look had left out is written anew, at the end.
    const lines = (text: string) => text.split('\n').toSorted()
    await expect.poll(async () => lines(await file())).toEqual(lines(before))
  })

  it('has a field for every setting of the schema, checks it while it is typed, and saves it beside the comments', async () => {
    const page = await app.open(wizard.url, { viewport: { width: 1400, height: 1000 } })
    await page.locator('iframe').nth(3).waitFor()
    await inOneList(page)
    const schema = createRequire(import.meta.url)('@hailstone/brand/brand.schema.json') as {
      readonly properties: Record<string, unknown>
    }
    const { $schema: _, schema: __, environments: ___, ...properties } = schema.properties
    const wanted = pathsIn({ properties }, '').toSorted()
    expect(wanted.length).toBeGreaterThan(80)
    const names = await page
      .locator('[name]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('name') ?? ''))
    expect(wanted.filter((path) => !names.includes(path))).toEqual([])

    await page.getByText('Mining', { exact: true }).first().click()
    const battery = page.getByLabel('mining.minBattery')
    await battery.fill('200')
    await page.locator('[id="mining.minBattery-fault"].error').waitFor()
    expect(await battery.getAttribute('aria-invalid')).toBe('true')
    await battery.fill('40')
    await page.getByLabel('mining.wifiOnly').selectOption('true')
    await page.getByText('Links', { exact: true }).first().click()
    await page.getByLabel('links.buy').fill('[{ "label": "Quay", "url": "https://quay.example" }]')
    await page.getByText('Languages and words', { exact: true }).first().click()
    await page.getByLabel('i18n.enabled').fill('en\nfr')
    await page.locator('.verdicts[data-ready="true"]').waitFor()
    const before = await readFile(join(folder, 'brand.ts'), 'utf8')
    await page.getByRole('button', { name: 'Save the file' }).click()
    await page.getByText('Saved as brand.ts').waitFor()
    const { brand } = await checkBrandFolder({ folder, environment: 'dev', target: 'web' })
    expect(brand).toMatchObject({
      mining: { minBattery: 40, wifiOnly: true },
      links: { buy: [{ label: 'Quay', url: 'https://quay.example' }] },
      i18n: { enabled: ['en', 'fr'] },
    })
    const lines = (await readFile(join(folder, 'brand.ts'), 'utf8')).split('\n')
    expect(before.split('\n').filter((line) => line.includes('//') || line.includes('/*'))).toEqual(
      lines.filter((line) => /\/[/*]/.test(line) && !line.includes('quay')),
    )
  })

  it('leads through nine steps by keyboard on a phone, counts the findings of each, and finds a setting in all of them', async () => {
    const page = await app.open(wizard.url, { viewport: { width: 360, height: 780 } })
    const steps = page.getByRole('navigation', { name: 'Steps' }).getByRole('button')
    const colour = page.getByLabel('Main colour', { exact: true })
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
    await expect.poll(() => steps.count()).toBe(9)
    await nameOf(page).waitFor()
    expect(await steps.first().getAttribute('aria-current')).toBe('step')
    expect(await colour.isVisible()).toBe(false)

    await steps.first().focus()
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
    await colour.waitFor()
    expect(await steps.nth(2).getAttribute('aria-current')).toBe('step')
    await colour.fill('#ffe600')
    await expect.poll(() => steps.nth(2).textContent()).toMatch(/Colours.*To fix: [1-9]/)
    expect(await steps.last().textContent()).toMatch(/To fix: [1-9]/)
    expect(await violations(page)).toEqual([])
    expect(await fits()).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => steps.nth(2).textContent()).not.toMatch(/To fix/)

    await page.getByRole('button', { name: 'Next: Pictures' }).press('Enter')
    const heading = page.getByRole('heading', { level: 2, name: 'Pictures' })
    await expect.poll(() => heading.evaluate((one) => one === document.activeElement)).toBe(true)
    // What is still open leads to its field, which is folded.
    const card = page.locator('[id="assets.socialCard"]')
    await page.getByRole('button', { name: 'assets.socialCard' }).click()
    await expect.poll(() => card.evaluate((one) => one === document.activeElement)).toBe(true)

    const search = page.getByLabel('Find a setting')
    await search.fill('battery pause')
    await page.getByLabel('mining.minBattery').waitFor()
    expect([await card.isVisible(), await steps.count()]).toEqual([false, 0])
    await search.fill('no such setting')
    await page.getByText('No setting has these words.').waitFor()
    await search.press('Escape')
    await card.waitFor()
    expect(await page.getByLabel('mining.minBattery').isVisible()).toBe(false)

    await inOneList(page)
    await colour.waitFor()
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(9)
    await page.reload()
    await colour.waitFor()
    await page.locator('input[value="steps"]').check()
    await page.locator('select[name="language"]').selectOption('ar')
    await page.locator('html[dir="rtl"]').waitFor()
    await page.getByRole('navigation', { name: 'الخطوات' }).waitFor()
    expect(await fits()).toBe(true)
  })

  it('check 39: makes a brand with a look, a yellow that becomes legible by a press, and pictures, and the built app has them', async () => {
    const own = await makeBrand('kelp', { folder: above, network: app.network })
    const page = await (await wizardOf(own))()
    await page.getByRole('radio', { name: 'ember' }).check()
    const colour = page.getByLabel('Main colour', { exact: true })
    await expect.poll(() => colour.inputValue()).toBe(looks.ember.primary)
    await page.locator('select[name="theme.mode"]').selectOption('light')
    await colour.fill('#FFE600')
    const field = page.locator('.plain', { has: colour })
    await field.locator('.fault.error', { hasText: 'E402' }).waitFor()
    expect(await colour.getAttribute('aria-invalid')).toBe('true')
    expect(await violations(page)).toEqual([])
    // One press for each mode in which the colour cannot be read.
    for (let left = await page.locator('.offer').count(); left > 0; ) {
      const offer = page.locator('.offer').first()
      const before = await offer.textContent()
      await offer.click()
      await expect.poll(async () => (await page.locator('.offer').allTextContents())[0]).not.toBe(before)
      // The button is gone, and the field of its setting has the focus.
      await expect.poll(() => colour.evaluate((field) => field === document.activeElement)).toBe(true)
      left = await page.locator('.offer').count()
    }
    await page.locator('.verdicts[data-ready="true"]').waitFor()
    const taken = await colour.inputValue()
    expect(taken).toMatch(/^#[0-9a-f]{6}$/)
    expect(taken.toLowerCase()).not.toBe('#ffe600')

    // A link without its scheme, and an address that is not encrypted.
    await page.getByText('Links', { exact: true }).first().click()
    const terms = page.getByLabel('links.terms')
    for (const [typed, meant] of [
      ['kelp.example/terms', 'https://kelp.example/terms'],
      ['http://kelp.example/terms', 'https://kelp.example/terms'],
    ] as const) {
      await terms.fill(typed)
      await page.getByRole('button', { name: /kelp\.example/ }).click()
      await expect.poll(() => terms.inputValue()).toBe(meant)
      await expect.poll(() => terms.evaluate((field) => field === document.activeElement)).toBe(true)
      await page.locator('[id="links.terms-fault"]:empty').waitFor({ state: 'attached' })
    }

    for (const [label, name] of [
      ['Logo (SVG or PNG)', 'kelp-logo.svg'],
      ['Icon (square SVG or PNG)', 'kelp-icon.svg'],
    ] as const) {
      const drawn = name.includes('icon') ? mark.replace('0 0 240 80', '0 0 100 100') : mark
      await page.getByLabel(label).setInputFiles({
        name,
        mimeType: 'image/svg+xml',
        buffer: Buffer.from(drawn),
      })
    }
    await expect
      .poll(() => page.locator('.changes li').allInnerTexts())
      .toEqual(expect.arrayContaining(['assets/logo.svg', 'assets/icon.svg']))
    await page.locator('.verdicts[data-ready="true"]').waitFor()
    await page.getByRole('button', { name: 'Save the file' }).click()
    await page.getByText('Saved as brand.ts').waitFor()

    const out = join(above, 'kelp-app')
    await build(own, out)
    expect(await readFile(join(out, 'brand/theme.css'), 'utf8')).toContain(taken.toLowerCase())
    for (const name of ['logo', 'icon'])
      expect(await readFile(join(out, `brand/${name}.svg`), 'utf8')).toContain('#14532d')
    const shown = await app.open(await app.serve({ brandFolder: own }))
    const logo = shown.locator('.setup img.logo')
    await logo.waitFor()
    const width = () => logo.evaluate((image: HTMLImageElement) => image.naturalWidth / image.naturalHeight)
    await expect.poll(width).toBe(3)
    const primary = await shown.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--color-primary').trim(),
    )
    expect(primary).toBe(taken.toLowerCase())
  })

  it('takes two typefaces by their files, refuses other files at the field, and the phones and the built app draw them', async () => {
    const own = await makeBrand('reed', { folder: above, network: app.network })
    const page = await (await wizardOf(own))()
    const field = page.locator('.plain[data-path="theme.font"]')
    const choice = page.getByRole('combobox', { name: 'Typeface', exact: true })
    const files = field.getByLabel('Font files')
    const unsaved = page.locator('.changes li')
    const font = (size: number, start = 'wOF2') => {
      const bytes = Buffer.alloc(size)
      bytes.write(start)
      return bytes
    }
    const choose = (name: string, buffer: Buffer) =>
      files.setInputFiles({ name, mimeType: 'font/woff2', buffer })
    expect(await files.isVisible()).toBe(false)
    await choice.selectOption({ label: 'Files of your own' })
    await choose('Reed.woff2', font(2_000, 'OTTO'))
    await field.getByText('Reed.woff2 is no WOFF2 font.').waitFor()
    await choose('Reed.woff2', font(150_001))
    await field.getByText('Reed.woff2 has 151 kB; at most 150 kB are possible.').waitFor()
    expect(await unsaved.count()).toBe(0)

    await choose('ReedSans-Regular.woff2', Buffer.from(blockFonts.regular))
    const family = field.getByLabel('Name of the typeface')
    await expect.poll(() => family.inputValue()).toBe('Reed Sans')
    await expect
      .poll(() => unsaved.allInnerTexts())
      .toContainEqual(expect.stringContaining('fonts/ReedSans-Regular.woff2'))
    await field.locator('.fault.error', { hasText: 'E009' }).waitFor()
    expect(await violations(page)).toEqual([])
    await field.getByLabel('Licence').fill('OFL-1.1')
    await page.locator('.verdicts[data-ready="true"]').waitFor()
    // The bold file of the same family for headings: both are called by one name.
    const headings = page.locator('.plain[data-path="theme.headings"]')
    await headings.getByRole('combobox').selectOption({ label: 'Files of your own' })
    const bold = { name: 'ReedSans-Bold.woff2', mimeType: 'font/woff2', buffer: Buffer.from(blockFonts.bold) }
    await headings.getByLabel('Font files').setInputFiles(bold)
    await headings.getByLabel('Licence').fill('OFL-1.1')
    await expect
      .poll(() => headings.getByLabel('Name of the typeface').inputValue())
      .toBe(await family.inputValue())
    await page.locator('.verdicts[data-ready="true"]').waitFor()
    const drawn = {
      loaded: ['Reed Sans 400 loaded', 'Reed Sans headings 100 900 loaded'],
      widths: [0.6, 0.9],
    }
    await expect
      .poll(async () => {
        const phone = await page.locator('iframe').first().elementHandle()
        const frame = await phone?.contentFrame()
        return frame && fontsOf(frame, ['body', 'h1'])
      })
      .toEqual(drawn)
    await page.getByRole('button', { name: 'Save the file' }).click()
    await page.getByText('Saved as brand.ts').waitFor()
    const { brand, files: saved } = await checkBrandFolder({
      folder: own,
      environment: 'dev',
      target: 'web',
    })
    const named = { family: 'Reed Sans', files: ['fonts/ReedSans-Regular.woff2'], licence: 'OFL-1.1' }
    expect(brand?.theme.font).toMatchObject(named)
    expect(saved.get('fonts/ReedSans-Regular.woff2')).toEqual(blockFonts.regular)

    const out = join(above, 'reed-app')
    await build(own, out)
    expect(new Uint8Array(await readFile(join(out, 'brand/fonts/ReedSans-Bold.woff2')))).toEqual(
      blockFonts.bold,
    )
    const shown = await app.open(await app.serve({ brandFolder: own }))
    await shown.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => fontsOf(shown, ['body', 'h1'])).toEqual(drawn)

    // One of the device's own again, and then a picture for which the page has its path alone in words.
    await choice.selectOption({ label: 'with serifs' })
    await expect.poll(() => unsaved.allInnerTexts()).toContainEqual(expect.stringContaining('serif'))
    expect(await files.isVisible()).toBe(false)
    await page.getByText('Logo and icon', { exact: true }).first().click()
    await page
      .getByLabel('File for assets.art.welcome')
      .setInputFiles({ name: 'hello.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(mark) })
    const path = page.locator('[id="assets.art.welcome"]')
    await expect.poll(() => path.inputValue()).toBe('assets/art/welcome.svg')
    await page.locator('.verdicts[data-ready="true"]').waitFor()
  })

  it('asks before it is closed with changes that are not saved, and shows those of another window', async () => {
    const own = join(above, 'windows')
    await cp(brandFolder('tidewater'), own, { recursive: true })
    const open = await wizardOf(own)
    const [first, second] = [await open(), await open()]
    const closed = first.waitForEvent('close')
    await first.close({ runBeforeUnload: true })
    await closed

    const third = await open()
    const colour = second.getByLabel('Main colour', { exact: true })
    await third.getByLabel('Main colour', { exact: true }).fill('#1d7a46')
    await third.locator('.changes li', { hasText: 'theme.primary' }).waitFor()
    expect(await colour.inputValue()).toBe('#0e7c8c')
    await nameOf(second).fill('Kelp')
    await expect.poll(() => colour.inputValue()).toBe('#1d7a46')
    expect(await nameOf(second).inputValue()).toBe('Kelp')

    const asked = second.waitForEvent('dialog')
    await second.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.accept()
  })

  it('takes a refused picture out of the brand once another one is chosen', async () => {
    const page = await app.open(wizard.url, { viewport: { width: 1400, height: 1000 } })
    await page.frameLocator('iframe').first().getByRole('heading', { level: 1 }).waitFor()
    await inOneList(page)
    const unsaved = page.locator('.changes li')
    const logo = page.getByLabel('Logo (SVG or PNG)')
    const undo = page.getByRole('button', { name: 'Undo' })
    await logo.setInputFiles({ name: 'Logo.PNG', mimeType: 'image/png', buffer: Buffer.alloc(50_000) })
    const fault = page.locator('.plain', { has: logo }).locator('.fault.error', { hasText: 'E516' })
    await fault.waitFor()
    await logo.setInputFiles({ name: 'Logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(mark) })
    await fault.waitFor({ state: 'hidden' })
    await expect.poll(() => unsaved.allInnerTexts()).not.toContain('assets/logo.png')
    await logo.setInputFiles({ name: 'Logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.alloc(200_001) })
    await page.getByText('Logo.svg has 201 kB; at most 200 kB are possible.').waitFor()
    for (let step = 0; step < 2; step++) await undo.click()
    await expect.poll(() => unsaved.count()).toBe(0)
  })

  it('speaks the language of the browser or the one that is chosen, from right to left in Arabic', async () => {
    const wordsOf = (tag: string) => readDictionary(tag, join(appFolder(), 'src/wizard/i18n'))
    const arabic = await wordsOf('ar')
    const page = await app.open(wizard.url, { viewport: { width: 1400, height: 1000 }, locale: 'ar-EG' })
    await page.getByRole('heading', { level: 1, name: arabic.title ?? '' }).waitFor()
    const html = page.locator('html')
    expect([await html.getAttribute('lang'), await html.getAttribute('dir')]).toEqual(['ar', 'rtl'])
    const left = async (selector: string) => (await page.locator(selector).first().boundingBox())?.x ?? 0
    expect(await left('section')).toBeGreaterThan(await left('.phones'))
    // The app in a phone is whole: a phone that is scaled from the wrong corner shows a part of it.
    const glass = await page.locator('.glass').first().boundingBox()
    const app0 = await page.locator('iframe').first().boundingBox()
    expect(app0?.x ?? 0).toBeGreaterThanOrEqual(glass?.x ?? Number.POSITIVE_INFINITY)

    const choice = page.locator('select[name="language"]')
    const name = page.locator('input[name="app.name"]')
    // Typed immediately before the change: the edit must stay.
    await name.fill('Kelp & Sons')
    for (const tag of Object.keys(languageNames)) {
      await choice.selectOption(tag)
      await page.locator(`html[lang="${tag}"]`).waitFor()
      const words = await wordsOf(tag)
      await page.getByRole('heading', { level: 1, name: words.title ?? '', exact: true }).waitFor()
      await expect
        .poll(() => page.locator('.verdict').first().textContent())
        .toContain(words['part.app'] ?? '')
      expect(await name.inputValue()).toBe('Kelp & Sons')
      const text = await page.locator('section').textContent()
      const spoken = Object.entries(words).filter(([key]) =>
        /^(?:title|field|save\.button|language)/.test(key),
      )
      expect(spoken.map(([, one]) => one).filter((one) => !`${text}\n${words.title}`.includes(one))).toEqual(
        [],
      )
      expect(await page.title()).toBe(words.title)
      // The names of settings and what the checks say stay English, and say so.
      const about = page.locator('.setting small').first()
      expect([await about.getAttribute('lang'), await about.getAttribute('dir')]).toEqual(['en', 'ltr'])
    }
    await choice.selectOption('de')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Deine Marke' }).waitFor()
    expect([await html.getAttribute('lang'), await html.getAttribute('dir')]).toEqual(['de', 'ltr'])
  })

  it('changes nothing for another site, nor what is not offered', async () => {
    const post = (headers: Record<string, string>, body: object, path = 'change') =>
      fetch(`${wizard.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const change = { path: 'app.name', value: 'Evil' }
    const origin = wizard.url.replace(/\/$/, '')
    expect((await post({}, change)).status).toBe(403)
    expect((await post({ Origin: 'http://evil.example' }, change)).status).toBe(403)
    expect((await post({ Origin: 'http://evil.example' }, {}, 'undo')).status).toBe(403)
    for (const name of ['constructor', '__proto__', '', 7])
      expect((await post({ Origin: origin }, { name }, 'look')).status, String(name)).toBe(400)
    for (const screen of ['constructor', 'more', '', 7])
      expect((await post({ Origin: origin }, { screen }, 'screen')).status, String(screen)).toBe(400)
    expect((await post({ Origin: origin }, { path: '__proto__.x', value: '1' })).status).toBe(400)
    expect((await post({ Origin: origin }, { ...change, brand: 7 })).status).toBe(400)
    expect((await post({ Origin: origin }, { ...change, brand: '0' })).status).toBe(400)
    expect(
      (await post({ Origin: origin }, { path: 'network.apis', value: 'http://evil.example' })).status,
    ).toBe(400)
  })
})
