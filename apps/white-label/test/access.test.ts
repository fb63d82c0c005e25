import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { enter, routes, settled, violations } from './accessibility.ts'
import { brandFolder, plain, useApp } from './app-harness.ts'

const app = useApp()
const pictures = process.env.HAILSTONE_PICTURES

const isClipped = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const wide = document.documentElement.clientWidth
    const over = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
      const { right, left, width } = element.getBoundingClientRect()
      const isHidden = element.closest('.visually-hidden, .skip, svg, .report') !== null
      return !isHidden && width > 0 && (right > wide + 1 || left < -1)
    })
    return over.map(({ outerHTML }) => outerHTML.slice(0, 120))
  })

/** A brand as it is, but for what depends on the hour and the device. */
const always = {
  mining: { autoStart: false, wifiOnly: false, chargingOnly: false, minBattery: 0, quietHours: null },
}

const brands = [
  { name: 'tidewater', language: 'en', hasAgentStep: true },
  { name: 'jamr', language: 'ar', hasAgentStep: false },
] as const

describe('for everybody', () => {
  for (const { name, language, hasAgentStep } of brands) {
    it(`check 20: ${name} has no violation on any route in both modes, and nothing is clipped at 320 pixels`, async () => {
      const url = await app.serve({ brandFolder: brandFolder(name), flags: always })
      const context = await app.device({
        viewport: { width: 320, height: 640 },
        locale: language,
        reducedMotion: 'reduce',
      })
      const page = await context.newPage()
      await page.goto(url)
      await page.locator('.setup .actions').waitFor()
      expect(await violations(page)).toEqual([])
      const [developer] = app.network.accounts.developers
      await enter(page, developer?.privateKey ?? '', hasAgentStep)
      expect(await page.getAttribute('html', 'lang')).toBe(language)
      expect(await page.getAttribute('html', 'dir')).toBe(language === 'ar' ? 'rtl' : 'ltr')
      await page.locator('.ring-button').click()
      await page.locator('.ring-good').waitFor({ timeout: 30_000 })
      for (const mode of ['light', 'dark']) {
        await page.evaluate((next) => {
          document.documentElement.dataset.mode = next
        }, mode)
        for (const route of routes) {
          await settled(page, route)
          expect(await violations(page), `${name} ${mode} ${route}`).toEqual([])
          expect(await isClipped(page), `${name} ${mode} ${route} at 320 px`).toEqual([])
          if (pictures !== undefined)
            await page.screenshot({
              path: `${pictures}/${name}-${mode}-320${route.replaceAll('/', '_')}.png`,
              fullPage: true,
            })
        }
      }
    })

    it(`check 20: ${name} holds text of twice the size`, async () => {
      const url = await app.serve({ brandFolder: brandFolder(name), flags: always })
      const context = await app.device({ viewport: { width: 390, height: 800 }, locale: language })
      const page = await context.newPage()
      await page.goto(url)
      const [, developer] = app.network.accounts.developers
      await enter(page, developer?.privateKey ?? '', hasAgentStep)
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
      for (const route of routes) {
        await settled(page, route)
        expect(await isClipped(page), `${name} ${route} at 200 %`).toEqual([])
      }
    })
  }

  it('check 20: everything can be done by keyboard alone, and has a name', async () => {
    const url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
    const page = await app.open(url)
    const { keyboard } = page
    /** Tabs on until the focus is where it should be. */
    async function reach(name: string | RegExp): Promise<void> {
      for (let step = 0; step < 60; step++) {
        const found = await page.evaluate(() => {
          const element = document.activeElement as HTMLElement | null
          const label = (element as HTMLInputElement | null)?.labels?.[0]?.textContent
          return (element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '').trim()
        })
        if (typeof name === 'string' ? found === name : name.test(found)) return
        await keyboard.press('Tab')
      }
      throw new Error(`${name} cannot be reached by keyboard.`)
    }
    await page.locator('.setup .actions').waitFor()
    await reach(/I accept/)
    await keyboard.press('Space')
    await reach('I have a wallet')
    await keyboard.press('Enter')
    await page.locator('textarea').waitFor()
    await reach(/12 or 24 words/)
    await keyboard.type(app.network.accounts.developers[2]?.privateKey ?? '')
    await reach('Import')
    await keyboard.press('Enter')
    await page.getByLabel('Passphrase again').waitFor()
    await reach('Passphrase')
    await keyboard.type('seven drops of rain')
    await reach('Passphrase again')
    await keyboard.type('seven drops of rain')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Who invited you?' }).waitFor()
    await reach('Go on without an agent')
    await keyboard.press('Enter')
    await page.locator('.ring-button').waitFor()
    await reach('Start mining')
    await keyboard.press('Enter')
    await page.locator('.ring-good').waitFor({ timeout: 30_000 })
    await expect.poll(() => page.locator('[data-announced]').textContent()).toMatch(/Mining/)
    for (const tab of ['Rewards', 'Wallet', 'Invite', 'More']) {
      await reach(tab)
      await keyboard.press('Enter')
      await page.locator('.tab[aria-current="page"]', { hasText: tab }).waitFor()
    }
    await reach('Security and backup')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Security and backup' }).waitFor()
    await reach('Show private key')
    await keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    expect(await violations(page)).toEqual([])
    await keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // The focus is back where it was.
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Show private key')
  })
})
