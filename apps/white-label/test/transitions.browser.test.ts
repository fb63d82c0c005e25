import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { settled } from './accessibility.ts'
import { brandFolder, plain, useApp } from './app-harness.ts'

const app = useApp()

type Recorded = { readonly arrivals: string[] }

/** Opens the app with an account. From then on the page counts the views that arrive with a motion. */
async function opened(reducedMotion: 'reduce' | 'no-preference' = 'no-preference'): Promise<Page> {
  const url = await app.preview({ brandFolder: brandFolder('jamr'), flags: plain })
  const page = await app.open(url, { reducedMotion })
  await page.locator('nav.tabs').waitFor()
  // Every view is loaded once: what follows is about views, not about their code.
  for (const route of ['/rewards', '/wallet', '/more', '/more/about', '/']) await settled(page, route)
  await page.evaluate(() => {
    const arrivals: string[] = []
    Object.assign(globalThis, { arrivals })
    addEventListener('animationstart', ({ animationName, target }) => {
      if (animationName !== 'arrive-page' || !(target instanceof Element)) return
      arrivals.push(
        `${target.querySelector('h1')?.textContent} ${getComputedStyle(target).getPropertyValue('--from')}`,
      )
    })
  })
  return page
}

const arrivals = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => (globalThis as unknown as Recorded).arrivals)

const tab = (page: Page, name: string) => page.locator('nav.tabs').getByRole('link', { name, exact: true })

describe('the way from view to view', () => {
  it('is one short motion, upwards for a tab and from the side for a detail; then nothing moves', async () => {
    const page = await opened()
    await tab(page, 'More').click()
    await page.locator('h1:focus', { hasText: 'More' }).waitFor()
    await page.getByRole('link', { name: 'About' }).click()
    await page.locator('h1:focus', { hasText: 'About' }).waitFor()
    await expect.poll(() => arrivals(page)).toHaveLength(2)
    const [rises, comes] = await arrivals(page)
    expect(rises).toMatch(/^More 0 \S/)
    expect(comes).toMatch(/^About .* 0$/)
    await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  })

  it('loses no press while it is on, and has the focus in the new view at once', async () => {
    const page = await opened()
    const middles = new Map<string, readonly [number, number]>()
    for (const name of ['Rewards', 'Wallet', 'More']) {
      const box = await tab(page, name).boundingBox()
      if (box === null) throw new Error(`There is no tab ${name}.`)
      middles.set(name, [box.x + box.width / 2, box.y + box.height / 2])
    }
    // Presses of a device, which nothing delays until the page stands still.
    const titles = { Rewards: 'Your rewards', Wallet: 'Wallet', More: 'More' }
    for (const name of ['Rewards', 'Wallet', 'More', 'Wallet', 'Rewards', 'More'] as const) {
      const [x = 0, y = 0] = middles.get(name) ?? []
      await page.mouse.click(x, y)
      const focused = await page.evaluate(() => {
        const { activeElement } = document
        return activeElement?.matches('main h1') ? activeElement.textContent : null
      })
      expect(focused).toBe(titles[name])
    }
    await page.locator('h1:focus', { hasText: 'More' }).waitFor()
    await expect.poll(() => arrivals(page).then((all) => all.at(-1))).toMatch(/^More /)
  })

  it('has no motion for who wants none', async () => {
    const page = await opened('reduce')
    await tab(page, 'More').click()
    await page.getByRole('link', { name: 'About' }).click()
    await page.locator('h1:focus', { hasText: 'About' }).waitFor()
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
    expect(await arrivals(page)).toEqual([])
  })
})
