import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { clipped, violations } from './accessibility.ts'
import { brandFolder, go, importAccount, plain, useApp } from './app-harness.ts'

const app = useApp({ fallbackMiner: false })
let url: string
beforeAll(async () => {
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
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

/** Lets half a minute pass, in which nothing comes, and asserts what the page says. */
async function expectWayOn(page: Page): Promise<void> {
  await page.locator('.loading').waitFor({ state: 'attached' })
  await page.clock.fastForward(30_000)
  await page.getByRole('alert').getByText('No answer has come for a while.').waitFor()
  expect(await page.locator('.loading').count()).toBe(0)
  expect(await violations(page)).toEqual([])
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
    await expectWayOn(page)
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
    await expectWayOn(page)
    await context.setOffline(false)
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
    await expectWayOn(page)
    answer()
    await page.getByRole('button', { name: 'Create a wallet' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('check 23: so is a view whose code does not come', async () => {
    const { context, page } = await openSlowly()
    await page.goto(url)
    await importAccount(page, app.keyOf(0))
    await page.locator('[data-status="ready"]').waitFor()
    const held = await hold(context, /\/assets\/wallet-view-/)
    await go(page, '/wallet')
    await expectWayOn(page)
    held.end()
    await again(page)
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
  })
})
