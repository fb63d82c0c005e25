import { createHmac, randomBytes } from 'node:crypto'
import { walletFromPrivateKey } from '@hailstone/client'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { storedValues } from '../../../packages/attack/src/app/stored-values.ts'
import { clipped, violations } from './accessibility.ts'
import { brandFolder, enterPassphrase, go, importAccount, PASSPHRASE, plain, useApp } from './app-harness.ts'

const app = useApp()
let url: string

const native = { android: { applicationId: 'example.jamr' } }
const serve = (flags: object = {}): Promise<string> =>
  app.serve({ brandFolder: brandFolder('jamr'), flags: { ...plain, native, ...flags }, target: 'android' })

beforeAll(async () => {
  url = await serve()
})

type Given = { readonly id: string; readonly salt: string; readonly title: string; readonly cancel: string }
type Answer = { readonly secret?: string; readonly reason?: string }

/** A phone with the plugin of a package; it keeps its keys as the keystore does, apart from the storage of the app. */
class Phone {
  readonly keys = new Map<string, Buffer>()
  readonly calls: string[] = []
  readonly secrets: string[] = []
  /** Answer to the next questions in place of the secret. */
  reason: string | null = null
  /** Reason why the device can keep no secret. */
  lack: string | null = null
  hasPlugin = true
  /** True if nobody answers the question. */
  isLeft = false
  given: Given | undefined
  #close: (() => void) | undefined

  /** Stores another fingerprint on the device: the keystore drops the keys of before. */
  enrol(): void {
    for (const id of this.keys.keys()) this.keys.set(id, Buffer.alloc(0))
  }

  call = async (method: string, given: Given): Promise<Answer | undefined> => {
    if (!this.hasPlugin) throw new Error('"AppUnlock" plugin is not implemented on this platform')
    this.calls.push(method)
    if (method === 'state') return this.lack === null ? {} : { reason: this.lack }
    if (method === 'forget') this.keys.delete(given.id)
    if (method === 'cancel') this.#close?.()
    if (method === 'create') this.keys.set(given.id, randomBytes(32))
    if (method !== 'create' && method !== 'read') return undefined
    this.given = given
    if (this.isLeft)
      await new Promise<void>((done) => {
        this.#close = done
      })
    const reason = this.isLeft ? 'cancelled' : (this.lack ?? this.reason)
    const key = this.keys.get(given.id)
    if (reason !== null) {
      if (method === 'create') this.keys.delete(given.id)
      return { reason }
    }
    if (key === undefined || key.length === 0) return { reason: 'gone' }
    const secret = createHmac('sha256', key).update(given.salt, 'hex').digest('hex')
    this.secrets.push(secret)
    return { secret }
  }
}

/** Opens a package with an account on a phone. */
async function openAccount(index: number, address = url, options: BrowserContextOptions = {}) {
  const phone = new Phone()
  const context = await app.device({ reducedMotion: 'reduce', ...options })
  await context.exposeFunction('unlockPlugin', phone.call)
  const page = await context.newPage()
  await page.addInitScript(() => {
    const { unlockPlugin } = globalThis as unknown as {
      readonly unlockPlugin: (method: string, given: object) => Promise<unknown>
    }
    Object.assign(globalThis, {
      Capacitor: {
        nativePromise: async (plugin: string, method: string, given: object) => {
          if (plugin === 'AppUnlock') return unlockPlugin(method, given)
          if (plugin === 'AppMiner') throw new Error('A phone without the service.')
          return undefined
        },
        addListener: () => undefined,
      },
    })
  })
  await page.goto(address)
  await importAccount(page, app.keyOf(index))
  await page.locator('[data-status="ready"]').waitFor()
  return { page, phone }
}

const card = (page: Page) => page.getByRole('region', { name: 'Fingerprint or face', exact: true })
const isOn = 'Your fingerprint or your face unlocks the wallet'

