import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { clipped, violations } from './accessibility.ts'
import { brandFolder, go, importAccount, plain, useApp } from './app-harness.ts'

const app = useApp()
let url: string
let preview: string
beforeAll(async () => {
  const brand = { brandFolder: brandFolder('jamr'), flags: plain }
  url = await app.serve(brand)
  preview = await app.preview(brand)
})

/** Lets no request for a file of the app be answered until it is told to go on. */
async function hold(context: BrowserContext, file: RegExp): Promise<{ readonly end: () => void }> {
  let isHeld = true
  await context.route(file, (route) => (isHeld ? undefined : route.continue()))
  return {
    end: () => {
      isHeld = false
    },
  }
}

/** Opens a page whose clock the test moves, without a service worker, which would have every file. */
async function openSlowly(): Promise<{ readonly context: BrowserContext; readonly page: Page }> {
  const context = await app.device({ serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.clock.install()
  return { context, page }
}

const awaited = {
  engine: 'for the part of this app that keeps keys and mines.',
  files: 'for a file of this app.',
  network: 'for an answer from ',
}

/** Lets time pass, in which nothing comes, and asserts what the page says. */
async function expectWayOn(page: Page, on: keyof typeof awaited): Promise<void> {
  await page.locator('.loading').first().waitFor({ state: 'attached' })
  const said = page.getByRole('alert').getByText(awaited[on])
  // What begins to wait after the clock was moved gives up later.
  const isLeft = async (): Promise<boolean> => {
    await page.clock.fastForward(5_000)
    return (await said.count()) > 0 && (await page.locator('.loading').count()) === 0
  }
  await expect.poll(isLeft).toBe(true)
  expect(await said.innerText()).toMatch(/^Waiting since \d+:\d\d:\d\d.[AP]M for /)
  const safe = 'its coins are on the network, and its key stays on the device that stored it.'
  await page.getByRole('alert').getByText(safe).waitFor()
  await expect.poll(() => violations(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await clipped(page)).toEqual([])
}

const again = (page: Page): Promise<void> => page.getByRole('button', { name: 'Load again' }).click()

describe('a part of the app that never comes', () => {
  it('check 23: a worker that does not answer is told, and loading again begins anew', async () => {
    const { context, page } = await openSlowly()
    // The worker runs and waits for its own code for ever.
    const held = await hold(context, /\/assets\/engine-/)
    await page.goto(url)
    await expectWayOn(page, 'engine')
    held.end()
    await again(page)
    await page.getByRole('button', { name: 'Create a wallet' }).waitFor()
  })

  it('check 23: is told when nothing answers any more', async () => {
    const { context, page } = await openSlowly()
    await hold(context, /\/assets\/engine-/)
    await page.goto(url)
    await page.locator('.loading').waitFor({ state: 'attached' })
    await context.setOffline(true)
    await expectWayOn(page, 'engine')
    const why = page.getByRole('alert').getByText('This device is offline, which may be why.')
    await why.waitFor()
    await page.getByRole('alert').getByText('If this app is open in another tab').waitFor()
    await context.setOffline(false)
    await why.waitFor({ state: 'detached' })
  })

  it('check 23: an answer that comes late replaces what was said', async () => {
    const { context, page } = await openSlowly()
    let answer = (): void => undefined
    const isTime = new Promise<void>((resolve) => {
      answer = resolve
    })
    await context.route(/\/assets\/engine-/, async (route) => {
      await isTime
      await route.continue()
    })
    await page.goto(url)
    await expectWayOn(page, 'engine')
    answer()
    await page.getByRole('button', { name: 'Create a wallet' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('check 23: so is a view whose code does not come', async () => {
    const { context, page } = await openSlowly()
    await page.goto(preview)
    await page.locator('[data-status="ready"]').waitFor()
    const held = await hold(context, /\/assets\/wallet-view-/)
    await go(page, '/wallet')
    await expectWayOn(page, 'files')
    held.end()
    await again(page)
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
  })

  it('41 C4: names the server that does not answer, and leads to what is wrong and to the servers', async () => {
    const { page } = await openSlowly()
    const values = { leavesOpen: ['getTransactions'] }
    await page.goto(await app.preview({ brandFolder: brandFolder('jamr'), flags: plain }, undefined, values))
    await page.locator('[data-status="ready"]').waitFor()
    await go(page, '/wallet')
    await expectWayOn(page, 'network')
    const way = page.getByRole('alert')
    await way.getByRole('link', { name: 'Network' }).click()
    await page.getByRole('heading', { name: 'Network', exact: true }).waitFor()
    await go(page, '/wallet')
    await expectWayOn(page, 'network')
    await way.getByRole('link', { name: 'Why am I not earning?' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/health')
  })

  it('check 23: so is the view that the app is opened with, which has the name of the app until then', async () => {
    const { context, page } = await openSlowly()
    await hold(context, /\/assets\/wallet-view-/)
    await page.goto(`${preview}wallet`)
    await expectWayOn(page, 'files')
    expect(await page.title()).toBe('Mining · Jamr')
  })

  it('check 23: so is a step of the first run', async () => {
    const { context, page } = await openSlowly()
    const held = await hold(context, /\/assets\/lock-step-/)
    await page.goto(url)
    const create = async (): Promise<void> => {
      await page.getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Create a wallet' }).click()
    }
    await create()
    await expectWayOn(page, 'files')
    held.end()
    await again(page)
    await create()
    await page.getByRole('heading', { name: 'Set a passphrase' }).waitFor()
  })

  it('check 23: so is the screen of a locked app', async () => {
    const flags = { ...plain, security: { ...plain.security, lock: 'always' } }
    const { context, page } = await openSlowly()
    await page.goto(await app.serve({ brandFolder: brandFolder('jamr'), flags }))
    await importAccount(page, app.keyOf(3))
    await page.locator('[data-status="ready"]').waitFor()
    const held = await hold(context, /\/assets\/lock-screen-/)
    await page.reload()
    await expectWayOn(page, 'files')
    held.end()
    await again(page)
    await page.getByRole('heading', { name: 'is locked' }).waitFor()
  })
})

/** Refuses every request for a file of the app until it is told to go on. */
async function refuse(context: BrowserContext, file: RegExp): Promise<{ readonly end: () => void }> {
  let isRefused = true
  await context.route(file, (route) => (isRefused ? route.abort() : route.continue()))
  return {
    end: () => {
      isRefused = false
    },
  }
}

const failed = (page: Page) => page.getByText('This part of the app did not open.')
const retry = (page: Page): Promise<void> => page.getByRole('button', { name: 'Try again' }).click()

describe('a part of the app that fails', () => {
  const device = { serviceWorkers: 'block', viewport: { width: 320, height: 640 } } as const
  let gated: string
  beforeAll(async () => {
    const flags = {
      ...plain,
      i18n: { default: 'en', enabled: ['en', 'ar'] },
      links: { terms: 'https://acme.example/terms' },
      legal: { version: '1', minimumAge: 16 },
    }
    gated = await app.serve({ brandFolder: brandFolder('jamr'), flags })
  })

  it('is told in each step of the first run, which goes on once it is there', async () => {
    const context = await app.device(device)
    const files = await refuse(context, /\/assets\/(?:age|lock|agent)-step-/)
    const page = await context.newPage()
    await page.goto(gated)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    await failed(page).waitFor()
    await page.locator('h1:focus').waitFor()
    expect(await violations(page)).toEqual([])
    expect(await clipped(page)).toEqual([])
    // Loading again begins anew, and the part still fails.
    await again(page)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    await failed(page).waitFor()
    files.end()
    await retry(page)
    await page.getByRole('button', { name: 'I am 16 or older' }).click()
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await importAccount(page, app.keyOf(0))
    await page.locator('[data-status="ready"]').waitFor()
  })

  it('leaves the tabs in reach: coins before the consent, another view instead of one', async () => {
    const context = await app.device(device)
    const page = await context.newPage()
    const tab = (name: string) => page.locator('nav.tabs').getByRole('link', { name })
    await page.goto(gated)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    await page.getByRole('button', { name: 'I am 16 or older' }).click()
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await importAccount(page, app.keyOf(1))
    await page.locator('[data-status="ready"]').waitFor()
    await page.evaluate(() => localStorage.clear())
    const files = await refuse(context, /\/assets\/(?:consent|rewards)-view-/)
    await page.reload()
    await failed(page).waitFor()
    await tab('Wallet').click()
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    await tab('Rewards').click()
    await failed(page).waitFor()
    await tab('More').click()
    await page.getByRole('heading', { name: 'More', exact: true }).waitFor()
    await failed(page).waitFor({ state: 'detached' })
    await tab('Rewards').click()
    await failed(page).waitFor()
    files.end()
    await retry(page)
    await page.getByRole('heading', { name: 'Your rewards' }).waitFor()
    await tab('Mine').click()
    await page.getByRole('heading', { name: 'Before you go on' }).waitFor()
  })

  it('is told where it would say something, and is there once the device is online again', async () => {
    const flags = { ...plain, links: { statusFeed: 'http://127.0.0.1:1/feed.json' } }
    const context = await app.device(device)
    const page = await context.newPage()
    await page.goto(await app.serve({ brandFolder: brandFolder('jamr'), flags }))
    await importAccount(page, app.keyOf(4))
    await page.locator('[data-status="ready"]').waitFor()
    await page.evaluate(() => {
      const key = 'hailstone-jamr-preferences'
      const preferences = JSON.parse(localStorage.getItem(key) ?? '{}') as object
      localStorage.setItem(key, JSON.stringify({ ...preferences, notify: true }))
    })
    const files = await refuse(context, /\/assets\/(?:incidents|notifications)-.*\.js$/)
    await page.reload()
    // One for serious trouble of the publisher, one for the notification that mining has stopped.
    await expect.poll(() => failed(page).count()).toBe(2)
    files.end()
    await context.setOffline(true)
    await context.setOffline(false)
    await expect.poll(() => failed(page).count()).toBe(0)
    await page.locator('.incidents').waitFor({ state: 'attached' })
  })

  it('reads English where the texts of the language fail, and says so where these fail, too', async () => {
    const context = await app.device({ ...device, locale: 'ar' })
    const page = await context.newPage()
    await page.goto(gated)
    await page.locator('html[dir="rtl"]').waitFor()
    await page.locator('input[type="checkbox"]').check()
    const arabic = await refuse(context, /\/assets\/ar-/)
    await page.locator('.actions .button').nth(1).click()
    await page.getByRole('heading', { name: 'How old are you?' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'I have a wallet' }).waitFor()
    await page.locator('html[dir="ltr"]').waitFor()
    arabic.end()
    const english = await refuse(context, /\/assets\/(?:ar|en)-/)
    await page.goto(gated)
    await page.getByRole('alert').getByText('This app could not start.').waitFor()
    english.end()
    await again(page)
    await page.locator('html[dir="rtl"]').waitFor()
    await page.locator('input[type="checkbox"]').waitFor()
  })

  it('loads with its styles when they failed alone', async () => {
    const context = await app.device(device)
    const page = await context.newPage()
    await page.goto(preview)
    await page.locator('[data-status="ready"]').waitFor()
    const styles = await refuse(context, /\/assets\/invited-.*\.css$/)
    await go(page, '/invite')
    await failed(page).waitFor()
    styles.end()
    await retry(page)
    await page.getByLabel('Name of the campaign').waitFor()
    await expect
      .poll(() =>
        page
          .locator('.invited')
          .first()
          .evaluate((list) => getComputedStyle(list).display),
      )
      .toBe('grid')
  })
})
