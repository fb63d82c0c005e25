import { type LookName, looks } from '@hailstone/brand/tools'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { clipped, enter, routes, settled, violations } from './accessibility.ts'
import { brandFolder, plain, useApp } from './app-harness.ts'

const app = useApp()
const pictures = process.env.HAILSTONE_PICTURES

/** Looks that differ in shape, density, sign, typeface and mode, with the language each is tried in. */
const tried = [
  { name: 'harbour', language: 'ar' },
  { name: 'ember', language: 'en' },
  { name: 'meadow', language: 'ar' },
  { name: 'frost', language: 'en' },
  { name: 'dune', language: 'de' },
] as const satisfies readonly { readonly name: LookName; readonly language: string }[]

/** The settings of a theme that a look leaves out, whatever the brand has. */
const base = { mode: 'system', radius: 'md', shape: 'soft', density: 'regular', hero: 'ring', font: 'system' }

/** Parts that say a state by their ground, and that have to say it in forced colours, too. */
const marks = '.toggle-thumb, .choice-mark, .segment input:checked + span, .tab[aria-current] .icon'

/** Returns the marks on a screen that look like what is around them. */
const unseen = (page: Page): Promise<readonly string[]> =>
  page.evaluate((selector) => {
    const groundOf = (element: Element | null): string => {
      const ground = element === null ? 'rgb(255, 255, 255)' : getComputedStyle(element).backgroundColor
      return ground === 'rgba(0, 0, 0, 0)' && element !== null ? groundOf(element.parentElement) : ground
    }
    return [...document.querySelectorAll(selector)]
      .filter((element) => groundOf(element) === groundOf(element.parentElement))
      .map(({ outerHTML }) => outerHTML.slice(0, 120))
  }, marks)

async function setMode(page: Page, mode: 'light' | 'dark'): Promise<void> {
  await page.evaluate((next) => {
    document.documentElement.dataset.mode = next
  }, mode)
}

describe('five looks', () => {
  for (const { name, language } of tried) {
    it(`check 38: ${name} breaks no rule and clips nothing on any route at 320 pixels, in both modes, forced colours, and with text of twice the size`, async () => {
      const flags = {
        ...plain,
        i18n: { default: language, enabled: [language] },
        features: { ...plain.features, roi: true },
        theme: { ...base, ...looks[name] },
      }
      const page = await app.open(await app.serve({ brandFolder: brandFolder('jamr'), flags }), {
        viewport: { width: 320, height: 640 },
        locale: language,
        reducedMotion: 'reduce',
      })
      await enter(page, app.keyOf(0), true)
      let seen = 0
      for (const route of routes) {
        await settled(page, route)
        for (const mode of ['light', 'dark'] as const) {
          await setMode(page, mode)
          const where = `${name} ${route}, ${mode}`
          expect(await violations(page), where).toEqual([])
          expect(await clipped(page), where).toEqual([])
          if (pictures !== undefined && ['/', '/rewards'].includes(route))
            await page.screenshot({
              path: `${pictures}/look-${name}-${route.slice(1) || 'mine'}-${mode}.png`,
            })
        }
        await page.emulateMedia({ forcedColors: 'active' })
        const where = `${name} ${route}, forced colours`
        // The system chooses these colours; axe reads those of the brand, which nobody sees.
        const broken = (await violations(page)).filter((one) => !one.startsWith('color-contrast:'))
        expect(broken, where).toEqual([])
        expect(await clipped(page), where).toEqual([])
        expect(await unseen(page), where).toEqual([])
        seen += await page.locator(marks).count()
        if (pictures !== undefined && ['/more/policy', '/rewards'].includes(route))
          await page.screenshot({ path: `${pictures}/forced-${name}-${route.replaceAll('/', '-')}.png` })
        await page.emulateMedia({ forcedColors: 'none' })
      }
      // Tabs on each route, and the marks of settings and spans.
      expect(seen).toBeGreaterThan(routes.length)
      await page.setViewportSize({ width: 390, height: 800 })
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
      for (const route of routes) {
        await settled(page, route)
        expect(await clipped(page), `${name} ${route} at 200 %`).toEqual([])
      }
    })
  }
})
