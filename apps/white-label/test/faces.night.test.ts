import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { begin, brandFolder, go, importAccount, plain, unlock, untilStatus, useApp } from './app-harness.ts'

const app = useApp()

/** Limit after which a view that is still loading counts as without a failed state, in ms. */
const ANSWERS_WITHIN_MS = 15_000

/** Views with values of the network. */
const routes = [
  '/',
  '/rewards',
  '/wallet',
  '/wallet/send',
  '/invite',
  '/health',
  '/more/network',
  '/more/statistics',
]

/** True if the text is the placeholder of an unknown value. */
const isUnknown = (value: string): boolean => /^(?:—|)$/.test(value)
const isZero = (value: string): boolean => /^[+−-]?0(?:[.,]0+)?(?:\D|$)/.test(value)

/** Returns the values of a view by label. */
async function valuesAt(page: Page, route: string): Promise<ReadonlyMap<string, string>> {
  await go(page, route)
  await page.locator('main h1').waitFor()
  const isRead = page.waitForFunction(() => document.querySelector('.loading') === null, undefined, {
    timeout: ANSWERS_WITHIN_MS,
  })
  if (!(await isRead.then(Boolean, () => false))) return new Map([[`${route} loads`, 'for ever']])
  const pairs = await page.evaluate(() => {
    const of = (element: Element | null): string => element?.textContent?.trim() ?? ''
    const facts = [...document.querySelectorAll('main dt')].map((label) => [
      of(label),
      of(label.nextElementSibling),
    ])
    const balance = [...document.querySelectorAll('.balance-amount')].map((one) => ['balance', of(one)])
    const heroes = [...document.querySelectorAll('main .hero-figure')].map((one) => ['hero', of(one)])
    return [...facts, ...balance, ...heroes] as [string, string][]
  })
  return new Map(pairs.map(([label, value], index) => [`${route} ${index} ${label}`, value]))
}

async function allValues(page: Page): Promise<ReadonlyMap<string, string>> {
  const found: (readonly [string, string])[] = []
  for (const route of routes) found.push(...(await valuesAt(page, route)))
  return new Map(found)
}

/** Deletes the stored readings, so that the next run has none either. */
async function forget(page: Page): Promise<void> {
  await go(page, '/more/network')
  await page.getByRole('button', { name: 'Reload all data' }).click()
  await page.reload()
  await unlock(page)
}

describe('every screen, when the network does not answer one question', () => {
  it('G-18: says that it does not know, and invents no number, with each question unanswered in turn', async () => {
    const questions = new Set<string>()
    const context = await app.device()
    const base = new URL(app.network.apiUrl)
    context.on('request', (request) => {
      const { host, pathname } = new URL(request.url())
      if (host === base.host) questions.add(pathname.slice(base.pathname.length))
    })
    const page = await context.newPage()
    await page.goto(await app.serve({ brandFolder: brandFolder('jamr'), flags: plain }))
    await importAccount(page, app.keyOf(0))
    await begin(page)
    await untilStatus(page, 'Mining')
    await page.locator('dd', { hasText: /^\d+ · [1-9]/ }).waitFor()
    await page.getByRole('button', { name: 'Stop mining' }).click()
    await untilStatus(page, 'Not mining')
    await page.locator('[data-status="ready"]').waitFor()
    const known = await allValues(page)
    expect([...known.values()].filter((value) => /[1-9]/.test(value)).length).toBeGreaterThan(10)
    expect(questions.size).toBeGreaterThan(5)
    const invented: string[] = []
    for (const path of questions) {
      app.network.faults.set({
        seed: 1,
        rules: [{ on: 'api', match: { path }, fault: { status: { code: 500 } } }],
      })
      await forget(page)
      for (const [place, value] of await allValues(page)) {
        const before = known.get(place)
        if (value === 'for ever') invented.push(`${path}: ${place} ${value}`)
        // Counters of this run start at zero.
        if (place.includes('Signed')) continue
        if (isUnknown(value) || before === undefined || !isZero(value) || isZero(before)) continue
        invented.push(`${path}: ${place} was ${before} and is ${value}`)
      }
      app.network.faults.clear()
    }
    console.log(`killed in turn: ${[...questions].join(' ')}`)
    expect(invented).toEqual([])
  })
})
