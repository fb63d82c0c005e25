import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { clipped, violations } from './accessibility.ts'
import { begin, brandFolder, go, importAccount, plain, unlock, untilStatus, useApp } from './app-harness.ts'

const app = useApp()
let url: string
beforeAll(async () => {
  url = await app.serve({
    brandFolder: brandFolder('jamr'),
    flags: {
      ...plain,
      features: { ...plain.features, fiat: true },
      security: { ...plain.security, autoLockMin: 120 },
    },
  })
})

type RawPrice = {
  readonly cg_price: number | null
  readonly dex_price: number | null
  readonly decimals: number | null
}

/** A price that the API of the network adds to its tokens, as the public one does; null for no answer at all. */
async function quote(context: BrowserContext) {
  let price: RawPrice | null = { cg_price: null, dex_price: null, decimals: null }
  await context.route(/\/token_info/, async (route) => {
    if (price === null) return route.fulfill({ status: 500, body: '' })
    const response = await route.fetch()
    const tokens = (await response.json()) as readonly object[]
    const body = JSON.stringify(tokens.map((token) => ({ ...token, price_raw: price })))
    return route.fulfill({ response, body })
  })
  return (next: RawPrice | null): void => {
    price = next
  }
}

function account(index: number) {
  const found = app.network.accounts.developers[index]
  if (found === undefined) throw new Error(`There is no account ${index}.`)
  return found
}

const worth = (page: Page) => page.locator('.worth')
const shown = (page: Page): Promise<string | null> => worth(page).textContent()

/** Opens the wallet anew and waits until the token was read again, and after it the activity. */
async function openWallet(page: Page): Promise<void> {
  await go(page, '/')
  await page.reload()
  await page.locator('[data-status="ready"]').waitFor()
  const read = page.waitForResponse(/\/token_info/)
  await go(page, '/wallet')
  await (await read).finished()
  await page.getByRole('heading', { name: 'Activity' }).waitFor()
  await page.locator('main .loading').waitFor({ state: 'detached' })
}

