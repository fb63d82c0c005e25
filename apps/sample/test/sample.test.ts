import { fileURLToPath } from 'node:url'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import type { Browser, Page } from 'playwright-core'
import { type PreviewServer, preview } from 'vite'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from './browser.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const picturePath = process.env.HAILSTONE_PICTURE

let network: LocalNetwork
let server: PreviewServer
let browser: Browser
let page: Page
const faults: string[] = []
const foreign: string[] = []

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeMs: 1000, faucetWaitMs: 0 })
  server = await preview({ root, preview: { port: 0, host: '127.0.0.1' }, logLevel: 'error' })
  browser = await openBrowser()
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
  await network?.stop()
})

async function openSample(apiUrl = network.apiUrl): Promise<Page> {
  const [base = ''] = server.resolvedUrls?.local ?? []
  page = await browser.newPage({ viewport: { width: 760, height: 900 } })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url())
    if (protocol !== 'data:' && hostname !== '127.0.0.1') foreign.push(hostname)
  })
  await page.goto(
    `${base}?api=${encodeURIComponent(apiUrl)}&gateway=${encodeURIComponent(network.gatewayUrl)}`,
  )
  return page
}

afterEach(async () => {
  await page?.close()
  expect(faults.splice(0)).toEqual([])
  expect(foreign.splice(0)).toEqual([])
})

const textOf = (selector: string) => page.locator(selector).textContent()
const until = (selector: string, text: string | RegExp) =>
  page.locator(selector, { hasText: text }).first().waitFor({ timeout: 30_000 })

describe('the sample app in a real browser', () => {
  it('goes from a new key to a reward without anything but the local network', async () => {
    await openSample()
    await until('#network', 'Mines DEV')
    await page.click('#make')
    expect(await textOf('#address')).toMatch(/^0[23][0-9a-f]{64}$/)
    await until('#balance', '0 DEV')
    await page.click('#faucet')
    await until('#balance', '25 DEV')
    await page.click('#toggle')
    await until('#log li', 'signed microblock')
    expect(await textOf('#status')).toMatch(/^mining/)
    await until('#log li', /is in block \d+/)
    await until('#log li', /earned [\d.]+ DEV in block \d+/)
    if (picturePath !== undefined) await page.screenshot({ path: picturePath })
    await page.click('#toggle')
    await until('#status', 'stopped')
  })

  it('takes a pasted key and forgets it on the screen', async () => {
    const [, developer] = network.accounts.developers
    await openSample()
    await page.fill('#secret', developer?.privateKey ?? '')
    await page.click('button[type=submit]')
    expect(await textOf('#address')).toBe(developer?.address)
    expect(await page.inputValue('#secret')).toBe('')
    expect(await page.content()).not.toContain(developer?.privateKey)
  })

  it('says what is wrong with a key, and never repeats it', async () => {
    await openSample()
    await page.fill('#secret', 'abc123')
    await page.click('button[type=submit]')
    await until('#fault', '64 hex digits')
    expect(await textOf('#fault')).not.toContain('abc123')
    expect(await page.isVisible('#account')).toBe(false)
  })

  it('says that the network does not answer', async () => {
    await openSample('http://127.0.0.1:9/api/v1')
    await until('#network', 'does not answer')
  })

  it('links to its own source', async () => {
    await openSample()
    const [base = ''] = server.resolvedUrls?.local ?? []
    const source = await (await fetch(new URL('source.txt', base))).text()
    expect(source).toContain('createMiningNode')
    expect(await page.getAttribute('footer a', 'href')).toBe('source.txt')
  })
})
