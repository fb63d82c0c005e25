import { fileURLToPath } from 'node:url'
import { type LocalNetwork, type LocalNetworkOptions, startLocalNetwork } from '@hailstone/local-network'
import { openBrowser } from '@hailstone/test-browser'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type ServeBrandParameters, serveBrand } from '../tools/serve-brand.ts'

export const PASSPHRASE = 'seven drops of rain'

/** Everything a test of the app stands on; what is opened through it is closed with it. */
export type AppHarness = AsyncDisposable & {
  readonly network: LocalNetwork
  readonly browser: Browser
  /** Serves a brand of this app against the network. */
  readonly serve: (parameters?: ServeBrandParameters) => Promise<string>
  /** A fresh device. Faults of every page of it are collected. */
  readonly device: (options?: BrowserContextOptions) => Promise<BrowserContext>
  readonly open: (url: string, options?: BrowserContextOptions) => Promise<Page>
  readonly closeDevices: () => Promise<void>
  /** What no page may ever do: throw, break the policy, ask a stranger. */
  readonly faults: string[]
}

export const brandFolder = (name: string): string =>
  fileURLToPath(new URL(`../brands/${name}`, import.meta.url))

const PHONE = { width: 390, height: 800 }

export async function startApp(options: LocalNetworkOptions = {}): Promise<AppHarness> {
  const network = await startLocalNetwork({ blockTimeMs: 1_000, faucetWaitMs: 0, ...options })
  const browser = await openBrowser()
  const stops: (() => Promise<void>)[] = []
  const faults: string[] = []

  async function device(given: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await browser.newContext({ viewport: PHONE, locale: 'en-US', ...given })
    context.setDefaultTimeout(40_000)
    context.on('page', watch)
    await context.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
        console.error(`CSP ${violatedDirective} ${blockedURI} ${sourceFile}`),
      )
    })
    return context
  }

  function watch(page: Page): void {
    page.on('pageerror', (error) => faults.push(`threw ${error.message}`))
    page.on('console', (message) => {
      const text = message.text()
      if (/CSP|Content Security Policy|Trusted ?Type/i.test(text)) faults.push(text)
    })
    page.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url())
      if (!['data:', 'blob:'].includes(protocol) && hostname !== '127.0.0.1')
        faults.push(`asked ${request.url()}`)
    })
  }

  return {
    network,
    browser,
    faults,
    device,
    closeDevices: async () => {
      for (const context of browser.contexts()) await context.close()
    },
    serve: async (parameters = {}) => {
      const { apiUrl, gatewayUrl } = network
      const served = await serveBrand({ network: { apiUrl, gatewayUrl }, ...parameters })
      stops.push(served.stop)
      return served.url
    },
    open: async (url, given) => {
      const page = await (await device(given)).newPage()
      await page.goto(url)
      return page
    },
    [Symbol.asyncDispose]: async () => {
      await browser.close()
      for (const stop of stops) await stop()
      await network.stop()
    },
  }
}

/** Settings of a plain brand: English, native coin, no lock at start. */
export const plain = {
  i18n: { default: 'en', enabled: ['en'] },
  security: { lock: 'onSend', autoLockMin: 60 },
  referral: { enabled: true, userCanChange: true },
  features: { invite: true, stats: true, diagnostics: true },
  token: { hash: '0'.repeat(64), ticker: 'DEV', decimals: 10, display: { fractionMax: 4 } },
  mining: { autoStart: false, wifiOnly: false, chargingOnly: false, minBattery: 0, keepAwake: true },
} as const

/** The first run, with the key of an account that exists. */
export async function importAccount(page: Page, privateKey: string, agent?: string): Promise<void> {
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'I have a wallet' }).click()
  await page.getByLabel(/private key/).fill(privateKey)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await setPassphrase(page)
  await page.getByRole('heading', { name: 'Who invited you?' }).waitFor()
  if (agent === undefined) return page.getByRole('button', { name: 'Go on without an agent' }).click()
  await page.getByLabel("Agent's code").fill(agent)
  await page.getByRole('button', { name: 'Take this agent' }).click()
}

export async function setPassphrase(page: Page, passphrase = PASSPHRASE): Promise<void> {
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await page.getByLabel('Passphrase again').fill(passphrase)
  await page.getByRole('button', { name: 'Set passphrase' }).click()
}

export const begin = (page: Page): Promise<void> => page.getByRole('button', { name: 'Start mining' }).click()

/** Waits for the line under the ring: all of it, for "Not mining" is another state than "Mining". */
export const untilStatus = (page: Page, line: string): Promise<void> =>
  page.locator('.status-line', { hasText: new RegExp(`^${line}$`) }).waitFor({ timeout: 60_000 })

/** The words on the screen; null where a place is not there. */
export const textAt = async (page: Page, selector: string): Promise<string | null> =>
  (await page.locator(selector).count()) === 0 ? null : page.locator(selector).first().textContent()

/** Goes somewhere inside the app, as a link of it does. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

export function expectNoFaults({ faults }: AppHarness): void {
  expect(faults.splice(0)).toEqual([])
}
