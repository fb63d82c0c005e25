import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Served, type ServedFiles, serveFiles } from '../tools/serve-files.ts'
import { expectFine } from './accessibility.ts'
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
  withFile,
} from './app-harness.ts'

const app = useApp()
const links = { terms: 'https://acme.example/terms', privacy: 'https://acme.example/privacy' }
const translations = [{ language: 'ar', terms: 'https://acme.example/ar/terms' }]
const i18n = { default: 'en', enabled: ['en', 'ar'] }
type Release = {
  readonly version: string
  readonly minimumAge: number
  readonly translations: typeof translations
  readonly send?: boolean
  readonly tagline?: string
  readonly lock?: 'always' | 'onSend'
}

/** Releases of one brand: the second has another version and a higher age, the third sends no coins besides. */
const releases: readonly Release[] = [
  { version: '1', minimumAge: 16, translations },
  { version: '2', minimumAge: 18, translations },
  { version: '2', minimumAge: 18, translations, send: false },
]

/** Returns the files of a release. */
const filesOf = ({ send = true, tagline = 'Dig', lock = plain.security.lock, ...legal }: Release) =>
  app.files({
    brandFolder: brandFolder('jamr'),
    flags: {
      ...plain,
      app: { tagline },
      i18n,
      links,
      legal,
      features: { ...plain.features, send },
      security: { ...plain.security, lock },
    },
  })

let built: readonly ServedFiles[]
let current: ServedFiles
let served: Served
beforeAll(async () => {
  built = await Promise.all(releases.map(filesOf))
  served = await serveFiles(() => current)
})
afterAll(() => served?.stop())

/** Serves one of the releases from now on. */
function release(at: 0 | 1 | 2): void {
  current = built[at] ?? new Map()
}

/** Replaces the brand of built files, as another version of the kit may write it. */
function withBrandJson(files: ServedFiles, change: (brand: object) => object): ServedFiles {
  const path = 'brand/brand.json'
  const brand = JSON.parse(new TextDecoder().decode(files.get(path))) as object
  return withFile(files, path, new TextEncoder().encode(JSON.stringify(change(brand))))
}

