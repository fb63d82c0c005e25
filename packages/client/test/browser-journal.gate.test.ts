import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type * as browserEntry from '../src/browser.ts'
import { createClient, createWallet, walletFromPrivateKey } from '../src/node.ts'
import { type BrowserPages, openBrowserPages } from './support/browser-pages.ts'
import { canary, findCanary } from './support/canary-spellings.mjs'

/** In the page. */
declare const client: typeof browserEntry
declare const codeOf: (act: () => unknown) => Promise<string>

const { privateKey } = canary
const { address } = walletFromPrivateKey(privateKey)
const { address: to } = createWallet()

let network: LocalNetwork
let pages: BrowserPages
let context: BrowserContext
const heard: string[] = []

beforeAll(async () => {
  pages = await openBrowserPages()
})
afterAll(() => pages?.[Symbol.asyncDispose]())
// Each browser begins with an empty journal, so its account begins without payments.
beforeEach(async () => {
  network = await startLocalNetwork({ blockTimeMs: 300, seed: 'browser journal' })
  await network.control.fund(address, 10n ** 13n)
  context = await pages.browser.newContext()
})
afterEach(async () => {
  await context.close()
  await network.stop()
})

async function openPage(): Promise<Page> {
  const page = await context.newPage()
  page.on('console', (message) => heard.push(message.text()))
  page.on('pageerror', (error) => heard.push(`${error.stack}`))
  await page.goto(pages.origin)
  await page.waitForFunction(() => 'client' in globalThis)
  return page
}

type Kill = { readonly place: string; readonly nth: number }
type Life = {
  readonly apiUrl: string
  readonly privateKey: string
  readonly to: string
  readonly orders: readonly string[]
  readonly kill: Kill | null
}

/** A page that pays its orders, each under its own key, and says how they ended. Stands still where it is told to. */
const live = (page: Page, orders: readonly string[], kill: Kill | null = null): Promise<readonly string[]> =>
  page.evaluate(
    async ({ apiUrl, privateKey, to, orders, kill }: Life) => {
      let hits = 0
      const failpoint = (place: string): void => {
        if (place !== kill?.place || ++hits < kill.nth) return
        const request = new XMLHttpRequest()
        request.open('GET', `/blocked/${orders.at(-1)}`, false)
        request.send()
      }
      const journal = await openJournal()
      const payments = await client.createPayments({
        ...{ client: client.createClient({ apiUrl }), journal, failpoint },
        ...{ wallet: client.walletFromPrivateKey(privateKey), pollMs: 100, feeCap: { units: 10n ** 10n } },
      })
      await payments.resume()
      const ends = await Promise.all(
        orders.map(async (memo) => {
          const order = { to: to as never, amount: (2n * 10n ** 9n) as never, memo, idempotencyKey: memo }
          return (await (await payments.pay(order)).settled()).state.status
        }),
      )
      await payments.close()
      return ends

      /** The browser gives the lock of a page that crashed back on its own, a moment later. */
      async function openJournal() {
        for (;;) {
          try {
            return await client.openBrowserJournal()
          } catch (error) {
            if ((error as { code?: string }).code !== 'JOURNAL_LOCKED') throw error
            await new Promise((resolve) => setTimeout(resolve, 20))
          }
        }
      }
    },
    { apiUrl: network.apiUrl, privateKey, to, orders, kill },
  )

/**
 * Ends a page as when it runs out of memory: no handler of it runs any more. Asked for while the page still works,
 * for one that stands still gets no new session.
 */
async function crasher(page: Page): Promise<() => Promise<void>> {
  const session = await context.newCDPSession(page)
  return async () => {
    const crashed = page.waitForEvent('crash')
    session.send('Page.crash').catch(() => undefined)
    await crashed
  }
}

/** Lets a page work until it stands still at a place, and crashes it there. */
async function crashAt(orders: readonly string[], kill: Kill): Promise<void> {
  const page = await openPage()
  const crash = await crasher(page)
  const isThere = pages.blockedAt(orders.at(-1) ?? '')
  const ended = live(page, orders, kill).then(
    () => 'it ended without passing there',
    () => 'crashed',
  )
  expect(await Promise.race([isThere.then(() => 'is there'), ended])).toBe('is there')
  await crash()
  expect(await ended).toBe('crashed')
}

async function executed(orders: readonly string[]): Promise<readonly number[]> {
  await using asking = createClient({ apiUrl: network.apiUrl })
  const memos: string[] = []
  for await (const { data, status } of asking.transactionsOf({ address: to })) {
    if (status === 'confirmed') memos.push(data)
  }
  return orders.map((order) => memos.filter((memo) => memo === order).length)
}

