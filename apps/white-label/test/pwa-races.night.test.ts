import { describe, expect, it } from 'vitest'
import { serveFiles } from '../tools/serve-files.ts'
import { brandFolder, importAccount, plain, untilKept, useApp } from './app-harness.ts'

const app = useApp({ device: { serviceWorkers: 'allow' } })

const filesOf = (flags: object = {}) =>
  app.files({ brandFolder: brandFolder('jamr'), flags: { ...plain, ...flags } })

describe('updates, in tabs and at moments that are rare', () => {
  it.each([
    ['of the app', '/assets/never.js'],
    ['of something else on its origin', '/api/v1/never'],
  ])('is never kept waiting for its update by a request %s that never ends', async (_, path) => {
    let files = await filesOf()
    let isHanging = false
    let hanging = 0
    const served = await serveFiles(() => {
      if (!isHanging) return files
      hanging++
      return new Promise<never>(() => undefined)
    })
    const page = await app.open(served.url)
    await importAccount(page, app.keyOf(1))
    await page.locator('[data-status="ready"]').waitFor()
    await untilKept(page)
    files = await filesOf({ app: { tagline: 'A newer build' } })
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
    await page.getByText('A new version is ready.').waitFor()
    isHanging = true
    const asked = page.waitForRequest((request) => request.url().endsWith(path))
    await page.evaluate((url) => void fetch(url).catch(() => undefined), path)
    await asked
    await expect.poll(() => hanging).toBeGreaterThan(0)
    isHanging = false
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    const isTaken = () =>
      page
        .evaluate(async () => (await navigator.serviceWorker.ready).waiting === null)
        // The page is reloading meanwhile.
        .catch(() => false)
    await expect.poll(isTaken).toBe(true)
    await page.getByText('A new version is ready.').waitFor({ state: 'detached' })
    await page.locator('[data-status="ready"]').waitFor()
    await served.stop()
  })

  it('takes its first service worker for no new version, however late the browser tells its states', async () => {
    const context = await app.device()
    // As WebKit does on a busy machine: "installed" is reported once the worker controls the page.
    await context.addInitScript(() => {
      if (!('ServiceWorker' in globalThis)) return
      const reported = new WeakMap<object, string>()
      const { get } = Object.getOwnPropertyDescriptor(ServiceWorker.prototype, 'state') ?? {}
      Object.defineProperty(ServiceWorker.prototype, 'state', {
        get(this: ServiceWorker) {
          return reported.get(this) ?? get?.call(this)
        },
      })
      const { addEventListener } = ServiceWorker.prototype
      ServiceWorker.prototype.addEventListener = function (
        this: ServiceWorker,
        type: string,
        listener: (event?: Event) => void,
      ) {
        const states = ['installed', 'activating', 'activated']
        addEventListener.call(this, type, async () => {
          const state = states.shift() ?? ''
          while (navigator.serviceWorker.controller === null)
            await new Promise((done) => setTimeout(done, 20))
          reported.set(this, state)
          listener()
          reported.delete(this)
          document.documentElement.dataset.reported = `${document.documentElement.dataset.reported ?? ''} ${state}`
        })
      }
    })
    const page = await context.newPage()
    await page.goto(await app.serve({ brandFolder: brandFolder('jamr'), flags: plain }))
    await importAccount(page, app.keyOf(0))
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    await page.waitForFunction(() => document.documentElement.dataset.reported?.includes('installed'))
    expect(await page.getByText('A new version is ready.').count()).toBe(0)
  })

  it('updates a page whose update another one took', async () => {
    let files = await filesOf()
    const served = await serveFiles(() => files)
    const page = await app.open(served.url)
    await importAccount(page, app.keyOf(1))
    await untilKept(page)
    const other = await page.context().newPage()
    await other.goto(served.url)
    files = await filesOf({ app: { tagline: 'A newer build' } })
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
    const offers = [page, other].map((one) => one.getByText('A new version is ready.'))
    for (const offer of offers) await offer.waitFor()
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    await offers[0]?.waitFor({ state: 'detached' })
    await other.getByRole('button', { name: 'Update', exact: true }).click()
    await offers[1]?.waitFor({ state: 'detached' })
    await served.stop()
  })

  it.each([
    ['once it is installed', false],
    ['meanwhile', true],
  ])('offers an update that installs to a tab whose registration is answered %s', async (_, isEarly) => {
    let files = await filesOf()
    let held: Promise<void> | undefined
    const served = await serveFiles(async (url) => {
      const current = files
      if (url === '/manifest.webmanifest') await held
      return current
    })
    const page = await app.open(served.url)
    await importAccount(page, app.keyOf(1))
    await untilKept(page)
    let release = (): void => undefined
    held = new Promise((resolve) => {
      release = resolve
    })
    files = await filesOf({ app: { tagline: 'A newer build' } })
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      registration.update().catch(() => undefined)
      while (registration.installing === null) await new Promise((done) => setTimeout(done, 20))
    })
    const other = await page.context().newPage()
    // Chromium itself answers a registration once the installation before it ends.
    if (isEarly)
      await other.addInitScript(() => {
        if (!('ServiceWorkerContainer' in globalThis)) return
        ServiceWorkerContainer.prototype.register = () => navigator.serviceWorker.ready
      })
    await other.goto(served.url)
    await other.locator('nav.tabs').waitFor()
    const stateOfUpdate = other.evaluate(async () => (await navigator.serviceWorker.ready).installing?.state)
    expect(await stateOfUpdate).toBe('installing')
    release()
    for (const one of [page, other]) await one.getByText('A new version is ready.').waitFor()
    await served.stop()
  })

  it('does not offer the new version on a page that is of it already', async () => {
    let files = await filesOf()
    const served = await serveFiles(() => files)
    const page = await app.open(served.url)
    await importAccount(page, app.keyOf(1))
    await untilKept(page)
    files = await filesOf({ app: { tagline: 'A newer build' } })
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
    const offer = page.getByText('A new version is ready.')
    await offer.waitFor()
    const other = await page.context().newPage()
    await other.goto(served.url)
    // As with the shift key: past the worker, which goes on for the other page.
    const session = await page.context().newCDPSession(page)
    await Promise.all([page.waitForEvent('load'), session.send('Page.reload', { ignoreCache: true })])
    await page.locator('nav.tabs').waitFor()
    // The browser answers in turn: after the app's own registration.
    const isControlled = await page.evaluate(async () => {
      await (await navigator.serviceWorker.ready).update()
      return navigator.serviceWorker.controller !== null
    })
    expect(isControlled).toBe(false)
    expect(await offer.count()).toBe(0)
    await other.reload()
    await other.getByText('A new version is ready.').waitFor()
    await served.stop()
  })
})
