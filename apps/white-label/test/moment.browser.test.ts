import { randomBytes } from 'node:crypto'
import { walletFromPrivateKey } from '@hailstone/client'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { violations } from './accessibility.ts'
import { begin, brandFolder, go, importAccount, plain, unlock, untilStatus, useApp } from './app-harness.ts'

const app = useApp()
const STAKE = 10_000_000_000_000n

let url: string
beforeAll(async () => {
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
})

type Recorded = { readonly vibrations: readonly unknown[] }

/** Records what the app asks of the motor, which no test can feel. */
const recordVibrations = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const asked: unknown[] = []
    Object.assign(globalThis, { vibrations: asked })
    navigator.vibrate = new Proxy(navigator.vibrate, {
      apply: (vibrate, _, [pattern]) => {
        asked.push(pattern)
        return vibrate.call(navigator, pattern)
      },
    })
  })

const vibrationsOf = (page: Page): Promise<readonly unknown[]> =>
  page.evaluate(() => (globalThis as unknown as Recorded).vibrations)

/** Opens the app with an account that waits for its first reward. */
async function openWithout(privateKey: string): Promise<Page> {
  await app.network.control.fund(walletFromPrivateKey(privateKey).address, STAKE)
  const page = await (await app.device({ reducedMotion: 'no-preference' })).newPage()
  await recordVibrations(page)
  await page.goto(url)
  await importAccount(page, privateKey)
  await page.locator('.ring .hero-figure', { hasText: /^0/ }).waitFor()
  return page
}

const motorSwitch = (page: Page): Locator => page.getByRole('switch', { name: 'Vibrate on the first reward' })

async function mineFirst(page: Page): Promise<void> {
  await begin(page)
  await untilStatus(page, 'Mining')
  await page.getByRole('region', { name: 'Your first reward' }).waitFor()
}

/** A key without rewards, in a second try of a test too. */
const newKey = (): string => randomBytes(32).toString('hex')

describe('the first reward', () => {
  let rewarded: string
  it('check 37: is celebrated once, without motion where none is wanted, and read once', async () => {
    const privateKey = newKey()
    await app.network.control.fund(walletFromPrivateKey(privateKey).address, STAKE)
    const page = await (await app.device({ reducedMotion: 'reduce' })).newPage()
    await recordVibrations(page)
    await page.goto(url)
    await page.exposeFunction('said', (sentence: string) => void said.push(sentence))
    const said: string[] = []
    await importAccount(page, privateKey)
    await page.evaluate(() => {
      const { said: tell } = globalThis as unknown as { readonly said: (text: string) => void }
      // The app after the first run has another place for what is read out, so all of the page is observed.
      new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes)
          if (target instanceof Element && target.matches('[data-announced]') && addedNodes.length > 0)
            tell(target.textContent ?? '')
      }).observe(document.body, { subtree: true, childList: true })
    })
    // None yet is read before the first one comes.
    await page.locator('.ring .hero-figure', { hasText: /^0/ }).waitFor()
    await begin(page)
    await untilStatus(page, 'Mining')
    const card = page.getByRole('region', { name: 'Your first reward' })
    await card.waitFor()
    rewarded = privateKey
    await card.locator('.hero-figure', { hasText: /^\+/ }).waitFor()
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
    expect(await vibrationsOf(page)).toEqual([])
    expect(await violations(page)).toEqual([])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      card.getByRole('button', { name: /^S(?:hare|ave)/ }).click(),
    ])
    expect(download.suggestedFilename()).toBe('jamr-first-reward.png')
    await go(page, '/rewards')
    await page.locator('.rows .row').nth(1).waitFor()
    await go(page, '/')
    await card.waitFor()
    expect(said.filter((sentence) => sentence.startsWith('Your first reward'))).toHaveLength(1)
    await card.getByRole('button', { name: 'Close' }).click()
    await card.waitFor({ state: 'detached' })
    await page.reload()
    await unlock(page)
    await page.locator('.ring .hero-figure', { hasText: /[1-9]/ }).waitFor()
    expect(await card.count()).toBe(0)
  })

  it('check 37: makes the device vibrate once', async () => {
    const page = await openWithout(newKey())
    await mineFirst(page)
    await expect.poll(() => vibrationsOf(page)).toEqual([[10, 60, 20]])
    await go(page, '/more/appearance')
    await motorSwitch(page).and(page.locator('[aria-checked="true"]')).waitFor()
    await go(page, '/')
    await page.getByRole('region', { name: 'Your first reward' }).waitFor()
    expect(await vibrationsOf(page)).toHaveLength(1)
    // Its title in Spanish has a long word, which a narrow phone shows whole.
    await page.setViewportSize({ width: 320, height: 640 })
    const linesOfWord = await page.locator('.moment h2').evaluate((title) => {
      const word = document.createElement('span')
      word.textContent = 'recompensa'
      title.replaceChildren('Tu primera ', word)
      return word.getClientRects().length
    })
    expect(linesOfWord).toBe(1)
  })

  it('check 37: does not where the person has switched that off, and the switch stays off', async () => {
    const page = await openWithout(newKey())
    await go(page, '/more/appearance')
    await motorSwitch(page).click()
    await go(page, '/')
    await mineFirst(page)
    await go(page, '/more/appearance')
    await motorSwitch(page).waitFor()
    expect(await vibrationsOf(page)).toEqual([])
    await page.reload()
    await page.locator('nav.tabs').waitFor()
    await go(page, '/more/appearance')
    await motorSwitch(page).and(page.locator('[aria-checked="false"]')).waitFor()
  })

  it('has no such switch where the browser cannot vibrate', async () => {
    const page = await (await app.device()).newPage()
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'vibrate'))
    await page.goto(await app.preview({ brandFolder: brandFolder('jamr'), flags: plain }))
    await page.locator('nav.tabs').waitFor()
    await go(page, '/more/appearance')
    await page.getByRole('radio', { name: 'Dark', exact: true }).waitFor()
    expect(await page.evaluate(() => 'vibrate' in navigator)).toBe(false)
    // The texts of this part are there once those of another row are.
    await go(page, '/more')
    await page.locator('.link-state', { hasText: 'Off' }).waitFor()
    await go(page, '/more/appearance')
    await page.getByRole('radio', { name: 'Dark', exact: true }).waitFor()
    expect(await motorSwitch(page).count()).toBe(0)
  })

  it('check 37: is no moment for an account that brings its rewards along', async () => {
    const page = await app.open(url)
    await importAccount(page, rewarded)
    await page.locator('.ring .hero-figure', { hasText: /[1-9]/ }).waitFor()
    expect(await page.getByRole('region', { name: 'Your first reward' }).count()).toBe(0)
  })
})

describe('the title of the window', () => {
  it('has the state of a wanted miner before the name of the view', async () => {
    const page = await app.open(url)
    await importAccount(page, app.keyOf(1))
    await page.locator('.ring-button').waitFor()
    expect(await page.title()).toMatch(/^Mine – /)
    await begin(page)
    await expect.poll(() => page.title()).toMatch(/^Mining · Mine – /)
    await go(page, '/wallet')
    await expect.poll(() => page.title()).toMatch(/^Mining · Wallet – /)
  })
})
