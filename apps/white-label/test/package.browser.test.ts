import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { begin, brandFolder, go, importAccount, plain, untilStatus, useApp } from './app-harness.ts'

const app = useApp()
let url: string
const CODE = `ref_${'02'.repeat(33)}`

beforeAll(async () => {
  const links = { deepLink: { scheme: 'jamr-wallet', hosts: ['jamr.example'] } }
  const native = { android: { applicationId: 'example.jamr' } }
  const flags = { ...plain, ...links, native }
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags, target: 'android' })
})

type Native = {
  readonly calls: string[]
  /** Options of the last call of each kind. */
  readonly given: Record<string, Record<string, unknown>>
  /** Calls that are refused. */
  readonly refused: Set<string>
  readonly listeners: Record<string, (given: object) => void>
}
type WithNative = { readonly native: Native }

/** Opens the app with the bridge that Capacitor puts into a package's page, and the link that launched it. */
async function openPackage(launch?: string): Promise<Page> {
  const page = await (await app.device()).newPage()
  await page.addInitScript((link) => {
    const native: Native = { calls: [], given: {}, refused: new Set(), listeners: {} }
    Object.assign(globalThis, {
      native,
      Capacitor: {
        nativePromise: async (plugin: string, method: string, given: Record<string, unknown>) => {
          const call = `${plugin}.${method}`
          native.calls.push(call)
          native.given[call] = given
          // A phone without the service, which `screen-off.browser.test.ts` plays.
          if (plugin === 'AppMiner' || native.refused.has(call)) throw new Error(`${call} is refused`)
          if (method === 'saveText') return { isSaved: true }
          if (method === 'askToNotify') return { isAllowed: true }
          return method === 'getLaunchUrl' && link !== null ? { url: link } : undefined
        },
        addListener: (plugin: string, event: string, listener: (given: object) => void) => {
          native.listeners[`${plugin}.${event}`] = listener
        },
      },
    })
  }, launch ?? null)
  await page.goto(url)
  return page
}

const send = (page: Page, event: string, given: object): Promise<void> =>
  page.evaluate(([name, value]) => (globalThis as unknown as WithNative).native.listeners[name]?.(value), [
    `App.${event}`,
    given,
  ] as const)

const pathOf = (page: Page): Promise<string> => page.evaluate(() => location.pathname + location.search)

it('check 28: a link before the first run leaves its invitation, and is not opened again by a reload', async () => {
  const page = await openPackage(`https://jamr.example/i/${CODE}`)
  await page.getByText('You were invited').waitFor()
  await importAccountOf(page, 3)
  await page.reload()
  await page.locator('.ring-button').waitFor()
  expect(await pathOf(page)).toBe('/')

  async function importAccountOf(opened: Page, index: number): Promise<void> {
    await opened.getByRole('checkbox').check()
    await opened.getByRole('button', { name: 'I have a wallet' }).click()
    await opened.getByLabel(/private key/).fill(app.keyOf(index))
    await opened.getByRole('button', { name: 'Import', exact: true }).click()
    await opened.getByLabel('Passphrase', { exact: true }).fill('seven drops of rain')
    await opened.getByLabel('Passphrase again').fill('seven drops of rain')
    await opened.getByRole('button', { name: 'Set passphrase' }).click()
    await opened.getByRole('heading', { name: 'Who invited you?' }).waitFor()
    expect(await opened.getByLabel("Agent's code").inputValue()).toBe(CODE)
    await opened.getByRole('button', { name: 'Continue without an agent' }).click()
    await opened.locator('.ring-button').waitFor()
  }
})

it('check 28: links into the running app open their place, fill forms and send nothing', async () => {
  const page = await openPackage()
  await importAccount(page, app.keyOf(0))
  await page.locator('.ring-button').waitFor()
  const to = '02'.repeat(33)
  await send(page, 'appUrlOpen', { url: `jamr-wallet://wallet/send?to=${to}&amount=1.5` })
  await page.getByLabel('To', { exact: true }).waitFor()
  expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe(to)
  expect(await page.getByRole('button', { name: 'Sign and send' }).count()).toBe(0)
  await send(page, 'appUrlOpen', { url: 'https://jamr.example/more/security' })
  await page.locator('.ring-button').waitFor()
  expect(await pathOf(page)).toBe('/')
})

