import { type LookName, looks } from '@hailstone/brand/tools'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { clipped, layoutRules, routes, rulesIn, settled, violations } from './accessibility.ts'
import { type AppHarness, brandFolder, plain } from './app-harness.ts'

const pictures = process.env.HAILSTONE_PICTURES

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

/**
 * Asserts that a look breaks no rule and clips nothing on any route at 320 pixels, in both modes, in forced colours, and
 * with text of twice the size.
 */
export async function expectLookIsFine(
  app: AppHarness,
  { name, language }: { readonly name: LookName; readonly language: string },
): Promise<void> {
  const flags = {
    ...plain,
    i18n: { default: language, enabled: [language] },
    features: { ...plain.features, roi: true },
    theme: { ...base, ...looks[name] },
  }
  const page = await app.open(await app.preview({ brandFolder: brandFolder('jamr'), flags }), {
    viewport: { width: 320, height: 640 },
    locale: language,
    reducedMotion: 'reduce',
  })
  let seen = 0
  for (const route of routes) {
    await settled(page, route)
    for (const mode of ['light', 'dark'] as const) {
      await setMode(page, mode)
      const where = `${name} ${route}, ${mode}`
      expect(await violations(page, rulesIn(mode)), where).toEqual([])
      expect(await clipped(page), where).toEqual([])
      if (pictures !== undefined && ['/', '/rewards'].includes(route))
        await page.screenshot({
          path: `${pictures}/look-${name}-${route.slice(1) || 'mine'}-${mode}.png`,
        })
    }
    await page.emulateMedia({ forcedColors: 'active' })
    const where = `${name} ${route}, forced colours`
    // The system chooses these colours, and axe would read those of the brand, which nobody sees.
    expect(await violations(page, layoutRules), where).toEqual([])
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
}
