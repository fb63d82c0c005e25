import { openBrowser, textFaults } from '@hailstone/test-browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alertKinds } from '../src/alerts/alert-kinds.ts'
import type { AlertsData } from '../src/alerts/alert-routes.ts'
import type { Cell, Figure, Unit } from '../src/figures/figure.ts'
import type { ConsoleServer } from '../src/serve-console.ts'
import { axeFindings } from './axe-findings.ts'
import { type ConsoleFixture, openConsole } from './console-fixture.ts'

type Browser = Awaited<ReturnType<typeof openBrowser>>
type Page = Awaited<ReturnType<Browser['newPage']>>

const pictures = process.env.HAILSTONE_PICTURES
const LARGEST = '18446744073709551615'

/** What real life has: the largest amount, a long unit, and values that are not known. */
const ugly: { readonly [U in Unit]: (at: number) => Cell } = {
  count: (at) => (at === 1 ? null : 1_234_567),
  amount: (at) => [LARGEST, null, '1', '0', '489354321098766'][at] as Cell,
  day: (at) => `2026-11-0${at + 1}`,
  address: () => `02${'a'.repeat(64)}`,
  text: (at) =>
    ['1081157.9999992517 PERLENPUNKTE', null, 'never', '2026-11-01 00:00', 'x'.repeat(80)][at] ?? '',
  percent: (at) => (at === 1 ? null : 100),
  mean: (at) => (at === 1 ? null : 12.5),
  height: () => 1_234_567,
}

const uglyFigure = (figure: Figure): Figure => ({
  ...figure,
  rows: [0, 1, 2, 3, 4].map((row) => figure.columns.map(({ unit }) => ugly[unit](row))),
})

const rule = (name: string, change: Partial<AlertsData['rules'][number]>): AlertsData['rules'][number] => ({
  ...{ id: '0123456789ab', kind: 'minersFell', name, threshold: 50, minutes: 0, isOn: true, state: 'quiet' },
  ...{ since: null, height: null, value: 12, isEndless: false, unknownSince: null },
  lastKnown: null,
  ...change,
})

const alerts: AlertsData = {
  rules: [
    rule('Known', {}),
    rule('Endless', { value: null, isEndless: true }),
    rule('Not known', {
      ...{ value: null, unknownSince: '2026-11-28T20:32:00.000Z' },
      lastKnown: { value: 34, at: '2026-11-28T20:31:10.000Z' },
    }),
    rule('Never known', { value: null }),
    rule('Off', { value: null, isOn: false }),
  ],
  kinds: Object.entries(alertKinds).map(([kind, { measure: _, ...rest }]) => ({ kind, ...rest })),
  receivers: [],
  messages: [],
}

let fixture: ConsoleFixture
let server: ConsoleServer
let browser: Browser
beforeAll(async () => {
  fixture = await openConsole()
  server = await fixture.serve()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await fixture[Symbol.asyncDispose]()
})

/** Opens the console; what its API answers is real but for the values. */
async function open(colorScheme: 'light' | 'dark'): Promise<Page> {
  const page = await (await browser.newContext({ colorScheme })).newPage()
  await page.route(/\/v1\/[\w-]+(?:\?.*)?$/, async (route) => {
    if (/\/v1\/(?:session|live)/.test(route.request().url())) return route.continue()
    const response = await route.fetch()
    const isAlerts = route.request().url().endsWith('/v1/alerts')
    if (!response.ok() && !isAlerts) return route.fulfill({ response })
    const answer = isAlerts
      ? { ...(await (await route.fetch({ url: `${server.url}/v1/health` })).json()), data: alerts }
      : await response.json()
    const data = answer.data.columns === undefined ? answer.data : uglyFigure(answer.data)
    const token = { ...answer.token, symbol: 'PERLENPUNKTE', decimals: 10 }
    const json = { ...answer, token, data, status: { ...answer.status, state: 'following' } }
    return route.fulfill({ status: 200, json })
  })
  await page.goto(server.signInUrl())
  await page.locator('nav').waitFor()
  return page
}

