import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectContrastOnBothEnds, expectFine, routes, settled } from './accessibility.ts'

/** The example brands, each with a language it is walked in and the count of views that it has. */
export const walkedBrands = [
  { name: 'tidewater', language: 'en', hasAgentStep: true, hasTwoGrounds: false, countOfViews: 22 },
  { name: 'jamr', language: 'ar', hasAgentStep: false, hasTwoGrounds: false, countOfViews: 18 },
  // A ground of two colours, two fonts and drawings of its own.
  { name: 'verbena', language: 'es', hasAgentStep: true, hasTwoGrounds: true, countOfViews: 22 },
] as const

export const narrowIn = (locale: string) =>
  ({ viewport: { width: 320, height: 640 }, locale, reducedMotion: 'reduce' }) as const

/** Opens every route of a page that mines and asserts that it breaks no rule in either mode and clips nothing. */
export async function expectFineOnEveryRoute(
  page: Page,
  { name, language, hasTwoGrounds, countOfViews }: (typeof walkedBrands)[number],
): Promise<void> {
  expect(await page.getAttribute('html', 'lang')).toBe(language)
  expect(await page.getAttribute('html', 'dir')).toBe(language === 'ar' ? 'rtl' : 'ltr')
  await page.locator('.ring-good').waitFor()
  expect(await page.evaluate(() => document.getAnimations().length), 'nothing moves').toBe(0)
  const headings = new Set<string>()
  for (const route of routes) {
    await settled(page, route)
    headings.add((await page.locator('h1').textContent()) ?? '')
    await expectFine(page, `${name} ${route}`)
    if (hasTwoGrounds) await expectContrastOnBothEnds(page, `${name} ${route}`)
  }
  // All views were there. Where a brand lacks one, its path redirects.
  expect(headings.size).toBe(countOfViews)
}
