import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createClient, walletFromPrivateKey } from '@hailstone/client'
import { createMiningNode } from '@hailstone/mining-node'
import type { RewardRow } from '@hailstone/react'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { rewardStoreName } from '../src/engine/engine-config.ts'
import type { openRewardStore, RewardStore } from '../src/engine/reward-store.ts'
import { serveBrand } from '../tools/serve-brand.ts'
import type { Served } from '../tools/serve-files.ts'
import { brandFolder, go, importAccount, plain, textAt, unlock, useApp } from './app-harness.ts'
import { type LongHistory, type StoredForm, serveLongHistory } from './long-history.ts'

const MEGABYTE = 1024 * 1024
const HOUR_SECONDS = 3_600

const app = useApp({ network: { blockTimeMs: 1_000 } })
let microblocks: readonly { readonly hash: string; readonly ticker: string }[]
let history: LongHistory | undefined
let served: Served | undefined

beforeAll(async () => {
  microblocks = await mineMicroblocks()
})

afterEach(async () => {
  await served?.stop()
  history?.stop()
})

/** Mines two microblocks, of which the long histories are made. */
async function mineMicroblocks() {
  const client = createClient({ apiUrl: app.network.apiUrl })
  const node = createMiningNode({
    wallet: walletFromPrivateKey(app.keyOf(2)),
    client,
    gatewayUrl: app.network.gatewayUrl,
    tokenId: app.network.tokens.native.id,
  })
  await node.start()
  const mined = [await app.network.mineUntilRewarded(node), await app.network.mineUntilRewarded(node)]
  await node.stop()
  await client.close()
  return mined.map(({ microblockHash: hash }) => ({ hash, ticker: 'DEV' }))
}

const { address } = walletFromPrivateKey('7c'.repeat(32))

/** Serves the app to an account with a history of this length. */
async function serveWith(count: number, secondsApart?: number) {
  const { apiUrl, gatewayUrl, tokens } = app.network
  const long = await serveLongHistory({
    apiUrl,
    address,
    count,
    microblocks,
    ...(secondsApart === undefined ? {} : { secondsApart }),
  })
  history = long
  served = await serveBrand({
    brandFolder: brandFolder('jamr'),
    network: { apiUrl: long.apiUrl, gatewayUrl, nativeTokenId: tokens.native.id },
    flags: plain,
  })
  return { history: long, url: served.url }
}

/** Returns the units of an amount, and the units of its last digit: a long one is shown cut. */
function unitsOf(text: string | null): { readonly shown: bigint; readonly step: bigint } {
  const [whole = '', fraction = ''] = (text ?? '').replace(/[^0-9.]/g, '').split('.')
  const isCut = text?.includes('…') === true
  return {
    shown: BigInt(whole + fraction.padEnd(10, '0')),
    step: isCut ? 10n ** BigInt(10 - fraction.length) : 1n,
  }
}

/** Compares the totals of a page with sums over the history. */
async function expectTotals(page: Page, long: LongHistory): Promise<void> {
  const now = Date.now() / 1000
  const hours = { day: 24, week: 7 * 24, month: 30 * 24, all: Number.POSITIVE_INFINITY }
  const spans: Readonly<Record<string, string>> = { day: '24 hours', week: '7 days', month: '30 days' }
  for (const [period, length] of Object.entries(hours)) {
    const span = spans[period]
    if (span !== undefined) await page.getByText(span, { exact: true }).click()
    await page.locator(`[data-period="${period}"] .amount`).waitFor()
    const { shown, step } = unitsOf(await textAt(page, `[data-period="${period}"] .amount`))
    // The page counts again each minute: at the end of a period a few rewards of 15 s each are gone meanwhile.
    const most = long.total(now - length * HOUR_SECONDS - 120)
    const least = long.total(now - length * HOUR_SECONDS)
    expect(shown > least - step && shown <= most, `${period}: ${shown}, not ${least} to ${most}`).toBe(true)
  }
}

/** Returns the private memory of the process that runs the page and its worker, in MB, after a garbage collection. */
async function memoryOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.detach()
  const browser = await page.context().browser()?.newBrowserCDPSession()
  const { processInfo } = (await browser?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] }
  await browser?.detach()
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => {
      const text = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8')
      const parts = [...text.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB/gm)]
      return (parts.reduce((sum, [, kilobytes]) => sum + Number(kilobytes), 0) * 1024) / MEGABYTE
    })
  return Math.max(...sizes)
}

