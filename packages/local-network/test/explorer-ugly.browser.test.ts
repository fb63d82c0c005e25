import { openBrowser, textFaults } from '@hailstone/test-browser'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalNetwork, startLocalNetwork } from '../src/index.ts'

let network: LocalNetwork
let browser: Browser

beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'ugly explorer', blockTimeMs: 250 })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await network.stop()
})

const spared = { names: 'code, time, p', scrolled: '.table' }

describe('the page of a network with ugly data', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    it(`breaks and cuts no number, and shows each with every digit: ${colorScheme}`, async () => {
      const address = `02${'7'.repeat(64)}` as Parameters<typeof network.control.fund>[0]
      await network.control.fund(address, 489_354_321_098_766n)
      const page = await (await browser.newContext({ colorScheme })).newPage()
      const show = async (place: string, width: number, font: string): Promise<void> => {
        await page.setViewportSize({ width, height: 900 })
        await page.goto(new URL(`/${place}`, network.apiUrl).href)
        await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), font)
        await page.locator('main .number, main td').first().waitFor()
      }
      const places = [
        '',
        `#/account/${address}`,
        '#/tokens',
        `#/token/${network.tokens.native.id}`,
        '#/miners',
      ]
      for (const place of places)
        for (const [width, font] of [
          [1280, '100%'],
          [320, '100%'],
          [320, '200%'],
        ] as const) {
          await show(place, width, font)
          const where = `${place}, ${width} px, ${font}`
          expect.soft(await textFaults(page, spared), where).toEqual([])
          const [table] = await page
            .locator('.table')
            .evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth))
          expect.soft(table, `${where}: hidden beside the table`).toBe(0)
        }
      await show(`#/account/${address}`, 1280, '100%')
      const amount = page.locator('td .number').first()
      expect(await amount.textContent()).toMatch(/^[\d,]+\.\d{6}… /)
      const exact = (await amount.getAttribute('title')) ?? ''
      expect(exact).toMatch(/^[\d,]+\.\d{10} /)
      await amount.click()
      expect(await amount.textContent()).toBe(exact)
      await page.context().close()
    })
  }
})
