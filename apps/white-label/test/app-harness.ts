import { fileURLToPath } from 'node:url'
import { type LocalNetwork, type LocalNetworkOptions, startLocalNetwork } from '@hailstone/local-network'
import { openBrowser } from '@hailstone/test-browser'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { nativeToken } from '../../../packages/local-network/test/native-token.ts'
import { prepareBrand, type ServeBrandParameters } from '../tools/serve-brand.ts'
import { type ServedFiles, serveFiles } from '../tools/serve-files.ts'
import { watchFaults } from './watch-faults.ts'

export const PASSPHRASE = 'seven drops of rain'

type BrandParameters = Pick<ServeBrandParameters, 'brandFolder' | 'flags' | 'target'>

/** Harness of a test of the app. It closes what was opened through it. */
export type AppHarness = {
  readonly network: LocalNetwork
  /** Private key of one of the network's funded accounts. */
  readonly keyOf: (index: number) => string
  /** Returns the files of a brand's app, connected to the network. */
  readonly files: (parameters?: BrandParameters) => Promise<ServedFiles>
  /** Serves a brand's app, connected to the network. */
  readonly serve: (parameters?: BrandParameters) => Promise<string>
  /** Opens a fresh browser context and collects the faults of its pages. */
  readonly device: (options?: BrowserContextOptions) => Promise<BrowserContext>
  readonly open: (url: string, options?: BrowserContextOptions) => Promise<Page>
  /** Faults that no page may have: exceptions, policy violations, requests to other hosts. */
  readonly faults: string[]
}

export const brandFolder = (name: string): string =>
  fileURLToPath(new URL(`../brands/${name}`, import.meta.url))

/**
 * A phone set to reduced motion: drawing the animations takes a third of the CPU time of a mining app. Tests of motion
 * override it.
 */
const DEVICE = {
  viewport: { width: 390, height: 800 },
  locale: 'en-US',
  reducedMotion: 'reduce',
} as const satisfies BrowserContextOptions

async function openParts(options: LocalNetworkOptions, chromium: string | undefined) {
  const network = await startLocalNetwork({ blockTimeMs: 1_000, faucetWaitMs: 0, ...options })
  return { network, browser: await openBrowser([], chromium), watch: await watchFaults() }
}

/**
 * Starts a network, a browser and the app for all tests of a file. After each test its contexts are closed and their
 * pages must have had no fault.
 *
 * @param chromium path of the browser; the headless shell if left out, which grants no notifications
 */
export function useApp(options: LocalNetworkOptions = {}, chromium?: string): AppHarness {
  token.hash = nativeToken()
  const stops: (() => Promise<void>)[] = []
  let opened: Awaited<ReturnType<typeof openParts>> | undefined
  const parts = () => {
    if (opened === undefined) throw new Error('The app is there from the first test on.')
    return opened
  }
  beforeAll(async () => {
    opened = await openParts(options, chromium)
  })
  afterEach(async ({ task }) => {
    const { network, browser, watch } = parts()
    network.faults.clear()
    if (task.result?.state === 'fail') await printPages(browser.contexts())
    for (const context of browser.contexts()) await context.close()
    expect(watch.faults.splice(0)).toEqual([])
  })
  afterAll(async () => {
    if (opened === undefined) return
    const { network, browser, watch } = opened
    await browser.close()
    for (const stop of [...stops, watch.stop, network.stop]) await stop()
    // Late reports.
    expect(watch.faults).toEqual([])
  })

  const app: AppHarness = {
    get network() {
      return parts().network
    },
    get faults() {
      return parts().watch.faults
    },
    keyOf: (index) => {
      const found = parts().network.accounts.developers[index]
      if (found === undefined) throw new Error(`There is no account ${index}.`)
      return found.privateKey
    },
    files: async (parameters) => {
      const { watch } = parts()
      const { apiUrl, gatewayUrl } = parts().network
      const network = { apiUrl, gatewayUrl, nativeTokenId: nativeToken() }
      const make = await prepareBrand({ network, ...parameters })
      return watch.withReports(await make())
    },
    serve: async (parameters) => {
      const files = await app.files(parameters)
      const served = await serveFiles(() => files)
      stops.push(served.stop)
      return served.url
    },
    device: async (given = {}) => {
      const { browser, watch } = parts()
      const context = await browser.newContext({ ...DEVICE, ...given })
      context.on('page', watch.watchPage)
      return context
    },
    open: async (url, given) => {
      const page = await (await app.device(given)).newPage()
      await page.goto(url)
      return page
    },
  }
  return app
}

