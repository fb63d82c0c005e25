import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Served, type ServedFiles, serveFiles } from '../tools/serve-files.ts'
import { clipped, violations } from './accessibility.ts'
import {
  begin,
  brandFolder,
  enterPassphrase,
  go,
  importAccount,
  plain,
  unlock,
  untilStatus,
  useApp,
} from './app-harness.ts'

const app = useApp({ fallbackMiner: false })
const pictures = process.env.HAILSTONE_PICTURES
const links = { terms: 'https://acme.example/terms', privacy: 'https://acme.example/privacy' }
const translations = [{ language: 'ar', terms: 'https://acme.example/ar/terms' }]
const i18n = { default: 'en', enabled: ['en', 'ar'] }
/** Two releases of one brand: the second has another version and a higher age. */
const releases = [
  { version: '1', minimumAge: 16, translations },
  { version: '2', minimumAge: 18, translations },
]

let built: readonly ServedFiles[]
let current: ServedFiles
let served: Served
beforeAll(async () => {
  built = await Promise.all(
    releases.map((legal) =>
      app.files({ brandFolder: brandFolder('jamr'), flags: { ...plain, i18n, links, legal } }),
    ),
  )
  served = await serveFiles(() => current)
})
afterAll(() => served?.stop())

/** Serves one of the releases from now on. */
function release(at: 0 | 1): void {
  current = built[at] ?? new Map()
}

/** Asserts that a screen breaks no rule and clips nothing, in both modes. */
async function expectFine(page: Page, name: string): Promise<void> {
  for (const mode of ['light', 'dark']) {
    await page.evaluate((next) => {
      document.documentElement.dataset.mode = next
    }, mode)
    expect(await violations(page), `${name}, ${mode}`).toEqual([])
    expect(await clipped(page), `${name}, ${mode}`).toEqual([])
    if (pictures !== undefined)
      await page.screenshot({ path: `${pictures}/${name}-${mode}.png`, fullPage: true })
  }
}

/** Without the service worker, which would keep the first release until somebody takes the second. */
const device = {
  serviceWorkers: 'block',
  viewport: { width: 320, height: 640 },
  reducedMotion: 'reduce',
} as const

describe('terms and age', () => {
  it('are confirmed in the first run; who is younger is told so, nothing is stored, and there is a way back', async () => {
    release(0)
    const page = await app.open(served.url, device)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    await page.getByRole('heading', { name: 'How old are you?' }).waitFor()
    await expectFine(page, 'age')
    await page.getByRole('button', { name: 'I am younger' }).click()
    await page.getByText('this app is not for you yet').waitFor()
    await expectFine(page, 'younger')
    expect(await page.evaluate(() => localStorage.getItem('hailstone-jamr-preferences'))).not.toMatch(
      /"age":[1-9]/,
    )
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    await page.getByRole('button', { name: 'I am 16 or older' }).click()
    await page.getByLabel(/private key/).waitFor()
  })

  it('are asked again after a change: mining stops, coins and key stay in reach, and accepting opens the app', async () => {
    release(0)
    const page = await app.open(served.url, device)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    await page.getByRole('button', { name: 'I am 16 or older' }).click()
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    // What was confirmed is not asked twice.
    await importAccount(page, app.keyOf(0))
    await begin(page)
    await untilStatus(page, 'Mining')
    await page.reload()
    await unlock(page)
    await untilStatus(page, 'Mining')

    release(1)
    await page.reload()
    await page.getByRole('heading', { name: 'Before you go on' }).waitFor()
    await page.getByText('Version 2 of the terms').waitFor()
    await expectFine(page, 'changed')
    await go(page, '/unlock')
    await enterPassphrase(page)
    await page.getByRole('heading', { name: 'Before you go on' }).waitFor()
    await page.getByRole('link', { name: 'Security and backup' }).click()
    await page.getByRole('button', { name: 'Show private key' }).waitFor()
    await go(page, '/wallet/send')
    await page.getByRole('heading', { name: 'Send' }).waitFor()

    await go(page, '/')
    const accept = page.getByRole('button', { name: 'Accept' })
    await accept.click()
    await page.getByText('Please accept this first.').waitFor()
    await page.getByLabel(/I accept/).check()
    await accept.click()
    await page.getByText('Please confirm your age first.').waitFor()
    await page.getByLabel('I am 18 or older').check()
    await accept.click()
    await untilStatus(page, 'Not mining')
    await begin(page)
    await untilStatus(page, 'Mining')
    await page.reload()
    await unlock(page)
    await go(page, '/more/legal')
    await page.getByText(/^You accepted version 2 on .* You confirmed that you are 18 or older\.$/).waitFor()
  })

  it('are those of the language, from right to left, too', async () => {
    release(0)
    const page = await app.open(served.url, { ...device, locale: 'ar' })
    await page.locator('.consent-links a').first().waitFor()
    const addresses = () =>
      page.locator('.consent-links a').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    expect(await addresses()).toEqual(['https://acme.example/ar/terms', links.privacy])
    await page.getByRole('combobox').selectOption('en')
    await page.getByRole('checkbox', { name: /I accept/ }).waitFor()
    expect(await addresses()).toEqual([links.terms, links.privacy])
    await page.getByRole('combobox').selectOption('ar')
    await page.locator('html[dir="rtl"]').waitFor()
    await page.locator('input[type="checkbox"]').check()
    await page.locator('.actions .button').nth(1).click()
    await page.locator('.setup .actions .button-quiet').waitFor()
    await expectFine(page, 'age-arabic')
  })
})
