import { walletFromPrivateKey } from '@hailstone/client'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import {
  type AppHarness,
  begin,
  go,
  holdDerivations,
  importAccount,
  PASSPHRASE,
  unlock,
  untilStatus,
} from './app-harness.ts'

/** Steps of a payment at which a tab ends, in their order. */
const steps = ['prepared', 'consent open', 'signing', 'posted', 'answered'] as const
const victims = ['leader', 'asker', 'bystander'] as const
const ends = ['closed', 'frozen', 'killed'] as const

type Step = (typeof steps)[number]
type Victim = (typeof victims)[number]
type End = (typeof ends)[number]

/** A payment during which a tab ends, by one of the accounts. */
type Walk = { readonly step: Step; readonly victim: Victim; readonly end: End; readonly account: number }

/** Every tab that ends, in every way, at every step. */
export const allWalks: readonly Walk[] = steps
  .flatMap((step) => victims.flatMap((victim) => ends.map((end) => ({ step, victim, end }))))
  .map((walk, at) => ({ ...walk, account: at % 4 }))

type Tabs = Readonly<Record<Victim, Page>>

const BUSY = /One moment…|Sending…|Signing…|Loading…/

/** Holds requests of the engines that match, and says when the first one is there. */
async function holdRequests(
  context: BrowserContext,
  apiUrl: string,
  matches: (method: string) => boolean,
  isTaken: boolean,
): Promise<{ readonly reached: Promise<void>; readonly letGo: () => void }> {
  const held: (() => Promise<void>)[] = []
  let isHeld = true
  let reach = (): void => undefined
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  await context.route(`${apiUrl}/**`, async (route: Route) => {
    if (!isHeld || !matches(route.request().method())) return route.continue()
    // A request whose tab has ended cannot be answered any more.
    const answer = isTaken ? await route.fetch().catch(() => null) : null
    held.push(() =>
      (answer === null ? route.continue() : route.fulfill({ response: answer })).catch(() => undefined),
    )
    reach()
  })
  return {
    reached,
    letGo: () => {
      isHeld = false
      for (const go of held.splice(0)) void go()
    },
  }
}

async function endTab(page: Page, end: End): Promise<void> {
  if (end === 'closed') return page.close()
  if (end === 'frozen') {
    await page.evaluate(() => document.dispatchEvent(new Event('freeze')))
    return
  }
  const session = await page.context().newCDPSession(page)
  const crashed = new Promise((resolve) => page.once('crash', resolve))
  void session.send('Page.crash').catch(() => undefined)
  await crashed
}

async function openTabs(app: AppHarness, url: string, account: number): Promise<Tabs> {
  const context = await app.device()
  const leader = await context.newPage()
  await leader.goto(url)
  await importAccount(leader, app.keyOf(account))
  await begin(leader)
  await untilStatus(leader, 'Mining')
  const [asker, bystander] = [await context.newPage(), await context.newPage()]
  for (const page of [asker, bystander]) {
    await page.goto(url)
    await unlock(page)
    await untilStatus(page, 'Mining')
  }
  return { leader, asker, bystander }
}

async function fill(page: Page, to: string, amount: string): Promise<void> {
  await go(page, '/wallet/send')
  await page.getByLabel('To', { exact: true }).fill(to)
  await page.getByLabel(/^Amount in/).fill(amount)
  await page.getByRole('button', { name: 'Review' }).click()
}

async function confirm(page: Page): Promise<void> {
  await page.getByLabel('Passphrase').fill(PASSPHRASE)
  await page.getByRole('button', { name: 'Sign and send' }).click()
}

/** Brings a payment of the asker to a step and holds it there. Returns a function that lets everything go on. */
async function bringTo(
  step: Step,
  given: { tabs: Tabs; victim: Victim; app: AppHarness; to: string; amount: string },
): Promise<() => Promise<void>> {
  const { tabs, victim, app, to, amount } = given
  const { asker } = tabs
  const { apiUrl, control } = app.network
  const hold = (matches: (method: string) => boolean, isTaken: boolean) =>
    holdRequests(asker.context(), apiUrl, matches, isTaken)
  if (step === 'prepared') {
    const { reached, letGo } = await hold((method) => method === 'GET', false)
    await fill(asker, to, amount)
    await reached
    return async () => letGo()
  }
  await fill(asker, to, amount)
  await asker.locator('[data-review="net"]').waitFor()
  if (step === 'consent open') return async () => undefined
  if (step === 'signing') {
    const letGo = await holdDerivations(victim === 'bystander' ? tabs.leader : tabs.bystander)
    await confirm(asker)
    return letGo
  }
  await control.pause()
  const { reached, letGo } = await hold((method) => method === 'POST' && step === 'posted', true)
  await confirm(asker)
  if (step === 'posted') await reached
  else await asker.locator('.stages[data-status="inPool"]').waitFor()
  return async () => {
    letGo()
    control.resume()
  }
}

type Said = 'confirmed' | 'nothing sent' | 'not certain' | 'review' | 'form'

/** Returns one word for what a page says of its payment once nothing is under way. */
async function said(page: Page): Promise<Said> {
  const word = async (): Promise<Said | null> => {
    const text = await page.locator('main').innerText()
    if (BUSY.test(text)) return null
    if ((await page.locator('.stages[data-status="confirmed"]').count()) > 0) return 'confirmed'
    if ((await page.locator('.stages').count()) > 0) return null
    if ((await page.locator('[data-review="net"]').count()) > 0) return 'review'
    if (/Nothing was sent/.test(text)) return 'nothing sent'
    return /Nothing certain is known/.test(text) ? 'not certain' : 'form'
  }
  let found: Said | null = null
  const isSaid = async (): Promise<boolean> => {
    found = await word()
    return found !== null
  }
  await expect.poll(isSaid, { timeout: 60_000 }).toBe(true)
  return found ?? 'form'
}

const COIN = 10n ** 10n

/**
 * Ends one of three tabs in the middle of a payment, and asserts that the payment is made once at most, that its page
 * says which, and that another tab pays afterwards. Returns the page's last word; null if that page has ended.
 */
export async function walkThreeTabs(
  app: AppHarness,
  url: string,
  { step, victim, end, account }: Walk,
): Promise<Said | null> {
  const tabs = await openTabs(app, url, account)
  const to = walletFromPrivateKey(app.keyOf(4)).address
  const before = app.network.balance(to)
  const letGo = await bringTo(step, { tabs, victim, app, to, amount: '3' })
  await endTab(tabs[victim], end)
  await letGo()
  const { asker } = tabs
  let word = victim === 'asker' ? null : await said(asker)
  if (word === 'review') {
    await confirm(asker)
    word = await said(asker)
  }
  const other = tabs[victim === 'bystander' ? 'leader' : 'bystander']
  await fill(other, to, '5')
  await other.locator('[data-review="net"]').waitFor()
  await confirm(other)
  expect(await said(other), 'the payment of another tab').toBe('confirmed')
  await app.network.control.mine(2)
  // Both payments, each less a small fee.
  const arrived = app.network.balance(to) - before
  const isPaid = arrived > 6n * COIN
  expect(arrived).toBeLessThan(9n * COIN)
  if (word === 'confirmed') expect(isPaid).toBe(true)
  if (word === 'nothing sent' || word === 'form') expect(isPaid).toBe(false)
  return word
}
