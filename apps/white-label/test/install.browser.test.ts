import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { walletFromPrivateKey } from '@hailstone/client'
import { openProfile } from '@hailstone/test-browser'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { expectFine } from './accessibility.ts'
import { begin, brandFolder, go, importAccount, PASSPHRASE, plain, unlock, useApp } from './app-harness.ts'

const app = useApp()
const STAKE = 10_000_000_000_000n
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'

const SAFARI_MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15'

let url: string
/** Address of the app with an account that has rewards. */
let rich: string
beforeAll(async () => {
  const brand = { brandFolder: brandFolder('jamr'), flags: plain }
  url = await app.serve(brand)
  rich = await app.preview(brand)
})

type Browser = { readonly asked: number; readonly prevented: boolean }

/** Offers to install the page, as a browser does: the windows of tests are private, and get no such offer. */
const offer = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const found = { asked: 0, prevented: false }
    const event = new Event('beforeinstallprompt', { cancelable: true })
    const prompt = async (): Promise<void> => {
      found.asked++
    }
    dispatchEvent(Object.assign(event, { prompt }))
    found.prevented = event.defaultPrevented
    Object.assign(globalThis, { offered: found })
  })

const offered = (page: Page): Promise<Browser> =>
  page.evaluate(() => (globalThis as unknown as { readonly offered: Browser }).offered)

const row = (page: Page): Locator => page.locator('.links .link-row', { hasText: 'Install the app' })
const notice = (page: Page): Locator => page.locator('main .notice', { hasText: 'in a window of its own' })
const card = (page: Page): Locator => page.getByRole('region', { name: 'Your first reward' })

/** Opens More and waits until the texts are there that a row to install would have come with. */
async function openMore(page: Page): Promise<void> {
  await go(page, '/more')
  await page.locator('.link-state', { hasText: 'Backed up' }).waitFor()
}

/** Imports an account that waits for its first reward. */
async function importWithout(page: Page, privateKey: string): Promise<void> {
  await app.network.control.fund(walletFromPrivateKey(privateKey).address, STAKE)
  await importAccount(page, privateKey)
  await page.locator('nav.tabs').waitFor()
  // Whoever removed an account is still where that was done.
  await go(page, '/')
  await page.locator('.ring .hero-figure', { hasText: /^0/ }).waitFor()
}

