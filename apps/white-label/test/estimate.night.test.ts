import { createClient, walletFromPrivateKey } from '@hailstone/client'
import { createMiningNode } from '@hailstone/mining-node'
import { type Address, parseAmount } from '@hailstone/protocol'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { rewardStoreName } from '../src/engine/engine-config.ts'
import { serveBrand } from '../tools/serve-brand.ts'
import type { Served } from '../tools/serve-files.ts'
import { clipped, violations } from './accessibility.ts'
import { begin, brandFolder, go, importAccount, plain, untilStatus, useApp } from './app-harness.ts'
import { type LongHistory, serveLongHistory } from './long-history.ts'

const HOUR_MS = 3_600_000
const privateKey = '7c'.repeat(32)
const { address } = walletFromPrivateKey(privateKey)
const flags = { ...plain, features: { ...plain.features, roi: true } }

const app = useApp({ network: { blockTimeMs: 1_000 } })
let microblocks: readonly { readonly hash: string; readonly ticker: string }[]
let history: LongHistory | undefined
let served: Served | undefined

beforeAll(async () => {
  const client = createClient({ apiUrl: app.network.apiUrl })
  const node = createMiningNode({
    wallet: walletFromPrivateKey(app.keyOf(2)),
    client,
    gatewayUrl: app.network.gatewayUrl,
    tokenId: app.network.tokens.native.id,
  })
  await node.start()
  const { microblockHash: hash } = await app.network.mineUntilRewarded(node)
  await node.stop()
  await client.close()
  microblocks = [{ hash, ticker: 'DEV' }]
})
afterEach(async () => {
  await served?.stop()
  history?.stop()
})

/** Returns the start of the local day that is over for as many days, of the page and of this process alike. */
const startOf = (daysAgo: number): number => {
  const today = new Date()
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysAgo).getTime()
}

/** Serves the app to an account with a reward every six minutes of the last seven days, each tenth for its own block. */
async function openAccount(page: Page): Promise<LongHistory> {
  const { apiUrl, gatewayUrl, tokens } = app.network
  const long = await serveLongHistory({ apiUrl, address, count: 7 * 240, secondsApart: 360, microblocks })
  history = long
  served = await serveBrand({
    brandFolder: brandFolder('jamr'),
    network: { apiUrl: long.apiUrl, gatewayUrl, nativeTokenId: tokens.native.id },
    flags,
  })
  await page.goto(served.url)
  await importAccount(page, privateKey)
  await page.locator('[data-status="ready"]').waitFor()
  await go(page, '/rewards')
  await page.locator('.rows .row').first().waitFor()
  return long
}

/** Writes the time of mining as the engine does, hours by days ago, and opens the estimate. */
async function mined(page: Page, hours: readonly number[]): Promise<void> {
  const name = rewardStoreName({ brandId: 'jamr', tokenId: app.network.tokens.native.id }, address)
  const times = Object.fromEntries(hours.map((one, at) => [startOf(at + 1), one * HOUR_MS]))
  await page.evaluate(
    ({ name, times }) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const database = opening.result
          const transaction = database.transaction('extent', 'readwrite')
          transaction.objectStore('extent').put(times, 'mined')
          transaction.onabort = () => reject(transaction.error)
          transaction.oncomplete = () => {
            database.close()
            resolve()
          }
        }
      }),
    { name, times },
  )
  await go(page, '/rewards')
  await page.getByRole('link', { name: 'Estimate' }).click()
  await page.getByRole('heading', { name: 'Estimate', level: 1 }).waitFor()
}

/** Reads the time of mining that the engine has kept, in ms by local day; null before it has kept any. */
const keptTimes = (page: Page, account: Address): Promise<Readonly<Record<string, number>> | null> =>
  page.evaluate(
    (name) =>
      new Promise<Readonly<Record<string, number>> | null>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const database = opening.result
          const asked = database.transaction('extent').objectStore('extent').get('mined')
          asked.onerror = () => reject(asked.error)
          asked.onsuccess = () => {
            database.close()
            resolve(asked.result ?? null)
          }
        }
      }),
    rewardStoreName({ brandId: 'jamr', tokenId: app.network.tokens.native.id }, account),
  )

