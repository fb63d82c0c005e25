import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { chance } from '../../../packages/local-network/test/fuzz/random.ts'
import { begin, brandFolder, importAccount, plain, unlock, untilStatus, useApp } from './app-harness.ts'

/**
 * Number of random scripts. Larger size: HAILSTONE_SCRIPTS=200 npx vitest run test/life.browser.test.ts; HAILSTONE_SEED for
 * others.
 */
const SCRIPTS = Number(process.env.HAILSTONE_SCRIPTS ?? 1)
const SEED = Number(process.env.HAILSTONE_SEED ?? 1)
const STEPS = 6
const MAX_TABS = 4
const MIRRORS = 'Another tab of this browser is mining.'

const app = useApp()
let url: string
beforeAll(async () => {
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
})

type Tabs = { readonly context: BrowserContext; readonly pages: Page[] }
type Step = (tabs: Tabs, page: Page) => Promise<unknown>

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const steps: Readonly<Record<string, Step>> = {
  open: async ({ context, pages }) => {
    if (pages.length >= MAX_TABS) return
    const page = await context.newPage()
    pages.push(page)
    await page.goto(url)
    // Only a tab in which the passphrase was entered can become the leader.
    await unlock(page)
  },
  close: async ({ pages }, page) => {
    if (pages.length === 1) return
    pages.splice(pages.indexOf(page), 1)
    await page.close()
  },
  freeze: async (_, page) => {
    await page.evaluate(() => document.dispatchEvent(new Event('freeze')))
    await pause(500)
    await page.evaluate(() => document.dispatchEvent(new Event('resume')))
  },
  reload: async (_, page) => {
    await page.reload()
    await unlock(page)
  },
  'lose the network': async ({ context }) => {
    await context.setOffline(true)
    await pause(500)
    await context.setOffline(false)
  },
}

/** Waits until all tabs show mining, one of them leads, and the gateway has one miner. */
async function settled({ pages }: Tabs, account: number): Promise<void> {
  for (const page of pages) await untilStatus(page, 'Mining')
  const owners = async (): Promise<number> => {
    const mirrors = await Promise.all(pages.map((page) => page.getByText(MIRRORS).count()))
    return mirrors.filter((count) => count === 0).length
  }
  await expect.poll(owners).toBe(1)
  await expect.poll(() => app.sessionsOf(account).length).toBe(1)
}

const scripts = Array.from({ length: SCRIPTS }, (_, script) => script)

it.each(scripts)(
  `G-16: a random life of up to ${MAX_TABS} tabs, number %i of seed ${SEED}, has one owner after every step, and it mines`,
  async (script) => {
    const luck = chance(SEED * 1000 + script)
    const context = await app.device()
    const page = await context.newPage()
    const tabs: Tabs = { context, pages: [page] }
    const reported: string[] = []
    await page.goto(url)
    await importAccount(page, app.keyOf(script % 3))
    await begin(page)
    try {
      for (let step = 0; step < STEPS; step++) {
        const name = step === 0 ? 'open' : luck.pick(Object.keys(steps))
        const at = luck.below(tabs.pages.length)
        reported.push(`${name} ${at}`)
        await steps[name]?.(tabs, tabs.pages[at] ?? page)
        await settled(tabs, script % 3)
      }
    } catch (cause) {
      throw new Error(reported.join(', '), { cause })
    }
  },
  600_000,
)