type WithStore = { readonly rewardStore: { readonly openRewardStore: typeof openRewardStore } }

/** Stores the rewards of a history in the browser, by the code with which the app stores them. */
async function fillStore(page: Page, long: LongHistory, count: number): Promise<void> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: {
        entry: fileURLToPath(new URL('../src/engine/reward-store.ts', import.meta.url)),
        formats: ['iife'],
        name: 'rewardStore',
      },
    },
  })
  const [first] = [built].flat()
  if (first === undefined || !('output' in first)) throw new Error('the store was not bundled')
  await page.evaluate(`${first.output[0].code}; globalThis.rewardStore = rewardStore`)
  const name = rewardStoreName({ brandId: 'jamr', tokenId: app.network.tokens.native.id }, address)
  const part = 5_000
  for (let from = 0; from < count; from += part)
    await page.evaluate(
      async ({ name: database, json, isFirst }) => {
        const holder = globalThis as unknown as WithStore & { opened?: Promise<RewardStore> }
        holder.opened ??= holder.rewardStore.openRewardStore(database)
        const store = await holder.opened
        const rows = JSON.parse(json) as StoredForm[]
        const newestFirst = rows
          .map((row) => ({ ...row, amount: BigInt(row.amount) }))
          .reverse() as unknown as RewardRow[]
        const lines = newestFirst.map(({ index, recordHash: hash, recordType, amount, timeMs }) => {
          const time = timeMs / 1000
          return { index, rewardIndex: index / 2, hash, recordType, amount, time, symbol: '' }
        })
        if (isFirst) await store.prepend({ rows: newestFirst, lines, isLast: true })
        else await store.append({ rows: newestFirst, lines, sinceIndex: (rows[0]?.index ?? 0) - 1 })
      },
      // As text: values of an argument are copied one by one, which takes longer than storing them.
      { name, json: JSON.stringify(long.rows(from, Math.min(part, count - from))), isFirst: from === 0 },
    )
}

it('adds up a history page by page, and is right at once after a restart without an answer', async () => {
  const { history: long, url } = await serveWith(300, HOUR_SECONDS)
  const page = await app.open(url)
  await importAccount(page, '7c'.repeat(32))
  await go(page, '/rewards')
  await page.locator('[data-period="all"]').getByRole('button', { name: 'Add up' }).click()
  await page.getByText('300 rewards').waitFor()
  await expectTotals(page, long)
  long.fails = true
  await page.reload()
  await unlock(page)
  await go(page, '/rewards')
  await page.getByText('300 rewards').waitFor()
  await expectTotals(page, long)
  await page.getByText('The rewards could not be loaded.').waitFor()
  long.fails = false
  long.add()
  const before = long.pages()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('301 rewards').waitFor()
  await expectTotals(page, long)
  expect(long.pages() - before, 'what is stored is not read again').toBeLessThan(10)
})

it('keeps 100,000 rewards: totals at once, rows near the screen alone, at most 150 MB', async () => {
  const { history: long, url } = await serveWith(100_000)
  const page = await app.open(url)
  await fillStore(page, long, 100_000)
  await page.reload()
  await importAccount(page, '7c'.repeat(32))
  await go(page, '/rewards')
  await page.getByText('100000 rewards').waitFor()
  await expectTotals(page, long)
  expect(long.pages(), 'what is stored is not read again').toBeLessThan(20)
  console.log(`100,000 rewards: ${(await memoryOf(page)).toFixed(0)} MB at the first ones`)
  const rows = page.locator('.rows .row')
  await rows.first().waitFor()
  expect(await rows.first().getAttribute('data-index')).toBe(String(2 * 99_999))
  for (const part of [0.25, 0.5, 0.75, 1]) {
    await page.evaluate((to) => scrollTo(0, document.body.scrollHeight * to), part)
    const isDrawn = (): Promise<boolean> =>
      page.evaluate(() =>
        [...document.querySelectorAll('.rows .row')].some((row) => {
          const { top, bottom } = row.getBoundingClientRect()
          return bottom > 0 && top < innerHeight
        }),
      )
    await expect.poll(isDrawn).toBe(true)
    expect(await rows.count()).toBeLessThanOrEqual(500)
  }
  await expect.poll(() => rows.last().getAttribute('data-index')).toBe('0')
  const memory = await memoryOf(page)
  console.log(`100,000 rewards: ${memory.toFixed(0)} MB at the last ones`)
  expect(memory).toBeLessThanOrEqual(150)
})