const own = (page: Page) => page.getByRole('region', { name: 'At your own pace' })
const network = (page: Page) => page.getByRole('region', { name: "The network's figure" })

/** Amounts of a text in units, without directional marks; an ellipsis stands for digits that are not shown. */
const amountsIn = (text: string | null): readonly bigint[] =>
  [...(text ?? '').matchAll(/([\d,]+(?:\.\d+)?)…? DEV/g)].map(([, amount = '']) =>
    parseAmount(amount.replaceAll(',', ''), { decimals: 10 }),
  )

describe('the estimate', () => {
  it('check 33: needs three days, is a range that agrees with the rewards, and has no year', async () => {
    const page = await app.open('about:blank')
    const long = await openAccount(page)
    await mined(page, [])
    await own(page).getByText('Not enough days: 0 of 3.').waitFor()
    await mined(page, [8, 9])
    await own(page).getByText('Not enough days: 2 of 3.').waitFor()
    // Less than an hour is no day.
    await mined(page, [8, 9, 0.5])
    await own(page).getByText('Not enough days: 2 of 3.').waitFor()

    const hours = [2, 4, 6, 8, 10]
    await mined(page, hours)
    await own(page).getByText('Days counted: 5').waitFor()
    const rows = long.rows(0, 7 * 240).filter(({ role }) => role === 'miner')
    const rates = hours.map((one, at) => {
      const ofDay = rows.filter(({ timeMs }) => timeMs >= startOf(at + 1) && timeMs < startOf(at))
      return { hours: BigInt(one), units: ofDay.reduce((sum, { amount }) => sum + BigInt(amount), 0n) }
    })
    // Mined for 2 hours brings as much as for 10: the day with the least time is the fastest.
    const inHours = (time: bigint, at: number): bigint => {
      const { units, hours: of } = rates[at] ?? { units: 0n, hours: 1n }
      return (units * time) / of
    }
    const cut = (units: bigint): bigint => units - (units % 10n ** 8n)
    const figures = own(page).locator('dd')
    for (const [at, days] of [1n, 7n, 30n].entries()) {
      const shown = amountsIn(await figures.nth(at).textContent())
      expect(shown).toEqual([inHours(6n * days, 4), inHours(6n * days, 0), inHours(6n * days, 2)].map(cut))
    }
    const slider = page.getByRole('slider', { name: 'Hours of mining a day' })
    expect(await slider.inputValue()).toBe('6')
    await slider.fill('12')
    await expect
      .poll(async () => amountsIn(await figures.first().textContent())[0])
      .toBe(cut(inHours(12n, 4)))

    expect(await page.locator('main').textContent()).not.toMatch(/\byears?\b|annual|yearly|365|\bAP[RY]\b|%/i)
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 640 })
    for (const size of ['100%', '200%']) {
      await page.evaluate((text) => document.documentElement.style.setProperty('font-size', text), size)
      expect(await clipped(page), size).toEqual([])
    }
  })

  it('check 33: has the figure of the network while it answers, and none offline', async () => {
    const context = await app.device()
    let answer = (): void => undefined
    const isTime = new Promise<void>((resolve) => {
      answer = resolve
    })
    let isYoung = false
    await context.route(/\/roi_by_stake/, async (route) => {
      await isTime
      // A young network has no figures.
      if (isYoung) return route.fulfill({ status: 404, body: '' })
      return route.fulfill({
        headers: { 'access-control-allow-origin': '*' },
        json: {
          hash: app.network.tokens.native.id,
          percent: [1, 7, 30, 365],
          enq: [12e9 + 0.25, 84e9, 36e10, 438e10],
        },
      })
    })
    const page = await context.newPage()
    await page.clock.install()
    await openAccount(page)
    await mined(page, [2, 4, 6])
    await own(page).getByText('Days counted: 3').waitFor()
    // Nobody knows yet whether there is a figure.
    await network(page).locator('.loading').waitFor()
    expect(await network(page).getByText('No figure').count()).toBe(0)
    answer()
    await network(page).getByText('about \u20681.2 DEV\u2069').waitFor()
    expect(amountsIn(await network(page).textContent())).toEqual([
      12n * 10n ** 9n,
      84n * 10n ** 9n,
      36n * 10n ** 10n,
    ])
    expect(await network(page).textContent()).not.toMatch(/438|365|year/i)
    await context.setOffline(true)
    await network(page).getByText('No figure').waitFor()
    await own(page).getByText('Days counted: 3').waitFor()
    await context.setOffline(false)
    await network(page).getByText('about \u20681.2 DEV\u2069').waitFor()
    isYoung = true
    await go(page, '/rewards')
    await page.getByRole('link', { name: 'Estimate' }).click()
    await network(page).getByText('No figure').waitFor()
    isYoung = false
    await page.clock.fastForward(61_000)
    await network(page).getByText('about \u20681.2 DEV\u2069').waitFor()
  })

  it('check 33: counts the time in which this device mines, to the day of it', async () => {
    const page = await app.open(await app.serve({ brandFolder: brandFolder('jamr'), flags }))
    const [, , , developer] = app.network.accounts.developers
    if (developer === undefined) throw new Error('There are four accounts.')
    await importAccount(page, developer.privateKey)
    const from = Date.now()
    await begin(page)
    await untilStatus(page, 'Mining')
    // The rewards are open before their store is looked into, or the look would create it.
    await go(page, '/rewards')
    await page.locator('.rows .row').first().waitFor()
    // The engine keeps it once a minute.
    await expect.poll(() => keptTimes(page, developer.address), { interval: 1_000 }).not.toBeNull()
    const entries = Object.entries((await keptTimes(page, developer.address)) ?? {})
    const until = Date.now()
    const minedMs = entries.reduce((sum, [, one]) => sum + one, 0)
    expect(minedMs).toBeGreaterThan(0)
    expect(minedMs).toBeLessThanOrEqual(until - from)
    const midnights = [from, until].map((atMs) => String(new Date(atMs).setHours(0, 0, 0, 0)))
    for (const [day] of entries) expect(midnights).toContain(day)
  })

  it('check 33: waits anew with each part of the history that comes', async () => {
    const context = await app.device()
    let asked = 0
    let readable = Number.POSITIVE_INFINITY
    const held: (() => void)[] = []
    const letMore = (): void => {
      readable += 10
      for (const goOn of held.splice(0)) goOn()
    }
    await context.route(/\/account_rewards/, async (route) => {
      const number = Number(new URL(route.request().url()).searchParams.get('page') ?? 0)
      asked = Math.max(asked, number)
      while (number >= readable) await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    const page = await context.newPage()
    await page.clock.install()
    await openAccount(page)
    // An account that is being opened reads what it needs.
    readable = asked + 1
    await page.getByRole('link', { name: 'Estimate' }).click()
    const placeholder = own(page).locator('.loading')
    await placeholder.waitFor()
    await page.clock.fastForward(15_000)
    await placeholder.evaluate((element: HTMLElement) => {
      element.dataset.first = 'true'
    })
    // A hundred rewards at a time: the first are not even a day of the seven.
    await expect
      .poll(
        () => {
          letMore()
          return own(page).locator('[data-first]').count()
        },
        { interval: 1_000 },
      )
      .toBe(0)
    await placeholder.waitFor()
    await page.clock.fastForward(6_000)
    expect(await own(page).getByRole('alert').count()).toBe(0)
    await page.clock.fastForward(15_000)
    await own(page).getByRole('alert').waitFor()
    readable = Number.POSITIVE_INFINITY
    letMore()
    await own(page).getByText('Not enough days: 0 of 3.').waitFor()
  })

  it('check 33: asks the network for no figure of a custom token', async () => {
    const { mineable } = app.network.tokens
    const url = await app.serve({
      brandFolder: brandFolder('jamr'),
      flags: { ...flags, token: { hash: mineable.id, display: { fractionMax: 4 } } },
    })
    const context = await app.device()
    const asked: string[] = []
    context.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const page = await context.newPage()
    await page.goto(url)
    await importAccount(page, app.keyOf(0))
    await page.locator('[data-status="ready"]').waitFor()
    await go(page, '/rewards/estimate')
    await network(page).getByText('for its own coin only').waitFor()
    await own(page).getByText('Not enough days: 0 of 3.').waitFor()
    expect(asked.filter((path) => path.endsWith('/roi_by_stake'))).toEqual([])
  })
})