async function openWithout(privateKey: string): Promise<Page> {
  const page = await app.open(url, { viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' })
  await importWithout(page, privateKey)
  return page
}

/** Opens the app with an account that brings rewards along. */
async function openWithRewards(
  given: { readonly device?: BrowserContextOptions; readonly begin?: () => void } = {},
): Promise<Page> {
  const page = await (await app.device(given.device)).newPage()
  if (given.begin !== undefined) await page.addInitScript(given.begin)
  await page.goto(rich)
  await page.locator('.ring .hero-figure', { hasText: /[1-9]/ }).waitFor()
  return page
}

it('is offered once, after the first reward and its card, and never again once that was put away', async () => {
  const page = await openWithout('3a'.repeat(32))
  await offer(page)
  expect((await offered(page)).prevented, 'the browser keeps its own banner').toBe(true)
  await openMore(page)
  expect(await row(page).count(), 'before the first reward').toBe(0)
  await go(page, '/')
  await begin(page)
  await card(page).waitFor()
  expect(await notice(page).count(), 'beside the card').toBe(0)
  await card(page).getByRole('button', { name: 'Close' }).click()
  await notice(page).waitFor()
  expect(await card(page).count()).toBe(0)
  await expectFine(page, 'install notice')

  // It waits, and comes back only with an offer of the browser.
  await page.reload()
  await unlock(page)
  await page.locator('.ring .hero-figure', { hasText: /[1-9]/ }).waitFor()
  expect(await notice(page).count()).toBe(0)
  await offer(page)
  await notice(page).getByRole('button', { name: 'Do not ask again' }).click()
  await notice(page).waitFor({ state: 'detached' })
  await page.reload()
  await unlock(page)
  await offer(page)
  await page.locator('.ring .hero-figure', { hasText: /[1-9]/ }).waitFor()
  expect(await notice(page).count()).toBe(0)
  expect(await card(page).count()).toBe(0)

  await openMore(page)
  await row(page).waitFor()
  await expectFine(page, 'install row')
  await row(page).click()
  await row(page).waitFor({ state: 'detached' })
  expect((await offered(page)).asked).toBe(1)
})

it('lets the browser ask when the notice is taken, and is gone then', async () => {
  const page = await openWithout('3b'.repeat(32))
  await begin(page)
  await offer(page)
  await card(page).getByRole('button', { name: 'Close' }).click()
  await notice(page).getByRole('button', { name: 'Install the app' }).click()
  await notice(page).waitFor({ state: 'detached' })
  expect((await offered(page)).asked).toBe(1)
  await offer(page)
  await openMore(page)
  await row(page).waitFor()
  await page.evaluate(() => dispatchEvent(new Event('appinstalled')))
  await row(page).waitFor({ state: 'detached' })

  // Nor after the first reward of another account.
  await go(page, '/more/security')
  await page.getByRole('button', { name: 'Remove from this device' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await sheet.getByRole('button', { name: 'Remove from this device' }).click()
  await importWithout(page, '3c'.repeat(32))
  await begin(page)
  await offer(page)
  await card(page).getByRole('button', { name: 'Close' }).click()
  await card(page).waitFor({ state: 'detached' })
  expect(await notice(page).count()).toBe(0)
})

it('takes the offer of a browser with a profile, and lets that browser ask', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'install-'))
  // A browser offers it to who uses a page for a while.
  const args = ['--no-sandbox', '--disable-gpu', '--bypass-app-banner-engagement-checks']
  const context = await openProfile(folder, { args, locale: 'en-US' })
  try {
    await context.addInitScript(() => {
      type Own = { BeforeInstallPromptEvent: { prototype: { prompt: () => Promise<unknown> } } }
      const { prototype } = (globalThis as unknown as Own).BeforeInstallPromptEvent
      const found = { asked: 0, prevented: true }
      Object.assign(globalThis, { offered: found })
      prototype.prompt = new Proxy(prototype.prompt, {
        apply: (prompt, event) => {
          found.asked++
          return prompt.call(event)
        },
      })
    })
    const page = await context.newPage()
    await page.goto(rich)
    await page.locator('.ring .hero-figure', { hasText: /[1-9]/ }).waitFor()
    await go(page, '/more')
    await row(page).click()
    await row(page).waitFor({ state: 'detached' })
    expect((await offered(page)).asked).toBe(1)
  } finally {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  }
})

it('is a row alone for an account that brings its rewards along, and nothing where the browser offers nothing', async () => {
  const page = await openWithRewards()
  await openMore(page)
  expect(await row(page).count()).toBe(0)
  await offer(page)
  await row(page).waitFor()
  await go(page, '/')
  await page.locator('.ring-button').waitFor()
  expect(await notice(page).count()).toBe(0)
})

it('is nothing in a package', async () => {
  const page = await openWithRewards({
    begin: () => {
      const Capacitor = { nativePromise: async () => undefined, addListener: () => undefined }
      Object.assign(globalThis, { Capacitor })
    },
  })
  await offer(page)
  await openMore(page)
  expect(await row(page).count()).toBe(0)
})

it('says in Safari for iOS how to add the app to the home screen, and nothing once it is there', async () => {
  const device = { userAgent: SAFARI, viewport: { width: 320, height: 640 }, hasTouch: true }
  const inTab = await openWithRewards({
    device,
    begin: () => void Object.assign(Navigator.prototype, { standalone: false }),
  })
  await openMore(inTab)
  await row(inTab).getByText('Tap Share, then “Add to Home Screen”.').waitFor()
  expect(await row(inTab).getByRole('button').or(row(inTab).getByRole('link')).count()).toBe(0)
  await expectFine(inTab, 'install by hand')

  const added = await openWithRewards({
    device,
    begin: () => void Object.assign(Navigator.prototype, { standalone: true }),
  })
  await openMore(added)
  expect(await row(added).count()).toBe(0)
})

it('says nothing of a home screen in Safari on a Mac', async () => {
  const page = await openWithRewards({
    device: { userAgent: SAFARI_MAC },
    begin: () => void Object.assign(Navigator.prototype, { standalone: false }),
  })
  await openMore(page)
  expect(await row(page).count()).toBe(0)
})

it('is not offered once more after an installation that the browser reported while no view looked', async () => {
  const page = await openWithRewards()
  await offer(page)
  await page.evaluate(() => dispatchEvent(new Event('appinstalled')))
  await openMore(page)
  expect(await row(page).count()).toBe(0)
})
