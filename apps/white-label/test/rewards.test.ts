import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, walletFromPrivateKey } from '@hailstone/client'
import { createMiningNode } from '@hailstone/mining-node'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { serveBrand } from '../tools/serve-brand.ts'
import { brandFolder, go, importAccount, plain, textAt, unlock, useApp } from './app-harness.ts'
import { serveLongHistory } from './long-history.ts'

const REWARDS = 100_000
const MEGABYTE = 1024 * 1024

const app = useApp()

const unitsOf = (text: string | null): bigint => {
  const [whole = '', fraction = ''] = (text ?? '').replace(/[^0-9.]/g, '').split('.')
  return BigInt(whole + fraction.padEnd(10, '0'))
}

const totalOf = async (page: Page, period: string): Promise<string | null> =>
  textAt(page, `[data-period="${period}"] .amount`)

/** Mines two microblocks and returns their hashes. */
async function mineMicroblocks(privateKey: string) {
  const client = createClient({ apiUrl: app.network.apiUrl })
  const node = createMiningNode({
    wallet: walletFromPrivateKey(privateKey),
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

/** Returns the private memory of the process that runs a page and its worker, in MB, after a garbage collection. */
async function memoryOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.detach()
  const browser = await page.context().browser()?.newBrowserCDPSession()
  const { processInfo } = (await browser?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] }
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => {
      const text = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8')
      const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB/gm)].map(([, size]) =>
        Number(size),
      )
      return (kilobytes.reduce((sum, size) => sum + size, 0) * 1024) / MEGABYTE
    })
  await browser?.detach()
  return Math.max(...sizes)
}

it('keeps 100,000 rewards: totals at once after a restart, rows near the screen alone, at most 150 MB', async () => {
  const privateKey = app.keyOf(2)
  const { address } = walletFromPrivateKey(privateKey)
  const microblocks = await mineMicroblocks(privateKey)
  const { apiUrl, gatewayUrl, tokens } = app.network
  const history = await serveLongHistory({ apiUrl, address, count: REWARDS, microblocks })
  const served = await serveBrand({
    brandFolder: brandFolder('jamr'),
    network: { apiUrl: history.apiUrl, gatewayUrl, nativeTokenId: tokens.native.id },
    flags: plain,
  })
  try {
    const page = await app.open(served.url)
    await importAccount(page, privateKey)
    await go(page, '/rewards')
    await page.locator('[data-period="all"]').getByRole('button', { name: 'Add up' }).click()
    await page.getByText('100,000 rewards').waitFor({ timeout: 600_000 })
    const daysAgo = (days: number): number => Math.floor(Date.now() / 1000) - days * 86_400
    // The page rounds to four digits and the time goes on: a period may have lost a reward or two at its end.
    const isNear = (shown: string | null, units: bigint): boolean => {
      const difference = unitsOf(shown) - units
      return difference <= 1_000_000n && difference >= -3_000_000_000n
    }
    const expectTotals = async (): Promise<void> => {
      expect(isNear(await totalOf(page, 'day'), history.total(daysAgo(1)))).toBe(true)
      expect(isNear(await totalOf(page, 'week'), history.total(daysAgo(7)))).toBe(true)
      expect(isNear(await totalOf(page, 'all'), history.total())).toBe(true)
    }
    await expectTotals()
    console.log(`after reading ${history.pages()} pages: ${(await memoryOf(page)).toFixed(0)} MB`)

    // A restart, with a server that does not answer: what is stored is shown, and nothing is read again.
    history.fails = true
    await page.reload()
    await unlock(page)
    await go(page, '/rewards')
    await page.getByText('100,000 rewards').waitFor()
    await expectTotals()
    await page.getByText('The rewards could not be loaded.').waitFor()
    const before = history.pages()
    history.fails = false
    history.add()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('100,001 rewards').waitFor()
    await expectTotals()
    expect(history.pages() - before).toBeLessThan(20)

    const rows = page.locator('.rows .row')
    await rows.first().waitFor()
    expect(await rows.first().getAttribute('data-index')).toBe(String(2 * REWARDS))
    for (const part of [0.25, 0.5, 0.75, 1]) {
      await page.evaluate((to) => scrollTo(0, document.body.scrollHeight * to), part)
      await expect
        .poll(() =>
          page.evaluate(() =>
            [...document.querySelectorAll('.rows .row')].some((row) => {
              const { top, bottom } = row.getBoundingClientRect()
              return bottom > 0 && top < innerHeight
            }),
          ),
        )
        .toBe(true)
      expect(await rows.count()).toBeLessThanOrEqual(500)
    }
    await expect.poll(() => rows.last().getAttribute('data-index')).toBe('0')
    await sleep(0)
    const memory = await memoryOf(page)
    console.log(`after the whole list was scrolled: ${memory.toFixed(0)} MB`)
    expect(memory).toBeLessThanOrEqual(150)
  } finally {
    await served.stop()
    history.stop()
  }
}, 900_000)
