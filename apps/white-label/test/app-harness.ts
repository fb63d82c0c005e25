import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, type LocalNetworkOptions, startLocalNetwork } from '@hailstone/local-network'
import { parsePrivateKey } from '@hailstone/protocol'
import { findHeadlessShell, openBrowser } from '@hailstone/test-browser'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { nativeToken } from '../../../packages/local-network/test/native-token.ts'
import type { PreviewedValues } from '../src/preview/previewed.ts'
import { readWizard } from '../tools/build-brand.ts'
import { offlineWorker } from '../tools/offline-files.ts'
import { type PreparedScreenName, preparedFiles } from '../tools/preview-files.ts'
import { prepareBrand, type ServeBrandParameters } from '../tools/serve-brand.ts'
import { type ServedFiles, serveFiles } from '../tools/serve-files.ts'
import { type FaultWatch, watchFaults } from './watch-faults.ts'

export const PASSPHRASE = 'seven drops of rain'

type BrandParameters = Pick<ServeBrandParameters, 'brandFolder' | 'flags' | 'target'>

export type AppOptions = {
  /** Starts a network of the file's own with these options. @default the network of the worker, shared by its files */
  readonly network?: LocalNetworkOptions | undefined
  /** Path of the browser. @default the headless shell, which grants no notifications */
  readonly chromium?: string | undefined
  /**
   * True leaves the engine's worker as it is shipped: its clock cannot be set, and each key that is derived from a
   * passphrase costs half a second of a processor. For what is measured or opened by others.
   *
   * @default false
   */
  readonly asShipped?: boolean | undefined
  /** Of every device. */
  readonly device?: BrowserContextOptions | undefined
}

/** Harness of a test of the app. It closes what was opened through it. */
export type AppHarness = {
  /** The developers among its accounts are funded for this file alone. */
  readonly network: LocalNetwork
  /** Private key of one of this file's five funded accounts. */
  readonly keyOf: (index: number) => string
  /** Returns the sessions that this account has at the gateway. */
  readonly sessionsOf: (index: number) => readonly unknown[]
  /** Returns the files of a brand's app, connected to the network. */
  readonly files: (parameters?: BrandParameters) => Promise<ServedFiles>
  /** Serves a brand's app, connected to the network. The same parameters give the same address. */
  readonly serve: (parameters?: BrandParameters) => Promise<string>
  /**
   * Serves a brand's app with the engine of the preview, which has made-up values and no network: an account whose first
   * run is done, with 230 rewards unless the screen says otherwise. For what a view says and how it looks.
   */
  readonly preview: (
    parameters?: BrandParameters,
    screen?: PreparedScreenName,
    values?: PreviewedValues,
  ) => Promise<string>
  /** Opens a fresh browser context and collects the faults of its pages. */
  readonly device: (options?: BrowserContextOptions) => Promise<BrowserContext>
  readonly open: (url: string, options?: BrowserContextOptions) => Promise<Page>
  /** Faults that no page may have: exceptions, policy violations, requests to other hosts. */
  readonly faults: string[]
}

const brands = fileURLToPath(new URL('../brands/', import.meta.url))

export const brandFolder = (name: string): string => join(brands, name)

/**
 * A phone set to reduced motion: drawing the animations takes a third of the CPU time of a mining app. It has no service
 * workers: keeping every file of the app for a page that closes after seconds doubles the CPU time of a test. Tests of
 * either override it.
 */
const DEVICE = {
  viewport: { width: 390, height: 800 },
  locale: 'en-US',
  reducedMotion: 'reduce',
  serviceWorkers: 'block',
} as const satisfies BrowserContextOptions

/** Coins that each account has of both tokens that can be mined, in units. */
const COINS = 30_000n * 10n ** 10n

/** Returns the value of a key, which is made once; without a key it is made anew. */
function remembered<T>(
  made: Map<string, Promise<T>>,
  key: string | null,
  make: () => Promise<T>,
): Promise<T> {
  const value = (key === null ? undefined : made.get(key)) ?? make()
  if (key !== null) made.set(key, value)
  return value
}

const startNetwork = (options: LocalNetworkOptions = {}): Promise<LocalNetwork> =>
  startLocalNetwork({ nativeTokenId: nativeToken(), blockTimeMs: 250, faucetWaitMs: 0, ...options })

// What all files of a worker share, from its first use until the worker ends.
const sharedNetworks = new Map<string, Promise<LocalNetwork>>()
const sharedBrowsers = new Map<string, Promise<Browser>>()
const sharedWatches = new Map<string, Promise<FaultWatch>>()
const sharedFiles = new Map<string, Promise<ServedFiles>>()
const sharedUrls = new Map<string, Promise<string>>()

