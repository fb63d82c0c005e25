import { openBrowser } from '@hailstone/test-browser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LocalNetwork, startLocalNetwork } from '../src/index.ts'

let network: LocalNetwork
let browser: Browser
let page: Page
const faults: string[] = []
const foreign: string[] = []

/** The operation that is open, once all of it is there. */
const opened = (id: string) => page.locator(`article[data-operation=${id}] form`)
const press = (key: string): Promise<void> => page.keyboard.press(key)
const focused = (): Promise<string> =>
  page.evaluate(() => document.activeElement?.textContent ?? document.activeElement?.tagName ?? '')

describe('the page of the reference', () => {
  beforeAll(async () => {
    network = await startLocalNetwork({ seed: 'reference page', blockTimeMs: 500 })
    browser = await openBrowser()
    await network.control.mine(3)
  })

  afterAll(async () => {
    await browser?.close()
    await network?.stop()
  })

  beforeEach(async () => {
    faults.length = 0
    foreign.length = 0
    page = await browser.newPage()
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(String(error)))
    const own = new URL(network.apiUrl).origin
    page.on('request', (request) => {
      if (!request.url().startsWith(own)) foreign.push(request.url())
    })
  })

  afterEach(() => page.close())

  it('is searched, opened and tried by keyboard alone, and shows request, status, time and answer', async () => {
    await page.goto(network.docsUrl)
    await page.getByRole('searchbox').waitFor()
    await press('/')
    await page.getByRole('searchbox').fill('/balance')
    await press('ArrowDown')
    expect(await focused()).toContain('/balance')
    await press('Enter')
    await opened('getBalance').waitFor()
    expect(await page.title()).toContain('Balance of one token')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    // The first thing after the heading that takes a key is the first parameter, with an address of this chain.
    await press('Tab')
    const address = await page.evaluate(() => (document.activeElement as HTMLInputElement).value)
    expect(address).toMatch(/^0[23][0-9a-f]{64}$/)
    await press('Enter')
    await page.locator('[data-status="200 OK"]').waitFor()
    const outcome = page.getByRole('region', { name: 'Answer' })
    expect(await outcome.textContent()).toContain(`GET ${network.apiUrl}/balance?id=${address}`)
    expect(Number(await outcome.locator('[data-ms]').getAttribute('data-ms'))).toBeGreaterThanOrEqual(0)
    const answer = JSON.parse((await outcome.locator('[data-answer]').textContent()) ?? '')
    expect(BigInt(answer.amount) > 0n).toBe(true)
    expect(await page.locator('form [role=status]').textContent()).toContain('200 OK in')
    expect([...faults, ...foreign]).toEqual([])
  })

  it('finds by the name of a member, writes the call in TypeScript and for curl, and follows what is typed', async () => {
    await page.goto(network.docsUrl)
    await page.getByRole('searchbox').fill('refreward')
    await page.getByText('Referral rewards', { exact: true }).waitFor()
    await page.getByRole('searchbox').fill('nothing like that')
    await page.getByText('0 found').waitFor()
    await page.goto(`${network.docsUrl}#/getMacroblockByHeight`)
    await opened('getMacroblockByHeight').waitFor()
    await page.getByRole('textbox', { name: 'height' }).fill('1')
    const code = page.getByRole('region', { name: 'TypeScript' }).locator('pre')
    expect(await code.textContent()).toContain('client.getMacroblock({ height: 1 })')
    const curl = page.getByRole('region', { name: 'curl' }).locator('pre')
    expect(await curl.textContent()).toBe(`curl '${network.apiUrl}/macroblock_by_height?height=1'`)
    // A text that is no number is sent as it is, and the refusal is shown.
    await page.goto(`${network.docsUrl}#/getPage`)
    await opened('getPage').waitFor()
    await page.locator('#of-n').fill('next')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('[data-status="400 Bad Request"]').waitFor()
  })

  it('sends the payment that it offers, which is a new one each time', async () => {
    const hashes = new Set<string>()
    for (let count = 0; count < 2; count++) {
      await page.goto('about:blank')
      await page.goto(`${network.docsUrl}#/postTx`)
      await opened('postTx').waitFor()
      await page.getByText('Changes this network.').waitFor()
      await page.getByRole('button', { name: 'Send' }).click()
      const text = (await page.locator('[data-answer]').textContent()) ?? ''
      hashes.add(JSON.parse(text).result[0].hash)
    }
    expect(hashes.size).toBe(2)
    const [hash = ''] = hashes
    const found = async () => (await fetch(`${network.apiUrl}/tx?hash=${hash}`)).text()
    await expect.poll(found).toContain('"status":3')
  })

  it('fits on a telephone in every form, and has a name for everything that takes a key', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(network.docsUrl)
    const links = await page
      .locator('nav[aria-label=Endpoints] a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
    expect(links.length).toBeGreaterThan(60)
    const wide: string[] = []
    for (const link of links) {
      await page.goto(`${network.docsUrl}${link}`)
      const id = link.slice(2)
      await (/^(get|post)/.test(id) ? opened(id) : page.locator('main h2 + :is(p, ol, ul)')).waitFor()
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      if (width > 360) wide.push(link)
      const nameless = await page.locator('input, textarea, button, a').evaluateAll((all) =>
        all
          .filter((one) => {
            const named = (one as HTMLInputElement).labels?.length ?? 0
            return named === 0 && !one.getAttribute('aria-label') && (one.textContent ?? '').trim() === ''
          })
          .map((one) => one.outerHTML),
      )
      expect(nameless, link).toEqual([])
    }
    expect(wide).toEqual([])
    expect(faults).toEqual([])
  })
})
