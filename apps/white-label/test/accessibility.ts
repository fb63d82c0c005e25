import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { go, PASSPHRASE } from './app-harness.ts'

type Violation = {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Every view that needs no parameter in its path. */
export const routes = [
  '/',
  '/health',
  '/log',
  '/rewards',
  '/rewards/estimate',
  '/wallet',
  '/wallet/send',
  '/wallet/receive',
  '/invite',
  '/invite/agent',
  '/more',
  '/more/security',
  '/more/policy',
  '/more/notifications',
  '/more/language',
  '/more/appearance',
  '/more/network',
  '/more/statistics',
  '/more/diagnostics',
  '/more/legal',
  '/more/about',
  '/unlock',
] as const

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Rules that read colours, all that another mode changes. */
const colourRules = ['color-contrast', 'link-in-text-block']
/** Rules that read the layout, all that forced colours may change. */
export const layoutRules = ['target-size', 'scrollable-region-focusable']

/** Returns violations of WCAG 2.2 A and AA and of best practices; of all rules unless some are named. */
export async function violations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  const isThere = await page.evaluate(() => 'axe' in globalThis)
  if (!isThere) await page.evaluate(await axe)
  const found = await page.evaluate(async (only) => {
    const { axe: engine } = globalThis as unknown as {
      readonly axe: { readonly run: (options: object) => Promise<{ readonly violations: Violation[] }> }
    }
    const runOnly = only === undefined ? {} : { runOnly: { type: 'rule', values: only } }
    return (await engine.run({ resultTypes: ['violations'], ...runOnly })).violations
  }, rules)
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

const SETTLES_WITHIN_MS = 30_000

/** Opens a path and waits until nothing moves or loads any more. */
export async function settled(page: Page, path: string): Promise<void> {
  await go(page, path)
  await page.evaluate(async (withinMs) => {
    const endsAt = performance.now() + withinMs
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
    const isBusy = (): boolean =>
      document.querySelector('main h1') === null ||
      document.querySelector('.loading') !== null ||
      document.getAnimations().some(({ playState, effect }) => {
        const { iterations } = effect?.getTiming() ?? {}
        return playState === 'running' && iterations !== Number.POSITIVE_INFINITY
      })
    // The view that is left is drawn for one more frame.
    for (let count = 0; count < 3; count++) await frame()
    while (isBusy()) {
      if (performance.now() > endsAt) throw new Error(`${location.pathname} still moves or loads.`)
      await frame()
    }
  }, SETTLES_WITHIN_MS)
}

/** Completes the first run in any language, by selectors instead of texts. */
export async function enter(
  page: Page,
  privateKey: string,
  hasAgentStep: boolean,
  look: (step: 'age' | 'import' | 'lock' | 'agent') => Promise<void> = async () => undefined,
): Promise<void> {
  const consent = page.locator('input[type="checkbox"]')
  await page.locator('.setup .actions').waitFor()
  if ((await consent.count()) > 0) await consent.check()
  await page.locator('.actions .button').nth(1).click()
  // Brands with a minimum age ask for it in between.
  const age = page.locator('.setup:not(:has(.welcome, form))')
  await page.locator('textarea').or(age).first().waitFor()
  if ((await age.count()) > 0) {
    await look('age')
    await page.locator('.actions .button-primary').click()
  }
  await page.locator('textarea').fill(privateKey)
  await look('import')
  await page.locator('form .button-primary').click()
  await page.locator('input[type="password"]').nth(1).waitFor()
  for (const field of await page.locator('input[type="password"]').all()) await field.fill(PASSPHRASE)
  await look('lock')
  await page.locator('form .button-primary').click()
  if (hasAgentStep) {
    await page.locator('.actions .button-quiet').waitFor()
    await look('agent')
    await page.locator('.actions .button-quiet').click()
  }
  await page.locator('nav.tabs').waitFor()
}

/** Returns elements outside of the screen and clipped texts. */
export const clipped = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const wide = document.documentElement.clientWidth
    const isOut = (element: HTMLElement): boolean => {
      const { right, left, width } = element.getBoundingClientRect()
      return width > 0 && (right > wide + 1 || left < -1)
    }
    const isCut = (element: HTMLElement): boolean =>
      element.scrollWidth > element.clientWidth + 1 &&
      element.clientWidth > 0 &&
      ['hidden', 'clip'].includes(getComputedStyle(element).overflowX)
    const isApart = (element: HTMLElement): boolean =>
      element.closest('.visually-hidden, .skip, svg, .report') !== null
    const found = [...document.querySelectorAll<HTMLElement>('body *')].filter(
      (element) => !isApart(element) && (isOut(element) || isCut(element)),
    )
    return found.map(({ outerHTML }) => outerHTML.slice(0, 120))
  })

/** Returns the words of tabs that stand on more than one line, or whose picture leaves its tab. */
export const brokenTabs = (page: Page): Promise<string[]> =>
  page.locator('.tab').evaluateAll((tabs) =>
    tabs
      .filter((tab) => {
        const { left, right } = tab.getBoundingClientRect()
        const picture = tab.querySelector('.icon')?.getBoundingClientRect()
        const words = document.createRange()
        words.selectNodeContents(tab.querySelector('span') ?? tab)
        const isInside = picture !== undefined && picture.left >= left - 0.5 && picture.right <= right + 0.5
        return !isInside || words.getClientRects().length !== 1
      })
      .map(({ textContent }) => textContent ?? ''),
  )

/** Returns the rules to ask for in a mode where both are looked at in turn, undefined for all. */
export const rulesIn = (mode: 'light' | 'dark'): readonly string[] | undefined =>
  mode === 'light' ? undefined : colourRules

/**
 * Draws each end of a ground of two colours on its own and asserts in both modes that all text has enough contrast. Of
 * a gradient axe judges nothing.
 */
export async function expectContrastOnBothEnds(page: Page, name: string): Promise<void> {
  for (const end of ['--color-background', '--color-background-end']) {
    for (const mode of ['light', 'dark']) {
      await page.evaluate(
        ([next, ground]) => {
          const { dataset, style } = document.documentElement
          dataset.mode = next
          style.removeProperty('--color-background')
          const colour = getComputedStyle(document.documentElement).getPropertyValue(ground ?? '')
          style.setProperty('--color-background', colour)
          style.setProperty('--ground', 'none')
        },
        [mode, end],
      )
      expect(await violations(page, ['color-contrast']), `${name}, ${mode}, ${end}`).toEqual([])
    }
  }
  await page.evaluate(() => document.documentElement.removeAttribute('style'))
}

/**
 * Asserts in both modes that no accessibility rule is broken and nothing is clipped, and takes pictures where they are
 * asked for.
 */
export async function expectFine(page: Page, name: string): Promise<void> {
  const { HAILSTONE_PICTURES: pictures } = process.env
  for (const mode of ['light', 'dark'] as const) {
    await page.evaluate((next) => {
      document.documentElement.dataset.mode = next
    }, mode)
    expect(await violations(page, rulesIn(mode)), `${name}, ${mode}`).toEqual([])
    expect(await clipped(page), `${name}, ${mode}`).toEqual([])
    if (pictures !== undefined)
      await page.screenshot({
        path: `${pictures}/${name.replaceAll(/[ /]+/g, '-')}-${mode}.png`,
        fullPage: true,
      })
  }
}
