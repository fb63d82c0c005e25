import { gzipSync } from 'node:zlib'
import type { BrowserContext } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { serveFiles } from '../tools/serve-files.ts'
import {
  begin,
  brandFolder,
  go,
  importAccount,
  plain,
  unlock,
  untilKept,
  untilStatus,
  useApp,
} from './app-harness.ts'

const app = useApp({ asShipped: true, device: { serviceWorkers: 'allow' } })

const filesOf = (flags: object = {}) =>
  app.files({ brandFolder: brandFolder('jamr'), flags: { ...plain, ...flags } })

describe('the app on a device', () => {
  it('check 5: has a manifest, icons and a service worker, so that browsers offer to install it', async () => {
    const page = await app.open(await app.serve({ brandFolder: brandFolder('tidewater') }))
    const session = await page.context().newCDPSession(page)
    await untilKept(page)
    const { errors, url } = await session.send('Page.getAppManifest')
    expect(url).toMatch(/\/manifest\.webmanifest$/)
    expect(errors).toEqual([])
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
    // A test context is a private window, in which nothing can be installed. There must be no other reason.
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual(
      [],
    )
    const icons = await page.evaluate(async () => {
      const manifest = await (await fetch('/manifest.webmanifest')).json()
      const measured = manifest.icons.map(async ({ src, sizes }: { src: string; sizes: string }) => {
        const picture = await createImageBitmap(await (await fetch(src)).blob())
        return [sizes, `${picture.width}x${picture.height}`]
      })
      return Promise.all(measured)
    })
    expect(icons).toHaveLength(4)
    for (const [said, found] of icons) expect(found).toBe(said)
  })

  it('opens without a network, at any place of it', async () => {
    const files = await filesOf()
    const served = await serveFiles(() => files)
    const page = await app.open(served.url)
    await importAccount(page, app.keyOf(0))
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    await page.locator('[data-status="ready"]').waitFor()
    const balance = await page.locator('.balance-amount').textContent()
    await untilKept(page)
    await served.stop()
    await page.context().setOffline(true)
    await page.reload()
    await page.getByText('This device is offline.').first().waitFor()
    // The last reading, never zero.
    expect(await page.locator('.balance-amount').textContent()).toBe(balance)
    await page.goto(`${served.url}wallet/receive`)
    await page.locator('.qr path').waitFor()
    await page.goto(`${served.url}more/security`)
    await page.getByRole('heading', { name: 'Security and backup' }).waitFor()
  })

  it('opens the routes of links with a hash while it is open, each payment in a form of its own', async () => {
    const url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
    const page = await app.open(url)
    await importAccount(page, app.keyOf(4))
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    let loads = 0
    page.on('load', () => {
      loads++
    })
    const link = (hash: string) =>
      page.evaluate((to) => {
        location.hash = to
      }, hash)
    const amount = page.getByLabel(/^Amount in/)
    for (const wanted of ['3', '5']) {
      await link(`#/wallet/send?amount=${wanted}`)
      await expect.poll(() => amount.inputValue()).toBe(wanted)
      expect(new URL(page.url()).hash).toBe('')
    }
    await link('#/wallet/receive')
    await page.locator('.qr path').waitFor()
    expect(loads).toBe(0)
  })

  it('offers a new version, goes on mining meanwhile, and takes it only when asked', async () => {
    let files = await filesOf()
    const served = await serveFiles(() => files)
    const page = await app.open(served.url)
    let loads = 0
    page.on('load', () => {
      loads++
    })
    await importAccount(page, app.keyOf(1))
    await begin(page)
    await untilStatus(page, 'Mining')
    await untilKept(page)
    files = await filesOf({ app: { tagline: 'A newer build' } })
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      await registration.update()
    })
    await page.getByText('A new version is ready.').waitFor()
    await untilStatus(page, 'Mining')
    expect(app.sessionsOf(1)).toHaveLength(1)
    expect(loads).toBe(0)
    await Promise.all([
      page.waitForEvent('load'),
      page.getByRole('button', { name: 'Update and pause briefly' }).click(),
    ])
    // The key was only in the memory of the closed page.
    await unlock(page)
    await untilStatus(page, 'Mining')
    await page.getByText('A new version is ready.').waitFor({ state: 'detached' })
    await served.stop()
  })

  it('paints and can be used over a slow line with a slow processor', async () => {
    const context = await app.device()
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', SLOW_LINE)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_BY })
    await page.goto(await app.serve({ brandFolder: brandFolder('jamr'), flags: plain }))
    await page.getByRole('checkbox').check()
    const usableMs = await page.evaluate(() => performance.now())
    const paintMs = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    )
    console.log(`slow line: painted after ${Math.round(paintMs)} ms, used after ${Math.round(usableMs)} ms`)
    // Durations are measured by `npm run lighthouse`. This test asserts the order; the next one counts bytes.
    expect(paintMs).toBeLessThan(usableMs)
  })

  it('shows under About the licences of the packages it has, offline too', async () => {
    const page = await app.open(await app.serve({ brandFolder: brandFolder('jamr'), flags: plain }))
    await importAccount(page, app.keyOf(3))
    await untilKept(page)
    await page.context().setOffline(true)
    await go(page, '/more/about')
    await page.getByText('Open-source licences').click()
    await page.getByText(/^@noble\/secp256k1 \d/m).waitFor()
    await page.context().setOffline(false)
  })

  it('loads at most 96 000 bytes of scripts until one can begin', async () => {
    const url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
    const context = await app.device()
    const loaded = followScripts(context)
    const page = await context.newPage()
    await page.goto(url)
    await page.getByRole('button', { name: 'Create a wallet' }).waitFor()
    const first = await loaded.bytes()
    await importAccount(page, app.keyOf(2))
    await go(page, '/rewards')
    await page.locator('main h1').waitFor()
    await go(page, '/wallet/receive')
    await page.locator('.qr path').waitFor()
    const later = await loaded.bytes()
    await go(page, '/')
    loaded.forget()
    await page.reload()
    await page.locator('[data-status="ready"]').waitFor()
    const again = await loaded.bytes()
    console.log(`scripts, gzip: first page ${first}, later with chart and QR ${later}, coming back ${again}`)
    expect(first).toBeGreaterThan(50_000)
    expect(first).toBeLessThanOrEqual(96_000)
    // With an account the client of the network and the mining code are loaded, too. The service worker has it, a cleared cache does not.
    // The limits leave room: the compressed size differs by some bytes between two builds of one source.
    expect(again).toBeGreaterThan(first)
    expect(again).toBeLessThanOrEqual(160_000)
    expect(later).toBeLessThanOrEqual(196_000)
  })
})

/** Lighthouse's mid-range phone on a slow connection. */
const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 }
const SLOWER_BY = 4

/** Scripts of the stored rewards, which the worker loads with a later tick, on a fast machine after the first view. */
const WITH_A_TICK = /\/(?:open-rewards|reward-store)-[^/]*$/

/** Counts the script bytes that the pages of a context load, each script once. */
function followScripts(context: BrowserContext) {
  const sizes = new Map<string, Promise<number>>()
  context.on('response', (response) => {
    const { pathname } = new URL(response.url())
    const isScript = /\.js$/.test(pathname) && !WITH_A_TICK.test(pathname)
    // The service worker loads the rest after the first page is ready.
    if (!isScript || response.request().serviceWorker() !== null) return
    const size = response.body().then((body) => gzipSync(body, { level: 9 }).length)
    sizes.set(response.url(), size)
  })
  const bytes = async (): Promise<number> =>
    (await Promise.all(sizes.values())).reduce((total, size) => total + size, 0)
  return { bytes, forget: () => sizes.clear() }
}