const places = [
  ['K1', 'intent not stored', 1],
  ['K2', 'intent stored', 1],
  ['K2', 'signed', 1],
  ['K3', 'bytes stored', 1],
  ['K3', 'sending', 1],
  ['K6', 'answered', 1],
  ['K6', 'answer stored', 1],
  ['K7', 'looking', 1],
  ['K7', 'looking', 3],
] as const

describe('a journal in a browser', () => {
  it('K1–K7: of pages that crash one after the other pays each order once', async () => {
    const orders: string[] = []
    for (const [row, place, nth] of places) {
      orders.push(`${row} ${place} ${nth}`.replaceAll(' ', '-'))
      await crashAt(orders, { place, nth })
    }
    const ends = await live(await openPage(), orders)
    expect(ends).toStrictEqual(orders.map(() => 'confirmed'))
    expect(await executed(orders)).toStrictEqual(orders.map(() => 1))
  })

  it('A3: is for one tab; another one takes over what it stored when it crashes before it sent it', async () => {
    const other = await openPage()
    const orders = ['taken-over']
    const owner = await openPage()
    const crash = await crasher(owner)
    const isThere = pages.blockedAt('taken-over')
    live(owner, orders, { place: 'bytes stored', nth: 1 }).catch(() => undefined)
    await isThere
    expect(await other.evaluate(() => codeOf(() => client.openBrowserJournal()))).toBe('JOURNAL_LOCKED')
    expect(await executed(orders)).toStrictEqual([0])
    await crash()
    expect(await live(other, orders)).toStrictEqual(['confirmed'])
    expect(await executed(orders)).toStrictEqual([1])
  })

  it('is left to the other tab when its own is closed, and tells it what was settled', async () => {
    const orders = ['settled-before']
    const first = await openPage()
    expect(await live(first, orders)).toStrictEqual(['confirmed'])
    const opened = await first.evaluate(() => codeOf(() => client.openBrowserJournal()))
    expect(opened).toBe('done')
    await first.close()
    expect(await live(await openPage(), orders)).toStrictEqual(['confirmed'])
    expect(await executed(orders)).toStrictEqual([1])
  })

  it('T1: that cannot be written pays nothing and says why', async () => {
    const page = await openPage()
    const session = await context.newCDPSession(page)
    await page.evaluate(() => client.openBrowserJournal().then((journal) => journal.close()))
    await session.send('Storage.overrideQuotaForOrigin', { origin: pages.origin, quotaSize: 1 })
    const attempt = live(page, ['no-room'])
    await expect(attempt).rejects.toThrow(/JOURNAL_WRITE_FAILED|space/)
    await session.send('Storage.overrideQuotaForOrigin', { origin: pages.origin })
    const next = await openPage()
    await page.close()
    expect(await live(next, ['no-room'])).toStrictEqual(['confirmed'])
    expect(await executed(['no-room'])).toStrictEqual([1])
  })

  it('U4: that the browser dropped pays no order of before again', async () => {
    const orders = ['paid-before']
    const first = await openPage()
    expect(await live(first, orders)).toStrictEqual(['confirmed'])
    await first.evaluate(
      () =>
        new Promise((done) => {
          indexedDB.deleteDatabase('hailstone-payments').onsuccess = done
        }),
    )
    // The same order is the same bytes: it is found.
    expect(await live(first, orders)).toStrictEqual(['confirmed'])
    expect(await executed(orders)).toStrictEqual([1])
  })

  it('T8: of a newer program is refused and left alone', async () => {
    const page = await openPage()
    const code = await page.evaluate(async () => {
      await new Promise<void>((done) => {
        const opening = indexedDB.open('hailstone-payments', 2)
        opening.onsuccess = () => done(opening.result.close())
      })
      return codeOf(() => client.openBrowserJournal())
    })
    expect(code).toBe('JOURNAL_INVALID')
  })

  it('S-4: has no key in it, nor has the console', async () => {
    const page = await openPage()
    await live(page, ['canary'])
    const stored = await page.evaluate(
      () =>
        new Promise<string>((done) => {
          const opening = indexedDB.open('hailstone-payments')
          opening.onsuccess = () => {
            const all = opening.result.transaction('records').objectStore('records').getAll()
            all.onsuccess = () => done(JSON.stringify(all.result))
          }
        }),
    )
    expect(stored).toContain(address)
    expect(findCanary(stored)).toStrictEqual([])
    expect(findCanary(heard.join('\n'))).toStrictEqual([])
  })
})
