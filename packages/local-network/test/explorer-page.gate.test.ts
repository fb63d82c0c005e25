import { encodeReferralCode } from '@hailstone/protocol'
import { openBrowser } from '@hailstone/test-browser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LocalNetwork, startLocalNetwork } from '../src/index.ts'

let network: LocalNetwork
let browser: Browser
let page: Page
const faults: string[] = []
const foreign: string[] = []

beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'explorer', blockTimeMs: 1_000 })
  browser = await openBrowser()
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
    if (!request.url().startsWith(own) && !request.url().startsWith('data:')) foreign.push(request.url())
  })
})

afterEach(() => page.close())

const open = (place = ''): Promise<unknown> => page.goto(new URL(`/${place}`, network.apiUrl).href)

const shownHeight = async (): Promise<number> =>
  Number(await page.locator('[data-height]').getAttribute('data-height'))

const tableOf = (caption: string) =>
  page.locator('table').filter({ has: page.locator('caption', { hasText: caption }) })

describe('the page of a network', () => {
  it('shows how the chain grows, without being loaded again, from this node alone', async () => {
    await open()
    await page.locator('[data-height]').waitFor()
    const first = await shownHeight()
    await expect.poll(shownHeight).toBeGreaterThan(first + 1)
    expect(await tableOf('Newest macroblocks').locator('tbody tr').count()).toBeGreaterThan(1)
    const [height, , microblocks, transactions] = await tableOf('Newest macroblocks')
      .locator('tbody tr')
      .first()
      .locator('td')
      .allTextContents()
    expect([height, microblocks, transactions].map(Number).every((number) => number > 0)).toBe(true)
    const accounts = page.locator('dt', { hasText: 'Accounts' }).locator('..').locator('dd')
    expect(Number(await accounts.textContent())).toBeGreaterThan(5)
    expect(foreign).toEqual([])
    expect(faults).toEqual([])
  })

  it('leads from a macroblock to its microblock, its transaction and its account', async () => {
    await expect.poll(() => network.height()).toBeGreaterThan(3)
    await open('#/height/2')
    await tableOf('Microblocks').getByRole('link').first().click()
    await page.getByText('Mined by').waitFor()
    expect(await page.title()).toMatch(/^microblock [0-9a-f]{10} – /)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    await tableOf('Transactions').getByRole('link').first().click()
    await page.locator('.status.confirmed').waitFor()
    await page.getByText('Sent, fee included').waitFor()
    const from = page.locator('dt', { hasText: 'From' }).locator('..').getByRole('link')
    const address = (await from.getAttribute('title')) ?? ''
    await from.click()
    await page.getByText(address, { exact: true }).waitFor()
    const history = tableOf('History')
    const sent = history.getByRole('row').filter({ hasText: 'sent' }).first()
    await sent.getByText(network.tokens.native.symbol).waitFor()
    expect(await tableOf('Balances').locator('tbody tr').count()).toBeGreaterThan(0)
    expect(faults).toEqual([])
  })

  it('finds a height, a transaction, an account and a token, and says when there is none', async () => {
    await open()
    const find = async (text: string): Promise<void> => {
      await page.getByRole('searchbox').fill(text)
      await page.getByRole('button', { name: 'Find' }).click()
    }
    await find('1')
    await page.getByRole('heading', { name: 'Macroblock 1' }).waitFor()
    await find(network.accounts.faucet.address)
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    await find(network.tokens.mineable.id)
    await page.getByText('Least stake of a miner').waitFor()
    await find('0'.repeat(63))
    await page.getByText('The network knows nothing of that name.').waitFor()
    await page.getByRole('searchbox').fill('something else')
    await page.getByText('The network knows nothing of that name.').waitFor({ state: 'detached' })
    // An address with a letter too few is nothing the node could be blamed for.
    await open(`#/account/${network.accounts.faucet.address.slice(1)}`)
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).not.toContain('cannot be reached')
    expect(faults).toEqual([])
  })

  it('finds what it shows in short, and a referral code, and says what it takes', async () => {
    await expect.poll(() => network.height()).toBeGreaterThan(3)
    const find = async (text: string): Promise<void> => {
      await page.getByRole('searchbox').fill(text)
      await page.getByRole('button', { name: 'Find' }).click()
    }
    const ends = (text: string, tail = -6): string => `${text.slice(0, 8)}…${text.slice(tail)}`
    // As another window shows it: nothing of this one has been rendered yet.
    await open('#/miners')
    const { faucet, fallbackMiner } = network.accounts
    await find(ends(fallbackMiner.address, -4).toUpperCase())
    await page.getByText(fallbackMiner.address, { exact: true }).waitFor()
    await find(ends(network.tokens.mineable.id).replace('…', '...'))
    await page.getByText('Least stake of a miner').waitFor()
    const ofOldBlock = '#/height/1'
    await open(ofOldBlock)
    const link = tableOf('Microblocks').getByRole('link').first()
    const hash = (await link.getAttribute('title')) ?? ''
    await find((await link.textContent()) ?? '')
    await page.getByText('Mined by').waitFor()
    expect(new URL(page.url()).hash).toBe(`#/microblock/${hash}`)
    await find(encodeReferralCode(faucet.address))
    await page.getByText(faucet.address, { exact: true }).waitFor()
    await find(ends(encodeReferralCode(fallbackMiner.address)))
    await page.getByText(fallbackMiner.address, { exact: true }).waitFor()
    await find('ref_12')
    await page.getByText('it should have 66 hex digits after ref_').waitFor()
    await find('0123456789…abcdef')
    await page.getByText('Nothing that begins and ends so').waitFor()
    await find(hash.slice(0, 20))
    await page.getByText('A hash has 64 hex digits, an address 66').waitFor()
    expect(faults).toEqual([])
  })

  it('finds tokens by their symbol: in lower case, by a part of it, and several to choose from', async () => {
    await open()
    const find = async (text: string): Promise<void> => {
      await page.getByRole('searchbox').fill(text)
      await page.getByRole('button', { name: 'Find' }).click()
    }
    const { mineable, fixed } = network.tokens
    await find(mineable.symbol.toLowerCase())
    await page.getByRole('heading', { name: mineable.symbol, level: 2 }).waitFor()
    await find(fixed.symbol.slice(0, 3).toLowerCase())
    await page.getByRole('heading', { name: fixed.symbol, level: 2 }).waitFor()
    // HAIL and THAW both have these two letters.
    await find('ha')
    await page.getByText('2 tokens have that in their name:').waitFor()
    await page.locator('search').getByRole('link', { name: mineable.symbol }).click()
    await page.getByRole('heading', { name: mineable.symbol, level: 2 }).waitFor()
    await page.locator('search li').first().waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  it('shows every amount in coins with its symbol, rewards and referral rewards too', async () => {
    const { fallbackMiner, keyBlockPublisher, tokenOwner } = network.accounts
    const { symbol } = network.tokens.native
    await expect.poll(() => network.height()).toBeGreaterThan(2)
    const places = ['', '#/height/1', '#/tokens', `#/token/${network.tokens.mineable.id}`]
    for (const { address } of [fallbackMiner, keyBlockPublisher, tokenOwner])
      places.push(`#/account/${address}`)
    for (const place of places) {
      await open(place)
      await page.reload()
      await page.locator('.number').first().waitFor()
      const amounts = () => page.locator('.number').allTextContents()
      await expect
        .poll(async () =>
          (await amounts()).filter((text) => !/^(—|-?[\d,]+(\.\d{1,6}…?)? [A-Z]{1,6})$/.test(text.trim())),
        )
        .toEqual([])
    }
    await open(`#/account/${fallbackMiner.address}`)
    const mined = tableOf('History').getByRole('row').filter({ hasText: 'mined' }).first()
    await mined.getByText(symbol).waitFor()
    expect(faults).toEqual([])
  })

  it('shows tokens with their supply, and miners', async () => {
    await open('#/tokens')
    for (const { symbol } of [network.tokens.native, network.tokens.mineable])
      await tableOf('All tokens').getByRole('link', { name: symbol, exact: true }).waitFor()
    await page.getByRole('link', { name: 'Miners' }).click()
    await page.getByText('Nobody mines').waitFor()
    await open(`#/token/${'f'.repeat(64)}`)
    await page.getByText('There is no such token.').waitFor()
    await open('#/height/999999')
    await page.getByText('There is no such macroblock yet.').waitFor()
  })

  it('keeps what it knows when the node is gone, and says so', async () => {
    await using other = await startLocalNetwork({ seed: 'explorer gone', blockTimeMs: 1_000 })
    await page.goto(new URL('/', other.apiUrl).href)
    await page.locator('[data-height]').waitFor()
    await other.stop()
    await page.getByRole('alert').waitFor()
    expect(await shownHeight()).toBeGreaterThanOrEqual(0)
  })

  it('fits on a telephone, whichever page it is', async () => {
    const { address } = network.accounts.faucet
    await page.setViewportSize({ width: 320, height: 640 })
    const places = { '': 'Newest macroblocks', [`#/account/${address}`]: 'History', '#/tokens': 'All tokens' }
    for (const [place, caption] of Object.entries(places)) {
      await open(place)
      await tableOf(caption).waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
      // Nothing is read by scrolling sideways.
      const hidden = await page
        .locator('.table')
        .evaluateAll((tables) => tables.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
      expect(hidden).toEqual(hidden.map(() => 0))
    }
  })
})