it('the back button closes a sheet, goes back, and leaves the app from its first view', async () => {
  const page = await openPackage()
  await importAccount(page, app.keyOf(1))
  await page.locator('.ring-button').waitFor()
  // Without an answer of the service this is what holds.
  await page.getByText('Mines while this page is open.').waitFor()
  await go(page, '/wallet/send')
  await page.getByRole('button', { name: 'Scan', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  // A sheet follows keys from when it has the focus on, which is a moment after it is shown.
  await page.locator('[role="dialog"]:focus, [role="dialog"] :focus').waitFor()
  await send(page, 'backButton', { canGoBack: true })
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  expect(await pathOf(page)).toBe('/wallet/send')
  await send(page, 'backButton', { canGoBack: false })
  await page.locator('.ring-button').waitFor()
  await send(page, 'backButton', { canGoBack: false })
  const calls = await page.evaluate(() => (globalThis as unknown as WithNative).native.calls)
  expect(calls).toContain('App.minimizeApp')
})

const lastGiven = (page: Page, call: string): Promise<Record<string, unknown> | undefined> =>
  page.evaluate((name) => (globalThis as unknown as WithNative).native.given[name], call)

it('check 29: saves the backup file where the person chooses, and says so if it was not saved', async () => {
  const page = await openPackage()
  await importAccount(page, app.keyOf(2))
  await page.locator('.ring-button').waitFor()
  await go(page, '/more/security')
  const save = page.getByRole('button', { name: 'Save encrypted backup file' })
  await save.click()
  await expect.poll(() => lastGiven(page, 'AppDevice.saveText')).toBeDefined()
  const file = await lastGiven(page, 'AppDevice.saveText')
  expect(file).toMatchObject({ type: 'application/json' })
  expect(String(file?.name)).toMatch(/^jamr-\w{10}\.json$/)
  expect(JSON.parse(String(file?.text))).toMatchObject({
    address: app.network.accounts.developers[2]?.address,
  })
  await page.evaluate(() => (globalThis as unknown as WithNative).native.refused.add('AppDevice.saveText'))
  await save.click()
  await page.getByRole('alert').getByText('The file was not saved.').waitFor()
})

it('check 29: hides the screen while a key is shown, and shares an invitation by the system', async () => {
  const page = await openPackage()
  await importAccount(page, app.keyOf(3))
  await page.locator('.ring-button').waitFor()
  await go(page, '/more/security')
  await page.getByRole('button', { name: 'Show private key' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Passphrase', { exact: true }).fill('seven drops of rain')
  expect(await lastGiven(page, 'AppDevice.hideScreen')).toBeUndefined()
  await sheet.getByRole('button', { name: 'Show private key' }).click()
  await sheet.locator('.secret').waitFor()
  await expect.poll(() => lastGiven(page, 'AppDevice.hideScreen')).toEqual({ isHidden: true })
  await send(page, 'backButton', { canGoBack: true })
  await expect.poll(() => lastGiven(page, 'AppDevice.hideScreen')).toEqual({ isHidden: false })
  await go(page, '/invite')
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const code = await page.locator('[data-code]').textContent()
  await expect
    .poll(async () => String((await lastGiven(page, 'Share.share'))?.url))
    .toMatch(new RegExp(`/i/${code}$`))
})

it('check 29: a camera that was refused leaves a sentence, the settings and a picture', async () => {
  const page = await openPackage()
  await importAccount(page, app.keyOf(4))
  await page.locator('.ring-button').waitFor()
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))
  })
  await go(page, '/wallet/send')
  await page.getByRole('button', { name: 'Scan', exact: true }).click()
  await page.getByText('Camera access was denied.').waitFor()
  await page.getByLabel('Choose a picture').waitFor()
  await page.getByRole('button', { name: 'Open settings' }).click()
  await expect
    .poll(() => page.evaluate(() => (globalThis as unknown as WithNative).native.calls))
    .toContain('AppDevice.openSettings')
})

it('notifies by the system when mining stops and nobody looks', async () => {
  const page = await openPackage()
  await importAccount(page, app.keyOf(1))
  await begin(page)
  await untilStatus(page, 'Mining')
  await go(page, '/more/notifications')
  await page.getByRole('switch').click()
  await page.getByRole('switch', { checked: true }).waitFor()
  await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' }))
  expect(await lastGiven(page, 'AppDevice.showNotification')).toBeUndefined()
  await page.context().setOffline(true)
  await expect
    .poll(() => lastGiven(page, 'AppDevice.showNotification'))
    .toMatchObject({ title: 'Jamr', channel: 'Notify me when mining stops' })
})

it('a package has no service worker, which would go on with the files of the version before', async () => {
  const page = await openPackage()
  await page.getByRole('button', { name: 'I have a wallet' }).waitFor()
  const registered = await page.evaluate(
    async () => (await navigator.serviceWorker.getRegistrations()).length,
  )
  expect(registered).toBe(0)
})