async function show(page: Page, name: string, width: number, font = '100%'): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await page.goto(`${server.url}/#${name}`)
  await page.evaluate(`document.documentElement.style.setProperty('font-size', '${font}')`)
  await page.locator('main td, .cards li').first().waitFor()
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/console-${name}-${width}.png` })
}

/** Returns numbers of which the edge of a table shows a part that is not faded. */
const cutNumbers = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.table')].flatMap((table) => {
      const box = table.getBoundingClientRect()
      const faded = box.left + Number.parseFloat(table.style.getPropertyValue('--cut') || '1e9')
      return [...table.querySelectorAll('td.number')]
        .map((cell) => ({ text: cell.textContent ?? '', rect: cell.getBoundingClientRect() }))
        .filter(
          ({ rect }) => rect.left < box.right - 1 && rect.right > box.right + 1 && rect.left < faded - 1,
        )
        .map(({ text }) => text)
    }),
  )

const figures = [
  'overview',
  'hours',
  'miners',
  'retention',
  'rewards',
  'emission',
  'agents',
  'payouts',
  'health',
]
const spared = { hidden: '.skip, .visually-hidden', names: 'code', scrolled: '.table' }

describe('the page with ugly data', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    it(`cuts no number and no text, at any width: ${colorScheme}`, async () => {
      const page = await open(colorScheme)
      for (const name of [...figures, 'alerts'])
        for (const [width, font] of [
          [320, '100%'],
          [390, '200%'],
          [1280, '100%'],
          [1920, '100%'],
        ] as const) {
          await show(page, name, width, font)
          const where = `${name}, ${width} px, ${font}`
          expect.soft(await textFaults(page, spared), where).toEqual([])
          expect.soft(await cutNumbers(page), where).toEqual([])
          expect.soft(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), where).toBe(0)
          if (width === 1280) expect.soft(await axeFindings(page), where).toEqual([])
        }
      await page.context().close()
    })
  }

  it('shows every column of the overview from 1280 px on, and each amount cut and whole', async () => {
    const page = await open('light')
    await show(page, 'overview', 1280)
    const table = page.locator('.table')
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    const amounts = page.locator('td .amount')
    expect(await amounts.allTextContents()).toEqual(['48,935.43…', '0', '0.00…', '1,844,674,407.37…'])
    const largest = amounts.last()
    expect(await largest.getAttribute('title')).toBe('1,844,674,407.3709551615 PERLENPUNKTE')
    await largest.click()
    expect(await largest.textContent()).toBe('1,844,674,407.3709551615')
    expect(await page.locator('caption').textContent()).toBe('Amounts in PERLENPUNKTE')
    await page.context().close()
  })

  it('says that what is not known is not known, and never that it is well', async () => {
    const page = await open('light')
    await show(page, 'alerts', 1280)
    const states = await page.locator('.cards .state').allTextContents()
    expect(states).toEqual(['Well', 'Well', 'Unknown since 2026-11-28 20:32 UTC', 'Unknown', 'Off'])
    expect(await page.locator('.cards li', { hasText: 'Never known' }).textContent()).toContain(
      'nobody can say whether it is well',
    )
    expect(await page.locator('.cards li', { hasText: 'Not known' }).first().textContent()).toContain(
      'Last known value34 %, at 2026-11-28 20:31 UTC',
    )
    await show(page, 'overview', 1280)
    expect(await page.locator('tbody tr').nth(3).locator('td').allTextContents()).toContain('–')
    await page.context().close()
  })

  it('draws its charts in the colours of the device when those change', async () => {
    const page = await open('light')
    await show(page, 'overview', 1280)
    await page.locator('.chart[data-scheme="light"] canvas').waitFor()
    expect(await page.locator('figcaption').textContent()).toContain('Today, which is not over')
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.locator(`.chart[data-scheme="${colorScheme}"] canvas`).waitFor()
    }
    await page.context().close()
  })
})