/** Accounts of one test file. */
const accountsOf = (file: string): LocalNetwork['accounts']['developers'] =>
  [1, 2, 3, 4, 5].map((number) => {
    const name = `developer ${number} of ${file}`
    const privateKey = parsePrivateKey(createHash('sha256').update(name).digest('hex'))
    return { name, privateKey, address: walletFromPrivateKey(privateKey).address }
  }) as unknown as LocalNetwork['accounts']['developers']

/** Stands before the code of the engine's worker: its clock can be set forward. */
const PLAYED_CLOCK = `{
  const { now } = Date
  let aheadMs = 0
  Date.now = () => now() + aheadMs
  new BroadcastChannel('played-clock').onmessage = ({ data }) => { aheadMs += data }
}
`
/** So does this: PBKDF2 costs next to nothing, whatever a keystore says. What it costs has its own tests. */
const QUICK_DERIVATION = `{
  const { deriveBits } = SubtleCrypto.prototype
  SubtleCrypto.prototype.deriveBits = function (algorithm, key, length) {
    const quick = algorithm.name === 'PBKDF2' ? { ...algorithm, iterations: 1 } : algorithm
    return deriveBits.call(this, quick, key, length)
  }
}
`
/** And this: no key is derived from a passphrase while the test holds the derivations. */
const HELD_DERIVATION = `{
  const { deriveBits } = SubtleCrypto.prototype
  let untilLetGo = Promise.resolve()
  let letGo = () => undefined
  SubtleCrypto.prototype.deriveBits = async function (...given) {
    await untilLetGo
    return deriveBits.apply(this, given)
  }
  const channel = new BroadcastChannel('held-derivation')
  channel.onmessage = ({ data }) => {
    if (data === 'hold') untilLetGo = new Promise((resolve) => { letGo = resolve })
    if (data === 'let go') letGo()
    if (data !== 'done') channel.postMessage('done')
  }
}
`

/** Replaces a file and lists all anew for the service worker, which keeps none that differs from its list. */
export function withFile(files: ServedFiles, path: string, bytes: Uint8Array): ServedFiles {
  const changed = new Map([...files, [path, bytes]])
  const [worker, brand] = ['service-worker.js', 'brand/brand.json'].map((name) =>
    new TextDecoder().decode(files.get(name)),
  )
  const { id, i18n } = JSON.parse(brand ?? '')
  // Its first line is the list.
  const source = worker?.slice(worker.indexOf('\n') + 1) ?? ''
  const listed = offlineWorker(source, changed, { id, languages: i18n.enabled })
  return changed.set('service-worker.js', new TextEncoder().encode(listed))
}

/** Puts code before that of the engine's worker. */
function withWorkerCode(files: ServedFiles, before: string): ServedFiles {
  const worker = [...files.keys()].find((path) => /^assets\/worker-[\w-]+\.js$/.test(path))
  if (worker === undefined) throw new Error('The app has no engine: build it anew.')
  const code = new TextDecoder().decode(files.get(worker))
  return withFile(files, worker, new TextEncoder().encode(before + code))
}

async function openParts({ network: own, chromium = findHeadlessShell() }: AppOptions) {
  const network = await remembered(sharedNetworks, own === undefined ? nativeToken() : null, () =>
    startNetwork(own),
  )
  const developers = accountsOf(expect.getState().testPath ?? '')
  const { native, mineable } = network.tokens
  const funded = developers.flatMap(({ address }) =>
    [native, mineable].map(({ id }) => network.control.fund(address, COINS, id)),
  )
  await Promise.all(funded)
  return {
    network: Object.create(network, {
      accounts: { value: { ...network.accounts, developers } },
    }) as LocalNetwork,
    browser: await remembered(sharedBrowsers, chromium, () => openBrowser([], chromium)),
    watch: await remembered(sharedWatches, '', watchFaults),
    stop: own === undefined ? async () => undefined : network.stop,
  }
}

/**
 * Gives all tests of a file a network, a browser and the app. Files share the network, the browser and the built brands
 * of their worker; each has accounts of its own, and each test its own browser contexts, which are closed after it. Its
 * pages must have had no fault.
 */
