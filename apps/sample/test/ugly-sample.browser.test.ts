import { fileURLToPath } from 'node:url'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { walletFromPrivateKey } from '@hailstone/mining-node'
import { openBrowser, textFaults } from '@hailstone/test-browser'
import { type PreviewServer, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const pictures = process.env.HAILSTONE_PICTURES
const KEY = '5b'.repeat(32)
const UNITS = 489_354_321_098_766n

let network: LocalNetwork
let server: PreviewServer
let browser: Awaited<ReturnType<typeof openBrowser>>
beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeMs: 250 })
  server = await preview({ root, preview: { port: 0, host: '127.0.0.1' }, logLevel: 'error' })
  browser = await openBrowser()
  await network.control.fund(walletFromPrivateKey(KEY).address, UNITS)
})
afterAll(async () => {
  await browser.close()
  await server.close()
  await network.stop()
})

const languages = [
  { locale: 'en-US', colorScheme: 'light', shown: '48,935.432109…', exact: '48,935.4321098766 DEV' },
  { locale: 'de', colorScheme: 'dark', shown: '48.935,432109…', exact: '48.935,4321098766 DEV' },
  { locale: 'ar-EG', colorScheme: 'light', shown: '٤٨٬٩٣٥٫٤٣٢١٠٩…', exact: '٤٨٬٩٣٥٫٤٣٢١٠٩٨٧٦٦ DEV' },
] as const

describe('the sample app with ugly data', () => {
  for (const { shown, exact, ...device } of languages) {
    it(`shows a balance of ten decimals on one line, cut, and copies every digit: ${device.locale}`, async () => {
      const context = await browser.newContext({ ...device, viewport: { width: 320, height: 700 } })
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const page = await context.newPage()
      const [base = ''] = server.resolvedUrls?.local ?? []
      const query = new URLSearchParams({ api: network.apiUrl, gateway: network.gatewayUrl })
      await page.goto(`${base}?${query}`)
      await page.locator('#network', { hasText: 'Mines DEV' }).waitFor()
      expect(await page.locator('#number').textContent()).toBe('—')
      await page.fill('#secret', KEY)
      await page.click('button[type="submit"]')
      await page.locator('#number', { hasText: shown }).waitFor()
      const spared = { names: '#address, #log, #network, code', hidden: '[hidden]' }
      for (const [width, font] of [
        [320, '100%'],
        [320, '200%'],
        [1280, '100%'],
      ] as const) {
        await page.setViewportSize({ width, height: 700 })
        await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), font)
        if (pictures !== undefined)
          await page.screenshot({ path: `${pictures}/sample-${device.locale}-${width}-${font}.png` })
        expect.soft(await textFaults(page, spared), `${device.locale}, ${width} px, ${font}`).toEqual([])
      }
      await page.click('#balance')
      await page.locator('#log', { hasText: 'copied' }).waitFor()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(exact)

      // What was known stays, with its age.
      network.faults.set({ seed: 1, rules: [{ on: 'api', fault: { status: { code: 500 } } }] })
      await page.locator('#age', { hasText: 'not up to date' }).waitFor()
      expect(await page.locator('#number').textContent()).toBe(shown)
      network.faults.clear()
      await context.close()
    })
  }
})
