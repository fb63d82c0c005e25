import { shippedLanguages } from '@hailstone/brand/check'
import { describe, expect, it } from 'vitest'
import { brokenTabs, clipped, enter, routes, settled } from './accessibility.ts'
import { brandFolder, everyView, useApp } from './app-harness.ts'

const app = useApp()

const brands = [
  { name: 'tidewater', language: 'en', hasAgentStep: true },
  { name: 'jamr', language: 'ar', hasAgentStep: false },
] as const

describe('for everybody', () => {
  for (const { name, language, hasAgentStep } of brands) {
    it(`check 20: ${name} holds text of twice the size`, async () => {
      const url = await app.serve({ brandFolder: brandFolder(name), flags: everyView })
      const context = await app.device({ viewport: { width: 390, height: 800 }, locale: language })
      const page = await context.newPage()
      await page.goto(url)
      const [, developer] = app.network.accounts.developers
      await enter(page, developer?.privateKey ?? '', hasAgentStep)
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
      for (const route of routes) {
        await settled(page, route)
        expect(await clipped(page), `${name} ${route} at 200 %`).toEqual([])
      }
    })
  }

  it('check 20: the first screen holds text of twice the size at 320 pixels, in every language', async () => {
    const i18n = { default: 'en', enabled: shippedLanguages }
    const tagline = `لؤلؤ ${'a'.repeat(70)}!`
    const url = await app.serve({ flags: { ...everyView, i18n, app: { tagline } } })
    for (const locale of shippedLanguages) {
      const context = await app.device({ viewport: { width: 320, height: 700 }, locale })
      const page = await context.newPage()
      await page.goto(url)
      await page.locator('.setup .actions').waitFor()
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect([locale, width, await clipped(page)]).toEqual([locale, 320, []])
      await context.close()
    }
  })

  it('check 20: each tab has its word on one line and its mark inside at 320 pixels, with text of twice the size too', async () => {
    const i18n = { default: 'en', enabled: shippedLanguages }
    const url = await app.serve({ brandFolder: brandFolder('tidewater'), flags: { ...everyView, i18n } })
    for (const locale of ['fr', 'ru', 'de']) {
      const page = await app.open(url, {
        viewport: { width: 320, height: 640 },
        locale,
        reducedMotion: 'reduce',
      })
      await enter(page, app.keyOf(0), true)
      for (const size of ['100%', '200%']) {
        await page.evaluate((now) => document.documentElement.style.setProperty('font-size', now), size)
        for (const route of ['/', '/rewards', '/wallet', '/invite', '/more']) {
          await settled(page, route)
          expect([locale, size, route, await brokenTabs(page)]).toEqual([locale, size, route, []])
        }
      }
    }
  })
})