describe('US dollars', () => {
  it('check 34: are shown while a price is there, and gone without one, after an hour, offline and switched off', async () => {
    const context = await app.device()
    const say = await quote(context)
    const page = await context.newPage()
    await page.clock.install()
    // A coin for 1.25 dollars.
    say({ cg_price: 9, dex_price: 12_500, decimals: 4 })
    await page.goto(url)
    await importAccount(page, app.keyOf(3))
    await page.locator('[data-status="ready"]').waitFor()
    await go(page, '/wallet')
    await worth(page).waitFor()
    const balance = app.network.balance(account(3).address)
    const cents = (balance * 125n) / 10n ** 10n
    const dollars = `$${(cents / 100n).toLocaleString('en')}.${String(cents % 100n).padStart(2, '0')}`
    expect(await shown(page)).toMatch(/^≈ .* · exchange price, \d/)
    expect(await shown(page)).toContain(`≈ ${dollars} ·`)
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 640 })
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    expect(await clipped(page)).toEqual([])
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))

    // In a request and beside what is paid, and nowhere else.
    await go(page, '/wallet/receive')
    expect(await worth(page).count()).toBe(0)
    await page.getByLabel(/^Amount/).fill('2')
    await worth(page).getByText('≈ $2.50 ·').waitFor()
    await go(page, '/wallet/send')
    await page.getByLabel('To', { exact: true }).fill(account(4).address)
    await page.getByLabel(/^Amount in/).fill('4')
    await page.getByRole('button', { name: 'Review' }).click()
    await worth(page).getByText('≈ $5.00 ·').waitFor()

    // Without a network nobody knows what it is worth now.
    await go(page, '/wallet')
    await worth(page).waitFor()
    await context.setOffline(true)
    await worth(page).waitFor({ state: 'detached' })
    await context.setOffline(false)
    await worth(page).waitFor()

    await go(page, '/more/appearance')
    const toggle = page.getByRole('switch', { name: 'Amounts in US dollars' })
    await toggle.click()
    await go(page, '/wallet')
    await page.locator('.hero-figure').first().waitFor()
    expect(await worth(page).count()).toBe(0)
    await go(page, '/more/appearance')
    await toggle.click()
    await go(page, '/wallet')
    await worth(page).waitFor()

    // An hour without an answer, after one of which the time is known.
    const isWorth = (cents: bigint) => {
      const whole = `$${(cents / 100n).toLocaleString('en')}.${String(cents % 100n).padStart(2, '0')}`
      return worth(page).getByText(`≈ ${whole} ·`).waitFor()
    }
    say({ cg_price: null, dex_price: 25_000, decimals: 4 })
    await page.clock.fastForward(6 * 60_000)
    await isWorth((balance * 250n) / 10n ** 10n)
    say(null)
    await page.clock.fastForward(40 * 60_000)
    await worth(page).waitFor()
    await page.clock.fastForward(25 * 60_000)
    await worth(page).waitFor({ state: 'detached' })

    // A clock that is set back makes nothing fresh, and keeps nothing from being read.
    say({ cg_price: null, dex_price: 12_500, decimals: 4 })
    await page.clock.fastForward(6 * 60_000)
    await isWorth(cents)
    say(null)
    const now = await page.evaluate(() => Date.now())
    await page.clock.setSystemTime(now - 24 * 60 * 60_000)
    await page.clock.fastForward(20_000)
    await worth(page).waitFor({ state: 'detached' })
    say({ cg_price: null, dex_price: 25_000, decimals: 4 })
    await page.clock.fastForward(6 * 60_000)
    await isWorth((balance * 250n) / 10n ** 10n)
  })

  it('check 34: are not made up from no price, from zero, or for less than a cent', async () => {
    const context = await app.device()
    const say = await quote(context)
    const page = await context.newPage()
    await page.goto(url)
    await importAccount(page, app.keyOf(4))
    await page.locator('[data-status="ready"]').waitFor()
    for (const none of [
      { cg_price: null, dex_price: null, decimals: null },
      { cg_price: 0, dex_price: 0, decimals: 4 },
      { cg_price: 7, dex_price: 7, decimals: null },
    ]) {
      say(none)
      await openWallet(page)
      expect(await worth(page).count()).toBe(0)
    }
    await unlock(page)
    await go(page, '/wallet/send')
    await page.getByLabel('To', { exact: true }).fill(account(3).address)
    await page.getByLabel(/^Amount in/).fill('4')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.locator('[data-review="net"]').waitFor()
    expect(await page.locator('.review dd:empty').count()).toBe(0)
    say({ cg_price: 2, dex_price: null, decimals: 0 })
    await openWallet(page)
    await worth(page).getByText('price service').waitFor()
    say({ cg_price: null, dex_price: 1, decimals: 12 })
    await openWallet(page)
    await worth(page).getByText('less than $0.01').waitFor()
  })

  it('check 34: are in no total, no row and no file of rewards', async () => {
    const context = await app.device({ acceptDownloads: true })
    const say = await quote(context)
    say({ cg_price: null, dex_price: 12_500, decimals: 4 })
    const page = await context.newPage()
    await page.goto(url)
    await importAccount(page, app.keyOf(2))
    await begin(page)
    await untilStatus(page, 'Mining')
    await go(page, '/wallet')
    await worth(page).waitFor()
    await go(page, '/rewards')
    await page.locator('.rows .row').first().waitFor()
    expect(await page.locator('main').textContent()).not.toMatch(/\$|≈/)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /CSV/ }).click(),
    ])
    const csv = await readFile(await download.path(), 'utf8')
    expect(csv).toMatch(/^index,time,kind,amount,symbol,block\r\n\d/)
    expect(csv).not.toMatch(/\$|usd|1\.25/i)
  })
})