/** Prints what the pages of a failed test show: a wait that ends says only what did not come. */
async function printPages(contexts: readonly BrowserContext[]): Promise<void> {
  for (const page of contexts.flatMap((context) => context.pages())) {
    const shown = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String)
    console.log(`${page.url()} shows:\n${shown}`)
  }
}

/** The native coin. Its id is that of the file which runs: files of one worker share this module. */
const token = { hash: nativeToken(), ticker: 'DEV', decimals: 10, display: { fractionMax: 4 } }

/** Settings of a plain brand: English, native coin, no lock at start. */
export const plain = {
  i18n: { default: 'en', enabled: ['en'] },
  security: { lock: 'onSend', autoLockMin: 60 },
  referral: { enabled: true, userCanChange: true },
  features: { invite: true, stats: true, diagnostics: true },
  token,
  mining: { autoStart: false, wifiOnly: false, chargingOnly: false, minBattery: 0, keepAwake: true },
} as const

/** A brand with every view, and without settings that depend on the time or the device. */
export const everyView = {
  features: { roi: true },
  mining: { autoStart: false, wifiOnly: false, chargingOnly: false, minBattery: 0, quietHours: null },
} as const

/** Completes the first run with an existing key. */
export async function importAccount(page: Page, privateKey: string, agent?: string): Promise<void> {
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'I have a wallet' }).click()
  await page.getByLabel(/private key/).fill(privateKey)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await setPassphrase(page)
  await page.getByRole('heading', { name: 'Who invited you?' }).waitFor()
  if (agent === undefined) return page.getByRole('button', { name: 'Continue without an agent' }).click()
  await page.getByLabel("Agent's code").fill(agent)
  await page.getByRole('button', { name: 'Use this agent' }).click()
}

export async function setPassphrase(page: Page, passphrase = PASSPHRASE): Promise<void> {
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await page.getByLabel('Passphrase again').fill(passphrase)
  await page.getByRole('button', { name: 'Set passphrase' }).click()
}

/** Enters the passphrase on the lock screen. */
export async function enterPassphrase(page: Page, passphrase = PASSPHRASE): Promise<void> {
  // A payment asks for the passphrase too: a page that is about to be locked by another tab still shows that field.
  await page.getByRole('button', { name: 'Unlock', exact: true }).waitFor()
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await page.getByRole('button', { name: 'Unlock', exact: true }).click()
}

/** Unlocks the key in this tab. A reopened app does not mine before that. */
export async function unlock(page: Page, passphrase = PASSPHRASE): Promise<void> {
  await page.locator('nav.tabs').waitFor()
  await go(page, '/unlock')
  await enterPassphrase(page, passphrase)
  await page.locator('.ring-button').waitFor()
}

export const begin = (page: Page): Promise<void> => page.getByRole('button', { name: 'Start mining' }).click()

/** Waits for the exact status text: "Not mining" contains "mining". */
export const untilStatus = (page: Page, line: string): Promise<void> =>
  page.locator('.status-line', { hasText: new RegExp(`^${line}$`) }).waitFor()

/** Returns the text of an element; null if it does not exist. */
export const textAt = async (page: Page, selector: string): Promise<string | null> =>
  (await page.locator(selector).count()) === 0 ? null : page.locator(selector).first().textContent()

/** Navigates inside the app, as a link does. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}
