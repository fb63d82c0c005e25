import { textFaults } from '@hailstone/test-browser'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { isNight } from '../../../scripts/gate-size.ts'
import type { PreviewedValues } from '../src/preview/previewed.ts'
import type { PreparedScreenName } from '../tools/preview-files.ts'
import { settled } from './accessibility.ts'
import { brandFolder, plain, useApp } from './app-harness.ts'

const app = useApp()
const pictures = process.env.HAILSTONE_PICTURES

const UNIT = 'PERLENPUNKTE'

type Case = {
  readonly name: string
  readonly screen?: PreparedScreenName
  readonly decimals: number
  readonly values: PreviewedValues
}

const cases: readonly Case[] = [
  {
    name: 'ten decimals',
    decimals: 10,
    values: { balance: '489354321098766', reward: '12437497901' },
  },
  {
    name: 'twenty digits and 10,000 rewards',
    decimals: 0,
    values: { balance: '18446744073709551615', reward: '1844674407370955', rewards: 10_000 },
  },
  { name: 'no stake, started', decimals: 10, values: { balance: '1', rewards: 0, isWanted: true } },
  { name: 'no stake, stopped', decimals: 10, values: { balance: '0', rewards: 0, isWanted: false } },
  { name: 'API away', decimals: 10, values: { knowsNothing: true, rewards: 0 } },
  {
    name: 'offline',
    screen: 'offline',
    decimals: 10,
    values: { balance: '489354321098766', reward: '12437497901' },
  },
]

const looks = [
  ['en', 'light'],
  ['de', 'dark'],
  ['ar', 'light'],
] as const

/**
 * Returns the languages in which a case is looked at. Each language writes long numbers in its own way; states without
 * them differ in their sentences alone, and a change looks at each state in one language.
 */
const looksAt = (index: number): readonly (typeof looks)[number][] =>
  isNight || /decimals|digits/.test(cases[index]?.name ?? '')
    ? looks
    : looks.filter((_, at) => at === index % looks.length)

const paths = [
  '/',
  '/rewards',
  '/rewards/0',
  '/rewards/estimate',
  '/wallet',
  '/wallet/send',
  '/invite',
  '/health',
  '/more',
  '/more/statistics',
] as const

const spared = {
  hidden: '.visually-hidden, .skip, .report',
  names: '.hash, .hash-short, .address-blocks, code, .words, input, textarea, time, h1',
}

/** A size of text and a width of the screen, as people have them. */
const sizes = [
  { width: 360, font: '100%' },
  { width: 320, font: '100%' },
  { width: 320, font: '200%' },
  { width: 1280, font: '100%' },
] as const

async function setSize(page: Page, { width, font }: (typeof sizes)[number]): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  await page.evaluate(
    (size) =>
      new Promise((resolve) => {
        document.documentElement.style.setProperty('font-size', size)
        requestAnimationFrame(() => requestAnimationFrame(resolve))
      }),
    font,
  )
}

/** Returns the names of a list of facts that stand on more than one line. */
const brokenNames = (page: Page): Promise<string[]> =>
  page.locator('.fact dt').evaluateAll((names) =>
    names
      .filter((name) => {
        const words = document.createRange()
        words.selectNodeContents(name)
        return new Set([...words.getClientRects()].map(({ top }) => Math.round(top))).size > 1
      })
      .map(({ textContent }) => textContent ?? ''),
  )

/** Returns the texts that stand upon the drawing of the ring, and those whose values were not filled in. */
const otherFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const ring = document.querySelector('.ring')?.getBoundingClientRect()
    const texts = ring === undefined ? [] : [...document.querySelectorAll('.ring p, .ring bdi')]
    const [x, y, radius] = [
      (ring?.left ?? 0) + (ring?.width ?? 0) / 2,
      (ring?.top ?? 0) + (ring?.height ?? 0) / 2,
      (ring?.width ?? 0) / 2,
    ]
    const upon = texts.filter((text) => {
      const words = document.createRange()
      words.selectNodeContents(text)
      return [...words.getClientRects()].some(({ left, right, top, bottom }) =>
        [left, right].some((at) => [top, bottom].some((to) => Math.hypot(at - x, to - y) > radius * 0.9)),
      )
    })
    const open = document.body.innerText.match(/\{\{\w+\}\}/g) ?? []
    return [...upon.map(({ textContent }) => `upon the ring: ${textContent}`), ...open]
  })

/** Asserts that nothing is said of what is not known: no zero, no verdict, no wait without an end. */
async function expectUnknown(page: Page, where: string): Promise<void> {
  const amounts = await page.locator('main .amount, main .hero-figure').allTextContents()
  expect
    .soft(
      amounts.filter((text) => text !== '—'),
      where,
    )
    .toEqual([])
  expect.soft(await page.locator('main .skeleton').count(), where).toBe(0)
  // Blocks that nobody could look for are not none.
  expect.soft(await page.locator('main dd').getByText(/ · 0$/).count(), where).toBe(0)
  const fine = page.locator('[data-verdict="fine"]')
  const ids = await fine.evaluateAll((checks) => checks.map((check) => check.getAttribute('data-check')))
  expect.soft(ids, where).toEqual(where.endsWith('/health') ? ['online'] : [])
}

async function expectWhole(page: Page, where: string): Promise<void> {
  for (const size of sizes) {
    await setSize(page, size)
    const at = `${where}, ${size.width} px, ${size.font}`
    if (pictures !== undefined)
      await page.screenshot({
        path: `${pictures}/${at.replace(/[^\w%]+/g, '-')}.png`,
        fullPage: !where.startsWith('twenty'),
      })
    expect.soft([...(await textFaults(page, spared)), ...(await otherFaults(page))], at).toEqual([])
    if (size.width >= 360 && size.font === '100%') expect.soft(await brokenNames(page), at).toEqual([])
  }
}

describe('ugly data', () => {
  for (const [index, { name, screen, decimals, values }] of cases.entries()) {
    for (const [language, mode] of looksAt(index)) {
      it(`${name}: whole numbers, no text cut or upon another, in ${language}, ${mode}`, async () => {
        const flags = {
          ...plain,
          i18n: { default: language, enabled: [language] },
          token: { ...plain.token, decimals, display: { symbol: UNIT, fractionMax: Math.min(6, decimals) } },
          features: { ...plain.features, roi: false },
        }
        const url = await app.preview({ brandFolder: brandFolder('jamr'), flags }, screen, values)
        const page = await app.open(url, { locale: language, colorScheme: mode, reducedMotion: 'reduce' })
        for (const path of paths) {
          await settled(page, path)
          if (values.knowsNothing) await expectUnknown(page, `${name}, ${language}, ${path}`)
          await expectWhole(page, `${name}, ${language}, ${path}`)
        }
      })
    }
  }
})
