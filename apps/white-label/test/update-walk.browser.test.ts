import { openBrowser } from '@hailstone/test-browser'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, it } from 'vitest'
import { faults, scriptIsPage, walkFromOlder, walkUpdate } from './update-walk.ts'
import type { Device } from './worker-device.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** A profile of Chromium in which every visit has a window of its own. */
async function openDevice(base: string): Promise<Device> {
  const context = await browser.newContext()
  async function inWindow<T>(path: string, look: () => Promise<T>): Promise<T | null> {
    const page = await context.newPage()
    try {
      const isOpen = await page.goto(new URL(path, base).href).then(
        (answer) => answer?.status() === 200,
        () => false,
      )
      return isOpen ? await page.evaluate(look) : null
    } finally {
      await page.close()
    }
  }
  return {
    visit: (path = '/') =>
      inWindow(path, async () => (globalThis as { readonly version?: string }).version ?? null),
    update: async () => {
      await inWindow('/', async () => {
        const registration = await navigator.serviceWorker.getRegistration()
        if (registration === undefined) return
        // Until the first worker is there, nothing can be looked for.
        if (registration.active === null) await navigator.serviceWorker.ready
        await registration.update().catch(() => undefined)
        for (let { installing } = registration; installing !== null; { installing } = registration)
          await new Promise((resolve) => installing?.addEventListener('statechange', resolve, { once: true }))
      })
    },
  }
}

const name = 'cloudflare'

it.each(faults)('in Chromium an app opens at every visit while its update meets %s', (_, fault, isRefused) =>
  walkUpdate({ name, openDevice }, fault(), isRefused),
)

it.each([
  ['a redirected page', undefined],
  ['the page for a script', scriptIsPage],
])('in Chromium an app whose older worker kept %s opens with the next version', (_, fault) =>
  walkFromOlder({ name, openDevice }, fault),
)