async function openSetUp(page: Page): Promise<void> {
  await go(page, '/more/security')
  await card(page).getByRole('button', { name: 'Unlock with fingerprint or face' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Passphrase').fill(PASSPHRASE)
  await sheet.getByRole('button', { name: 'Continue' }).click()
  await sheet.getByRole('button', { name: 'Turn on' }).waitFor()
}

async function turnOn(page: Page): Promise<void> {
  await openSetUp(page)
  await page.getByRole('button', { name: 'Turn on' }).click()
  await card(page).getByText(isOn).waitFor()
}

async function lockNow(page: Page): Promise<void> {
  await go(page, '/more/security')
  await page.getByRole('button', { name: 'Lock now' }).click()
  await page.getByRole('link', { name: 'Unlock' }).waitFor()
}

const useFinger = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Use fingerprint or face' }).click()

async function reviewPayment(page: Page): Promise<void> {
  await go(page, '/wallet/send')
  await page.getByLabel('To', { exact: true }).fill(walletFromPrivateKey(app.keyOf(4)).address)
  await page.getByLabel(/^Amount in/).fill('1')
  await page.getByRole('button', { name: 'Review' }).click()
  await page.getByRole('button', { name: 'Sign and send' }).waitFor()
}

const isPaid = (page: Page): Promise<void> => page.locator('.stages[data-status="confirmed"]').waitFor()

/** Sentences for each reason that the plugin gives at a question. */
const sentences = {
  cancelled: 'The question of the device was closed.',
  notRecognised: 'The device did not recognise you.',
  lockedOut: 'Too many attempts. Wait half a minute',
  lockedUntilPin: 'Too many attempts. Lock the screen and unlock it',
  noneEnrolled: 'No fingerprint or face is stored on this device.',
  noSensor: 'This device has no fingerprint sensor or face recognition',
  tooOld: 'This needs Android 11 or newer.',
  noKey: 'This device cannot keep a key',
  gone: 'The fingerprints or faces stored on this device have changed',
  unavailable: 'The device cannot check fingerprint or face now.',
  'a reason of a later version': 'The device cannot check fingerprint or face now.',
} as const

describe('fingerprint or face in a package', () => {
  it('check 30: is turned on with the passphrase, unlocks and pays; a key is shown to the passphrase alone', async () => {
    const { page, phone } = await openAccount(0)
    await turnOn(page)
    expect(phone.keys.size).toBe(1)
    expect(phone.given).toMatchObject({ title: 'Jamr', cancel: 'Cancel' })
    await lockNow(page)
    // A reload finds what the device keeps, too.
    await page.reload()
    await page.locator('nav.tabs').waitFor()
    await go(page, '/unlock')
    await useFinger(page)
    await page.locator('.ring-button').waitFor()
    await reviewPayment(page)
    await useFinger(page)
    await isPaid(page)
    expect(new Set(phone.secrets).size, 'the same secret each time').toBe(1)
    expect(phone.calls.filter((call) => call === 'read')).toHaveLength(2)
    const { text, opened, cryptoKeys } = await storedValues(page)
    for (const place of [text, ...opened]) expect(place).not.toContain(phone.secrets[0])
    expect(cryptoKeys).toBe(0)
    await go(page, '/more/security')
    await page.getByRole('button', { name: 'Show private key' }).click()
    // The dialog takes keys once it has the focus.
    await page.locator('[role=dialog] :focus').waitFor()
    expect(await page.getByRole('button', { name: 'Use fingerprint or face' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await card(page).getByRole('button', { name: 'Turn off' }).click()
    await card(page).getByText('can unlock the wallet').waitFor()
    await expect.poll(() => phone.keys.size).toBe(0)
    expect((await storedValues(page)).text).not.toContain('credentialId')
    await lockNow(page)
    await go(page, '/unlock')
    await page.getByLabel('Passphrase').waitFor()
    expect(await page.getByRole('button', { name: 'Use fingerprint or face' }).count()).toBe(0)
  })

  it('check 30: each way in which the device refuses is a sentence of its own, and the passphrase opens and pays', async () => {
    const { page, phone } = await openAccount(1)
    await turnOn(page)
    await lockNow(page)
    await go(page, '/unlock')
    for (const [reason, sentence] of Object.entries(sentences)) {
      phone.reason = reason
      await useFinger(page)
      await page.getByRole('status').getByText(sentence).waitFor()
    }
    expect(new Set(Object.values(sentences)).size).toBe(10)
    await enterPassphrase(page)
    await page.locator('.ring-button').waitFor()
    await reviewPayment(page)
    await useFinger(page)
    await page.getByRole('status').getByText(sentences.unavailable).waitFor()
    await page.getByLabel('Passphrase').fill(PASSPHRASE)
    await page.getByRole('button', { name: 'Sign and send' }).click()
    await isPaid(page)
  })

  it('check 30: a new finger on the device ends it without a loss, and it is turned on anew', async () => {
    const { page, phone } = await openAccount(2)
    await turnOn(page)
    phone.enrol()
    await lockNow(page)
    await go(page, '/unlock')
    await useFinger(page)
    await page.getByRole('status').getByText(sentences.gone).waitFor()
    await enterPassphrase(page)
    await page.locator('.ring-button').waitFor()
    await go(page, '/more/security')
    await card(page).getByRole('button', { name: 'Turn off' }).click()
    await expect.poll(() => phone.keys.size).toBe(0)
    await turnOn(page)
    await lockNow(page)
    await go(page, '/unlock')
    await useFinger(page)
    await page.locator('.ring-button').waitFor()
  })

  it('check 30: a set-up that the device refuses says why, stores nothing, and goes on', async () => {
    const { page, phone } = await openAccount(3)
    await openSetUp(page)
    for (const reason of ['cancelled', 'notRecognised', 'lockedOut', 'lockedUntilPin', 'noKey'] as const) {
      phone.reason = reason
      await page.getByRole('button', { name: 'Turn on' }).click()
      await page.getByRole('dialog').getByText(sentences[reason]).waitFor()
    }
    expect((await storedValues(page)).text).not.toContain('credentialId')
    expect(phone.keys.size).toBe(0)
    phone.reason = null
    await page.getByRole('button', { name: 'Turn on' }).click()
    await card(page).getByText(isOn).waitFor()
  })

  it('check 30: what the device lacks is said, and nothing is offered', async () => {
    const { page, phone } = await openAccount(0)
    await go(page, '/')
    for (const reason of ['noneEnrolled', 'noSensor', 'tooOld', 'unavailable'] as const) {
      phone.lack = reason
      await go(page, '/more/security')
      await card(page).getByText(sentences[reason]).waitFor()
      expect(await card(page).getByRole('button').count()).toBe(0)
      await go(page, '/')
      await page.locator('.ring-button').waitFor()
    }
    // As on iOS.
    phone.hasPlugin = false
    await go(page, '/more/security')
    await card(page).getByText('This app cannot ask the device for fingerprint or face.').waitFor()
    expect(await card(page).getByRole('button').count()).toBe(0)
  })

  it('check 30: leaving the view closes the question of the device', async () => {
    const { page, phone } = await openAccount(1)
    await turnOn(page)
    await lockNow(page)
    await go(page, '/unlock')
    phone.isLeft = true
    await useFinger(page)
    await page.getByRole('button', { name: 'Waiting for the device…' }).waitFor()
    expect(phone.calls).not.toContain('cancel')
    await go(page, '/')
    await expect.poll(() => phone.calls).toContain('cancel')
  })

  it('check 30: opens the lock screen of a brand that locks always, and goes with the account', async () => {
    const always = await serve({ security: { lock: 'always', autoLockMin: 60 } })
    const { page, phone } = await openAccount(2, always)
    await turnOn(page)
    await page.reload()
    await page.getByLabel('Passphrase').waitFor()
    expect(await page.locator('nav.tabs').count()).toBe(0)
    await useFinger(page)
    await page.locator('nav.tabs').waitFor()
    await go(page, '/more/security')
    await page.getByRole('button', { name: 'Remove from this device' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText('The device then deletes the key').waitFor()
    await sheet.getByLabel('Passphrase').fill(PASSPHRASE)
    await sheet.getByRole('button', { name: 'Remove from this device' }).click()
    await page.getByRole('button', { name: 'Create a wallet' }).waitFor()
    await expect.poll(() => phone.keys.size).toBe(0)
  })

  it('check 30: the secret of another device opens nothing, says so, and the passphrase opens', async () => {
    const { page, phone } = await openAccount(3)
    await turnOn(page)
    for (const id of phone.keys.keys()) phone.keys.set(id, randomBytes(32))
    await lockNow(page)
    await go(page, '/unlock')
    await useFinger(page)
    await page
      .getByRole('status')
      .getByText('What the device keeps does not open the wallet any more.')
      .waitFor()
    await enterPassphrase(page)
    await page.locator('.ring-button').waitFor()
  })

  it('check 30: has no finding of axe and fits into 320 pixels, in English and Arabic', async () => {
    const both = await serve({ i18n: { default: 'en', enabled: ['en', 'ar'] } })
    const { page, phone } = await openAccount(0, both, { viewport: { width: 320, height: 640 } })
    const judge = async (): Promise<void> => {
      expect(await violations(page)).toEqual([])
      expect(await clipped(page)).toEqual([])
    }
    await openSetUp(page)
    phone.reason = 'lockedUntilPin'
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('dialog').getByText(sentences.lockedUntilPin).waitFor()
    await judge()
    phone.reason = null
    await page.getByRole('button', { name: 'Turn on' }).click()
    await card(page).getByText(isOn).waitFor()
    await judge()
    await lockNow(page)
    phone.reason = 'gone'
    await go(page, '/unlock')
    await useFinger(page)
    await page.getByRole('status').getByText(sentences.gone).waitFor()
    await judge()
    await go(page, '/more/language')
    await page.getByText('العربية').click()
    await go(page, '/unlock')
    await page.getByRole('button', { name: 'استخدام البصمة أو الوجه' }).click()
    await page.getByRole('status').getByText('لم يُفقد شيء').waitFor()
    await judge()
  })

  it('check 30: is in no page outside packages, which do not even load its code', async () => {
    const asked: string[] = []
    const { page } = await openAccount(1)
    page.on('request', (request) => asked.push(request.url()))
    const hasCode = (): boolean => asked.some((one) => /\/biometrics-[^/]*\.js$/.test(one))
    await go(page, '/more/security')
    await card(page).waitFor()
    expect(hasCode()).toBe(true)
    asked.length = 0
    const other = await app.open(url)
    other.on('request', (request) => asked.push(request.url()))
    await importAccount(other, app.keyOf(1))
    await other.locator('[data-status="ready"]').waitFor()
    await go(other, '/more/security')
    await other.getByRole('region', { name: 'Passkey', exact: true }).waitFor()
    expect(asked.some((one) => one.includes('passkey-card'))).toBe(true)
    expect(hasCode()).toBe(false)
  })
})
