import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { createMiningNode, createWallet, walletFromPrivateKey } from '@hailstone/mining-node'
import { openBrowser } from '@hailstone/test-browser'
import type { Browser, Page } from 'playwright-core'
import { type PreviewServer, preview } from 'vite'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

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
  page.locator(selector, { hasText: text }).first().waitFor()

describe('the sample app in a real browser', () => {
  it('check 12: goes from a new key to a reward without anything but the local network', async () => {
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
    await until('#log li', /earned [\d.,]+…? DEV in block \d+/)
    if (picturePath !== undefined) await page.screenshot({ path: picturePath })
    await page.click('#toggle')
    await until('#status', 'stopped')
  })

  it('follows the node: pushed out by another device it can be started again, and the balance says its age', async () => {
    const [account] = network.accounts.developers
    if (account === undefined) throw new Error('the network has no developers')
    await openSample()
    await page.fill('#secret', account.privateKey)
    await page.click('button[type=submit]')
    await page.click('#toggle')
    await until('#log li', 'signed microblock')
    expect(await textOf('#toggle')).toBe('Stop mining')
    const { apiUrl, gatewayUrl } = network
    await using other = createMiningNode({
      wallet: walletFromPrivateKey(account.privateKey),
      apiUrl,
      gatewayUrl,
    })
    await other.start()
    await until(
      '#status',
      /duplicate key: another device mines with this key at \S+; this one takes its turn/,
    )
    expect(await textOf('#toggle')).toBe('Stop mining')
    await until('#age', /^read \d+ s ago$/)
    await other.close()
    // Stopping and starting skips the waiting time.
    await page.click('#toggle')
    await until('#toggle', 'Start mining')
    await page.click('#toggle')
    await until('#status', /^mining/)
    expect(await textOf('#toggle')).toBe('Stop mining')
  })

  it('a key it made can be seen and saved, survives a reload, and is forgotten when that is asked for', async () => {
    await openSample()
    await page.click('#make')
    const address = await textOf('#address')
    expect(await page.locator('#private').textContent()).toBe('')
    await page.click('#made summary')
    await until('#made', 'Whoever has the key has the coins')
    await page.click('#show')
    const privateKey = (await textOf('#private')) ?? ''
    expect(walletFromPrivateKey(privateKey).address).toBe(address)
    const saving = page.waitForEvent('download')
    await page.click('#save')
    const file = await (await saving).path()
    expect(await readFile(file, 'utf8')).toBe(privateKey)
    await page.reload()
    await page.locator('#account').waitFor()
    expect(await textOf('#address')).toBe(address)
    page.on('dialog', (dialog) => dialog.accept())
    await page.click('#made summary')
    await page.click('#forget')
    await page.locator('#key').waitFor()
    expect(await page.evaluate('localStorage.length')).toBe(0)
  })

  it('has one key in all tabs, and forgets no key but its own', async () => {
    const first = await openSample()
    const opened = first.waitForEvent('popup')
    await first.evaluate(() => void window.open(location.href))
    const second = await opened
    await second.locator('#make').waitFor()
    await first.click('#make')
    await second.click('#make')
    const address = await first.textContent('#address')
    expect(await second.textContent('#address')).toBe(address)
    const other = createWallet().exportPrivateKey()
    await second.evaluate((key) => localStorage.setItem('hailstone-sample-key', key), other)
    first.once('dialog', (dialog) => void dialog.accept())
    await first.click('#made summary')
    await first.click('#forget')
    await first.waitForFunction((shown) => document.querySelector('#address')?.textContent !== shown, address)
    expect(await second.evaluate(() => localStorage.getItem('hailstone-sample-key'))).toBe(other)
    await second.close()
  })

  it('waits for another tab that makes a key, and uses that one', async () => {
    const first = await openSample()
    const here = first.url()
    await first.goto(new URL('source.txt', here).href)
    // A tab that stands still between looking for a key and keeping its own.
    const wallet = createWallet()
    await first.evaluate(
      (key) =>
        new Promise<void>((begin) => {
          const pressed = new Promise((resolve) => addEventListener('click', resolve, { once: true }))
          void navigator.locks.request('hailstone-sample-key', async () => {
            begin()
            await pressed
            localStorage.setItem('hailstone-sample-key', key)
          })
        }),
      wallet.exportPrivateKey(),
    )
    const opened = first.waitForEvent('popup')
    await first.evaluate((url) => void window.open(url), here)
    const second = await opened
    await second.click('#make')
    await second.locator('#fault', { hasText: 'waits for it' }).waitFor()
    await first.click('body')
    await second.locator('#log li', { hasText: 'another tab has made this key' }).waitFor()
    expect(await second.textContent('#address')).toBe(wallet.address)
    expect(await second.textContent('#fault')).toBe('')
    await second.close()
  })

  it('makes a key in the tab where that is asked for, whichever was opened first', async () => {
    const first = await openSample()
    await first.locator('#make').waitFor()
    const opened = first.waitForEvent('popup')
    await first.evaluate(() => void window.open(location.href))
    const second = await opened
    await second.click('#make')
    await second.locator('#account').waitFor()
    await first.click('#make')
    expect(await first.textContent('#address')).toBe(await second.textContent('#address'))
    await second.close()
  })

  it('does not put a key back that another tab has replaced', async () => {
    const first = await openSample()
    await first.click('#make')
    await first.locator('#account').waitFor()
    const other = createWallet().exportPrivateKey()
    await first.addInitScript((key) => {
      // Another tab writes right after this one has read, as it does at its start.
      const read = Storage.prototype.getItem
      Storage.prototype.getItem = function (name) {
        const found = read.call(this, name)
        this.setItem(name, key)
        return found
      }
    }, other)
    await first.reload()
    await first.locator('#account').waitFor()
    expect(await first.evaluate(() => localStorage['hailstone-sample-key'])).toBe(other)
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
    // The reason stays until it no longer holds, and the focus moves to where mining starts.
    const [, , developer] = network.accounts.developers
    await page.fill('#secret', developer?.privateKey ?? '')
    await page.keyboard.press('Enter')
    expect(await textOf('#fault')).toBe('')
    expect(await page.evaluate('document.activeElement.id')).toBe('toggle')
  })

  it('is started by a double click, and not stopped again by its second half', async () => {
    const [, , , developer] = network.accounts.developers
    await openSample()
    await page.fill('#secret', developer?.privateKey ?? '')
    await page.click('button[type=submit]')
    await page.click('#toggle')
    await until('#toggle', 'Stop mining')
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    await until('#log li', 'signed microblock')
    expect(await textOf('#toggle')).toBe('Stop mining')
  })

  it('says that the network does not answer, and finds it when it does', async () => {
    const gone = await startLocalNetwork({ blockTimeMs: 1000 })
    const apiPort = Number(new URL(gone.apiUrl).port)
    await gone.stop()
    await openSample(gone.apiUrl)
    await until('#network', 'does not answer')
    await using _back = await startLocalNetwork({ blockTimeMs: 1000, apiPort })
    await until('#network', 'Mines DEV')
  })

  it('offers nothing to press before the script is there that acts', async () => {
    const [base = ''] = server.resolvedUrls?.local ?? []
    page = await browser.newPage()
    await page.route('**/*.js', (route) => route.abort())
    await page.goto(base)
    expect(await page.getByRole('heading').count()).toBe(1)
    expect(await page.getByRole('button').count()).toBe(0)
  })

  it('is at most 150 lines of TypeScript', async () => {
    const source = await readFile(new URL('../src/main.ts', import.meta.url), 'utf8')
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
  })

  it('links to its own source', async () => {
    await openSample()
    const [base = ''] = server.resolvedUrls?.local ?? []
    const source = await (await fetch(new URL('source.txt', base))).text()
    expect(source).toContain('createMiningNode')
    expect(await page.getAttribute('footer a', 'href')).toBe('source.txt')
  })
})