export function useApp(options: AppOptions = {}): AppHarness {
  token.hash = nativeToken()
  let opened: Awaited<ReturnType<typeof openParts>> | undefined
  const parts = () => {
    if (opened === undefined) throw new Error('The app is there from the first test on.')
    return opened
  }
  beforeAll(async () => {
    opened = await openParts(options)
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
    const { watch, stop } = opened
    await stop()
    // Late reports.
    expect(watch.faults.splice(0)).toEqual([])
  })

  async function build(parameters: BrandParameters): Promise<ServedFiles> {
    const { network, watch } = parts()
    const { apiUrl, gatewayUrl } = network
    const make = await prepareBrand({
      network: { apiUrl, gatewayUrl, nativeTokenId: nativeToken() },
      ...parameters,
    })
    const files = watch.withReports(await make())
    return options.asShipped
      ? files
      : withWorkerCode(files, PLAYED_CLOCK + QUICK_DERIVATION + HELD_DERIVATION)
  }

  /** Returns the address of what was made for these parameters before; null where the brand may have changed since. */
  const keyOf = (parameters: BrandParameters): string | null =>
    (parameters.brandFolder ?? brands).startsWith(brands)
      ? JSON.stringify([parts().network.apiUrl, options.asShipped, parameters])
      : null

  const filesOf = (parameters: BrandParameters): Promise<ServedFiles> =>
    remembered(sharedFiles, keyOf(parameters), () => build(parameters))

  /** Serves files that are made on the first call for these parameters. */
  const serveOnce = (
    parameters: BrandParameters,
    screen: string | null,
    make: () => Promise<ServedFiles>,
  ): Promise<string> => {
    const key = keyOf(parameters)
    return remembered(sharedUrls, key && `${screen} ${key}`, async () => {
      const files = await make()
      return (await serveFiles(() => files)).url
    })
  }

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
    sessionsOf: (index) => {
      const { gateway, accounts } = parts().network
      return gateway.minersOnline().filter(({ address }) => address === accounts.developers[index]?.address)
    },
    files: (parameters = {}) => filesOf(parameters),
    serve: (parameters = {}) => serveOnce(parameters, null, () => filesOf(parameters)),
    preview: (parameters = {}, screen = 'mining', values = undefined) =>
      serveOnce(parameters, `${screen} ${JSON.stringify(values)}`, async () => {
        const files = await filesOf(parameters)
        const brand = JSON.parse(new TextDecoder().decode(files.get('brand/brand.json')))
        const { preview: scripts } = await readWizard()
        return preparedFiles(files, { screen, brand, scripts, ancestors: "'none'", values })
      }),
    device: async (given = {}) => {
      const { browser, watch } = parts()
      const context = await browser.newContext({ ...DEVICE, ...options.device, ...given })
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

/** Opens the cover of the words of a new account, and returns them. */
export async function shownWords(page: Page): Promise<readonly string[]> {
  await page.getByRole('button', { name: 'Show the 12 words' }).click()
  return page.locator('.words li').allInnerTexts()
}

/** Waits until the service worker has all files and controls this page. */
export const untilKept = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller !== null) return
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
  })

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

/** Sets the clock of the engines of this browser forward; their timers go on as before. */
export const setEnginesForward = (page: Page, ms: number): Promise<void> =>
  page.evaluate((aheadMs) => new BroadcastChannel('played-clock').postMessage(aheadMs), ms)

/**
 * Lets the engine of the only page of this browser wait in the middle of whatever needs the passphrase. Returns a function
 * that lets it go on.
 */
export async function holdDerivations(page: Page): Promise<() => Promise<void>> {
  const tell = (message: string): Promise<void> =>
    page.evaluate(
      (sent) =>
        new Promise((resolve) => {
          const channel = new BroadcastChannel('held-derivation')
          channel.onmessage = () => {
            channel.close()
            resolve()
          }
          channel.postMessage(sent)
        }),
      message,
    )
  await tell('hold')
  return () => tell('let go')
}

/** Refuses calls of this name from the page to its engine. Returns a function that allows them again. */
export async function refuseCall(page: Page, name: string): Promise<() => Promise<void>> {
  const original = await page.evaluateHandle((refused) => {
    const { postMessage } = Worker.prototype
    Worker.prototype.postMessage = function (this: Worker, message: { readonly name?: string }) {
      if (message.name === refused) throw new DOMException('refused', 'DataCloneError')
      postMessage.call(this, message)
    } as Worker['postMessage']
    return postMessage
  }, name)
  return () =>
    original.evaluate((postMessage) => {
      Worker.prototype.postMessage = postMessage
    })
}

/** Navigates inside the app, as a link does. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}
