import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { walletFromMnemonic } from '@hailstone/client/mnemonic'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import type { Address } from '@hailstone/protocol'
import { openProfile } from '@hailstone/test-browser'
import { serveBrand } from '@hailstone/white-label/serve'
import type { BrowserContext, Page } from 'playwright-core'
import type { AttackContext } from '../attack.ts'
import type { Secrets } from './profile-secrets.ts'

export const PASSPHRASE = 'a passphrase that nothing else says'

/** A brand of the app as most partners build it: a passphrase before anything is stored. */
const flags = {
  i18n: { default: 'en', enabled: ['en'] },
  security: { lock: 'onSend', autoLockMin: 60 },
  referral: { enabled: true, userCanChange: true },
  token: { hash: '0'.repeat(64), ticker: 'DEV', decimals: 10, display: { fractionMax: 4 } },
  mining: { autoStart: false, wifiOnly: false, chargingOnly: false, minBattery: 0, keepAwake: true },
} as const

const brandFolder = fileURLToPath(new URL('../../../../apps/white-label/brands/jamr', import.meta.url))

/** Name of the channel and of the database that this brand's tabs share. */
export const CHANNEL = 'hailstone-jamr'

export type AttackedApp = {
  readonly url: string
  readonly network: LocalNetwork
  /** A folder for a browser's profile. */
  readonly folder: string
  /** Opens the browser with that profile. */
  readonly browser: () => Promise<BrowserContext>
}

/** A network, the built app and an empty profile; all of it goes with the attack. */
export async function openApp({ onEnd }: AttackContext): Promise<AttackedApp> {
  const network = await startLocalNetwork({ blockTimeMs: 500, faucetWaitMs: 0 })
  onEnd(network.stop)
  const served = await serveBrand({ brandFolder, network, flags })
  onEnd(served.stop)
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-attack-'))
  onEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return {
    url: served.url,
    network,
    folder,
    browser: async () => {
      const browser = await openProfile(folder, { viewport: { width: 390, height: 800 }, locale: 'en-US' })
      onEnd(() => browser.close())
      return browser
    },
  }
}

/** Goes somewhere inside the app, as a link of it does. */
export const go = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

/** Makes an account with a passphrase, puts the backup off, and returns all its secrets. */
export async function createAccount(page: Page): Promise<Secrets & { readonly address: Address }> {
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create a wallet' }).click()
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await page.getByLabel('Passphrase again').fill(PASSPHRASE)
  await page.getByRole('button', { name: 'Set passphrase' }).click()
  await page.getByRole('button', { name: 'Show the 12 words' }).click()
  const words = await page.locator('.words li').allInnerTexts()
  await page.getByRole('button', { name: 'Later' }).click()
  await page.getByRole('button', { name: 'Continue without an agent' }).click()
  await page.getByRole('button', { name: 'Start mining' }).waitFor()
  const wallet = walletFromMnemonic(words.join(' '))
  return { address: wallet.address, privateKey: wallet.exportPrivateKey(), words, passphrase: PASSPHRASE }
}

/** Gives the account coins and mines. */
export async function mine({ network }: AttackedApp, page: Page, address: Address): Promise<void> {
  await network.control.fund(address, 100n * 10n ** 10n)
  await page.locator('.balance-amount', { hasText: '100' }).waitFor()
  await page.getByRole('button', { name: 'Start mining' }).click()
  await page.locator('.status-line', { hasText: /^Mining$/ }).waitFor()
}

export async function unlock(page: Page): Promise<void> {
  await page.locator('nav.tabs').waitFor()
  await go(page, '/unlock')
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await page.getByRole('button', { name: 'Unlock', exact: true }).click()
  await page.locator('.ring-button').waitFor()
}

export async function lockNow(page: Page): Promise<void> {
  await go(page, '/more/security')
  await page.getByRole('button', { name: 'Lock now' }).click()
  await page.getByRole('link', { name: 'Unlock' }).waitFor()
}

/** A host of static files that sends no headers but the type, and answers every path with a file or the page. */
export async function serveWithoutHeaders(
  files: (path: string) => Promise<{ readonly type: string; readonly body: Uint8Array | string }>,
  { onEnd }: AttackContext,
): Promise<string> {
  const server = createServer((request, response) => {
    files(request.url ?? '/').then(
      ({ type, body }) => response.writeHead(200, { 'content-type': type }).end(body),
      () => response.writeHead(404).end(),
    )
  }).listen(0, '127.0.0.1')
  onEnd(() => server.close().closeAllConnections())
  await new Promise((done) => server.once('listening', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}/`
}