const PREFERENCES = 'hailstone-jamr-preferences'
/** Preferences of somebody who has chosen nothing. */
const UNTOUCHED = {
  language: null,
  mode: 'system',
  keepAwake: null,
  notify: false,
  invitedBy: null,
  awaitsReward: null,
  celebrates: null,
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
    const link = new URL(`/i/ref_${'1'.repeat(66)}#c=spring`, served.url)
    const page = await app.open(link.href, device)
    await page.getByText('You were invited').waitFor()
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    await page.getByRole('heading', { name: 'How old are you?' }).waitFor()
    await expectFine(page, 'age')
    await page.getByRole('button', { name: 'I am younger' }).click()
    await page.locator('.notice').getByText('this app is not for you yet').waitFor()
    await page.locator('[data-announced]').getByText('this app is not for you yet').waitFor()
    await page.locator('h1:focus').waitFor()
    await expectFine(page, 'younger')
    const stored = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))
    expect(Object.keys(stored)).toEqual([PREFERENCES])
    expect(JSON.parse(stored[PREFERENCES] ?? '')).toEqual(UNTOUCHED)
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    await page.getByRole('button', { name: 'I am 16 or older' }).click()
    await page.getByLabel(/private key/).waitFor()
    const { consent } = JSON.parse(
      await page.evaluate((name) => localStorage.getItem(name) ?? '', PREFERENCES),
    )
    expect(consent).toEqual({
      terms: [{ version: '1', language: 'en', atMs: expect.any(Number) }],
      age: { years: 16, atMs: expect.any(Number) },
    })
  })

  it('go on in a tab with an older build while another one accepts the newer version, and in both afterwards', async () => {
    release(0)
    const older = await app.open(served.url, device)
    await older.getByRole('checkbox').check()
    await older.getByRole('button', { name: 'I have a wallet' }).click()
    await older.getByRole('button', { name: 'I am 16 or older' }).click()
    await older.getByRole('button', { name: 'Back', exact: true }).click()
    await importAccount(older, app.keyOf(1))
    await begin(older)
    await untilStatus(older, 'Mining')

    release(1)
    const newer = await older.context().newPage()
    await newer.goto(served.url)
    await newer.getByRole('heading', { name: 'Before you go on' }).waitFor()
    await newer.getByLabel(/I accept/).check()
    await newer.getByLabel('I am 18 or older').check()
    await newer.getByRole('button', { name: 'Accept' }).click()
    await untilStatus(newer, 'Mining')
    await untilStatus(older, 'Mining')
    expect(await older.getByRole('heading', { name: 'Before you go on' }).count()).toBe(0)

    release(0)
    await newer.reload()
    await untilStatus(newer, 'Mining')
  })

  it('are asked again after a change: mining waits, coins and key stay in reach, and accepting opens the app', async () => {
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

    release(2)
    await page.reload()
    await page.getByText('Your coins stay yours: you can see them').waitFor()
    release(1)
    await page.reload()
    await page.getByText('Your coins stay yours: you can send them').waitFor()
    await page.getByText('Version 2 of the terms').waitFor()
    await expectFine(page, 'changed')
    await go(page, '/unlock')
    await enterPassphrase(page)
    await page.getByRole('heading', { name: 'Before you go on' }).waitFor()
    await page.getByRole('link', { name: 'Security and backup' }).click()
    await page.getByRole('button', { name: 'Show private key' }).waitFor()
    await go(page, '/wallet/send')
    await page.getByRole('heading', { name: 'Send' }).waitFor()
    await go(page, '/rewards')
    await page.getByRole('heading', { name: 'Your rewards' }).waitFor()

    await go(page, '/')
    const accept = page.getByRole('button', { name: 'Accept' })
    await accept.click()
    await page.getByText('Please accept this first.').waitFor()
    await page.getByLabel(/I accept/).check()
    await accept.click()
    await page.getByText('Please confirm your age first.').waitFor()
    await page.getByLabel('I am 18 or older').check()
    await accept.click()
    // Nobody stopped it, so nobody has to start it again.
    await untilStatus(page, 'Mining')
    await go(page, '/log')
    await page.getByText('Paused: the terms or your age wait for your answer.').first().waitFor()
    await page.reload()
    await unlock(page)
    await go(page, '/more/legal')
    await page.getByText(/^You accepted version 2 on .* You confirmed that you are 18 or older\.$/).waitFor()
  })

  it('that a waiting update changes are told in its notice, which stays; mining goes on until it is taken', async () => {
    release(0)
    const page = await app.open(served.url, { ...device, serviceWorkers: 'allow' })
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    await page.getByRole('button', { name: 'I am 16 or older' }).click()
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await importAccount(page, app.keyOf(2))
    await begin(page)
    await untilStatus(page, 'Mining')
    const update = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready
        if (navigator.serviceWorker.controller === null)
          await new Promise((resolve) =>
            navigator.serviceWorker.addEventListener('controllerchange', resolve),
          )
        await registration.update()
      })
    const later = page.getByRole('button', { name: 'Later' })
    current = await filesOf({ version: '1', minimumAge: 16, translations, tagline: 'A newer build' })
    await update()
    await page.getByText('A new version is ready.').waitFor()
    await later.click()
    await page.getByText('A new version is ready.').waitFor({ state: 'detached' })

    const offer = page.getByText('A new version is ready.')
    const anew = page.getByText('Until you update, what you accepted before applies.')
    const same = current
    release(1)
    // A later kit writes members that this page does not know.
    current = withBrandJson(current, (brand) => ({ ...brand, later: true }))
    await update()
    await anew.waitFor()
    expect(await later.count()).toBe(0)
    await expectFine(page, 'update')
    // Served again, an earlier build waits with files that were stored before those of the other.
    current = same
    await update()
    await offer.waitFor({ state: 'detached' })
    const newest = await filesOf({ version: '1', minimumAge: 16, translations, tagline: 'The newest build' })
    current = withBrandJson(newest, () => ({ legal: null }))
    await update()
    await offer.waitFor()
    expect(await later.count()).toBe(0)
    current = await filesOf({ version: '2', minimumAge: 18, translations, tagline: 'The newest of all' })
    await update()
    await anew.waitFor()
    await untilStatus(page, 'Mining')
    await page.getByRole('button', { name: 'Update and pause briefly' }).click()
    await page.getByRole('heading', { name: 'Before you go on' }).waitFor()
  })

  it('wait behind the lock of an app that is always locked: first the passphrase, then the answer', async () => {
    const legal = { version: '1', minimumAge: 16, translations }
    current = await filesOf({ ...legal, lock: 'always' })
    const page = await app.open(served.url, device)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    await page.getByRole('button', { name: 'I am 16 or older' }).click()
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await importAccount(page, app.keyOf(3))
    await begin(page)
    await untilStatus(page, 'Mining')
    const due = page.getByRole('heading', { name: 'Before you go on' })
    current = await filesOf({ ...legal, version: '2', lock: 'always' })
    await page.reload()
    await page.getByLabel('Passphrase', { exact: true }).waitFor()
    expect(await due.count()).toBe(0)
    await enterPassphrase(page)
    await due.waitFor()
    await page.getByLabel(/I accept/).check()
    await page.getByRole('button', { name: 'Accept' }).click()
    await untilStatus(page, 'Mining')
  })

  it('hold as long as the page where the browser refuses to store them, and are asked again afterwards', async () => {
    release(0)
    const context = await app.device(device)
    await context.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('refused', 'QuotaExceededError')
      }
    })
    const page = await context.newPage()
    await page.goto(served.url)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    await page.getByRole('button', { name: 'I am 16 or older' }).click()
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await importAccount(page, app.keyOf(4))
    await begin(page)
    await untilStatus(page, 'Mining')
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
    await page.reload()
    await page.getByRole('heading', { name: 'Before you go on' }).waitFor()
  })

  it('are those of the language, from right to left, too', async () => {
    release(0)
    const page = await app.open(served.url, { ...device, locale: 'ar' })
    await page.locator('.consent-links a').first().waitFor()
    const addresses = () =>
      page.locator('.consent-links a').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    expect(await addresses()).toEqual(['https://acme.example/ar/terms', links.privacy])
    await page.locator('input[type="checkbox"]').check()
    await page.getByRole('combobox').selectOption('en')
    const box = page.getByRole('checkbox', { name: /I accept/ })
    await box.waitFor()
    // The box was ticked for other texts.
    expect(await box.isChecked()).toBe(false)
    expect(await addresses()).toEqual([links.terms, links.privacy])
    await page.getByRole('combobox').selectOption('ar')
    await page.locator('html[dir="rtl"]').waitFor()
    await page.locator('input[type="checkbox"]').check()
    await page.locator('.actions .button').nth(1).click()
    await page.locator('.setup .actions .button-quiet').waitFor()
    await expectFine(page, 'age-arabic')
  })
})
