import { walletFromPrivateKey } from '@hailstone/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { violations } from './accessibility.ts'
import { begin, brandFolder, go, importAccount, plain, unlock, untilStatus, useApp } from './app-harness.ts'

const app = useApp()
const STAKE = 10_000_000_000_000n

let url: string
beforeAll(async () => {
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
})

describe('the first reward', () => {
  it('check 37: is celebrated once, without motion where none is wanted, and read once', async () => {
    const privateKey = '37'.repeat(32)
    await app.network.control.fund(walletFromPrivateKey(privateKey).address, STAKE)
    const page = await app.open(url, { reducedMotion: 'reduce' })
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
    await card.locator('.hero-figure', { hasText: /^\+/ }).waitFor()
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
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

  it('check 37: is no moment for an account that brings its rewards along', async () => {
    const page = await app.open(url)
    await importAccount(page, '37'.repeat(32))
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
