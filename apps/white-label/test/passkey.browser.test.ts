import { walletFromPrivateKey } from '@hailstone/client'
import type { Address } from '@hailstone/protocol'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { storedValues } from '../../../packages/attack/src/app/stored-values.ts'
import { clipped, violations } from './accessibility.ts'
import {
  begin,
  brandFolder,
  enterPassphrase,
  go,
  importAccount,
  PASSPHRASE,
  plain,
  unlock,
  untilStatus,
  useApp,
} from './app-harness.ts'
import {
  type Authenticator,
  addAuthenticator,
  changeBox,
  fillSetUp,
  named,
  passkeyCard,
  setUpPasskey,
  usePasskey,
} from './passkey-steps.ts'

const app = useApp()
let url: string

const recipient = (): Address => walletFromPrivateKey(app.keyOf(4)).address

beforeAll(async () => {
  url = named(await app.serve({ brandFolder: brandFolder('jamr'), flags: plain }))
})

const idOf = ({ authenticatorId }: Authenticator) => ({ authenticatorId })

const notUsed = (page: Page) => page.getByRole('status').getByText('The passkey was not used')

async function lockNow(page: Page): Promise<void> {
  await go(page, '/more/security')
  await page.getByRole('button', { name: 'Lock now' }).click()
  await page.getByRole('link', { name: 'Unlock' }).waitFor()
}

async function unlockByPasskey(page: Page): Promise<void> {
  await go(page, '/unlock')
  await usePasskey(page)
  await page.locator('.ring-button').waitFor()
}

/** Opens a page with an account and a device. */
async function openAccount(index: number, address = url, options: object = {}) {
  // Colours on their way to others have no contrast that could be judged.
  const page = await app.open(address, { reducedMotion: 'reduce' })
  const device = await addAuthenticator(page, options)
  await importAccount(page, app.keyOf(index))
  await page.locator('[data-status="ready"]').waitFor()
  return { page, device }
}

async function reviewPayment(page: Page, amount: string): Promise<void> {
  await go(page, '/wallet/send')
  await page.getByLabel('To', { exact: true }).fill(recipient())
  await page.getByLabel(/^Amount in/).fill(amount)
  await page.getByRole('button', { name: 'Review' }).click()
  await page.getByRole('button', { name: 'Sign and send' }).waitFor()
}

const isPaid = (page: Page): Promise<void> => page.locator('.stages[data-status="confirmed"]').waitFor()

/** Moves the stored box of the passkey to another name: what another device stores is not here, and comes back. */
const moveBox = (page: Page, [from, to]: readonly [string, string]): Promise<void> =>
  page.evaluate(
    async (names) => {
      const database = await new Promise<IDBDatabase>((done) => {
        const opening = indexedDB.open('hailstone-jamr')
        opening.onsuccess = () => done(opening.result)
      })
      const store = database.transaction('values', 'readwrite').objectStore('values')
      const asked = store.get(names.from)
      asked.onsuccess = () => {
        store.put(asked.result, names.to)
        store.delete(names.from)
      }
      await new Promise((done) => store.transaction.addEventListener('complete', done))
      database.close()
    },
    { from, to },
  )

const focusIn = (page: Page) => page.locator('section[aria-label="Passkey"] :focus')

describe('a passkey', () => {
  it('check 30: is set up with the passphrase, unlocks, pays, and is removed', async () => {
    const { page, device } = await openAccount(0)
    await go(page, '/more/security')
    await passkeyCard(page).getByRole('button', { name: 'Set up a passkey' }).click()
    await fillSetUp(page, 'not the passphrase')
    await page.getByText('Wrong passphrase.').waitFor()
    expect(await device.credentials()).toHaveLength(0)
    await page.keyboard.press('Escape')
    await setUpPasskey(page)
    expect(await device.credentials()).toHaveLength(1)
    // The button that opened the sheet is gone: the focus stays in the card, and the sentence is read out.
    await focusIn(page).waitFor()
    await page.locator('[data-announced]', { hasText: 'A passkey is set up.' }).waitFor()

    await lockNow(page)
    await unlockByPasskey(page)
    await begin(page)
    await untilStatus(page, 'Mining')

    // A payment asks again, and the passkey answers.
    const before = app.network.balance(recipient())
    await reviewPayment(page, '3')
    await usePasskey(page)
    await isPaid(page)
    expect(app.network.balance(recipient())).toBeGreaterThan(before)

    // A page that was loaded again has no key until the passkey gives it.
    await page.reload()
    await page.locator('nav.tabs').waitFor()
    await unlockByPasskey(page)
    await untilStatus(page, 'Mining')

    await go(page, '/more/security')
    await passkeyCard(page).getByRole('button', { name: 'Remove the passkey' }).click()
    await passkeyCard(page).getByRole('button', { name: 'Set up a passkey' }).waitFor()
    await page.locator('[data-announced]', { hasText: 'The passkey is removed.' }).waitFor()
    await focusIn(page).waitFor()
    expect((await storedValues(page)).text).not.toContain('credentialId')
    await expect.poll(() => device.credentials()).toHaveLength(0)
    await lockNow(page)
    await go(page, '/unlock')
    // The button that was here at the last unlocking would come with the field.
    await page.getByLabel('Passphrase').waitFor()
    expect(await page.getByRole('button', { name: 'Use the passkey' }).count()).toBe(0)
    await unlock(page)
  })

  it('check 30: is not set up by who finds a verified sheet: after a lock, after a minute, or out of sight', async () => {
    const { page } = await openAccount(0)
    const verified = page.getByRole('button', { name: 'Create the passkey' })
    const field = page.getByRole('dialog').getByLabel('Passphrase')
    const expectAskedAgain = async (): Promise<void> => {
      await field.waitFor()
      expect(await field.inputValue()).toBe('')
      expect(await verified.count()).toBe(0)
    }
    await go(page, '/more/security')
    await passkeyCard(page).getByRole('button', { name: 'Set up a passkey' }).click()
    await fillSetUp(page, PASSPHRASE)
    await verified.waitFor()
    const other = await page.context().newPage()
    await other.goto(url)
    await other.locator('nav.tabs').waitFor()
    await lockNow(other)
    await expectAskedAgain()

    await page.clock.install()
    await fillSetUp(page, PASSPHRASE)
    await verified.waitFor()
    await page.clock.fastForward(60_000)
    await expectAskedAgain()

    await fillSetUp(page, PASSPHRASE)
    await verified.waitFor()
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await expectAskedAgain()
  })

  it('check 30: leaves the one that another device put into the same password manager', async () => {
    const { page, device } = await openAccount(1)
    await setUpPasskey(page)
    const [first] = await device.credentials()
    await moveBox(page, ['passkey', 'first'])
    await page.reload()
    await page.locator('nav.tabs').waitFor()
    await setUpPasskey(page)
    const both = await device.credentials()
    expect(both).toHaveLength(2)
    expect(both.map(({ credentialId }) => credentialId)).toContain(first?.credentialId)
    // Back on the first device.
    await moveBox(page, ['first', 'passkey'])
    await page.reload()
    await page.locator('nav.tabs').waitFor()
    await unlockByPasskey(page)
  })

  it('check 30: comes and goes in each tab that is open', async () => {
    const { page } = await openAccount(2)
    const other = await page.context().newPage()
    await other.goto(url)
    await other.locator('nav.tabs').waitFor()
    await go(other, '/unlock')
    await other.getByLabel('Passphrase').waitFor()
    const offered = other.getByRole('button', { name: 'Use the passkey' })
    expect(await offered.count()).toBe(0)
    // Browsers ask the device for the page in front alone.
    await page.bringToFront()
    await setUpPasskey(page)
    await offered.waitFor()
    await passkeyCard(page).getByRole('button', { name: 'Remove the passkey' }).click()
    await offered.waitFor({ state: 'detached' })
    await setUpPasskey(page)
    await offered.waitFor()
    await go(other, '/more/security')
    await passkeyCard(other).getByText('A passkey is set up.').waitFor()
  })

  it('check 30: is taken back from the device when the account is removed', async () => {
    const { page, device } = await openAccount(3)
    await setUpPasskey(page)
    await page.getByRole('button', { name: 'Remove from this device' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText('If the device still lists it').waitFor()
    await sheet.getByLabel('Passphrase').fill(PASSPHRASE)
    await sheet.getByRole('button', { name: 'Remove from this device' }).click()
    await page.getByRole('button', { name: 'Create a wallet' }).waitFor()
    await expect.poll(() => device.credentials()).toHaveLength(0)
  })

  it('check 30: opens the lock screen of a brand that locks always, and pays behind it', async () => {
    const always = named(
      await app.serve({
        brandFolder: brandFolder('jamr'),
        flags: { ...plain, security: { lock: 'always', autoLockMin: 60 } },
      }),
    )
    const { page } = await openAccount(1, always)
    await setUpPasskey(page)
    await page.reload()
    await page.getByLabel('Passphrase').waitFor()
    expect(await page.locator('nav.tabs').count()).toBe(0)
    await usePasskey(page)
    await page.locator('nav.tabs').waitFor()
    await reviewPayment(page, '1')
    await usePasskey(page)
    await isPaid(page)
  })

  it('check 30: one that is not given is a sentence, at the set-up and later, and the passphrase opens', async () => {
    const { page, device } = await openAccount(2)
    const { session, authenticatorId } = device
    await go(page, '/more/security')
    await passkeyCard(page).getByRole('button', { name: 'Set up a passkey' }).click()
    await fillSetUp(page, PASSPHRASE)
    // For a page, a finger that is not recognised and a question that is closed are one and the same.
    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await page.getByRole('button', { name: 'Create the passkey' }).click()
    await page.getByText('No passkey was created. Nothing has changed.').waitFor()
    expect((await storedValues(page)).text).not.toContain('credentialId')
    // A device blocks its sensor after some failures, so another one goes on.
    await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    const other = await addAuthenticator(page)
    await page.getByRole('button', { name: 'Create the passkey' }).click()
    await passkeyCard(page).getByText('A passkey is set up.').waitFor()
    await lockNow(page)
    await go(page, '/unlock')
    await other.session.send('WebAuthn.setUserVerified', { ...idOf(other), isUserVerified: false })
    await usePasskey(page)
    await notUsed(page).waitFor()
    await enterPassphrase(page)
    await page.locator('.ring-button').waitFor()
  })

  it('check 30: one that was deleted on the device is a sentence, and the passphrase opens and pays', async () => {
    const { page, device } = await openAccount(2)
    await setUpPasskey(page)
    await lockNow(page)
    for (const { credentialId } of await device.credentials())
      await device.session.send('WebAuthn.removeCredential', { ...idOf(device), credentialId })
    await go(page, '/unlock')
    await usePasskey(page)
    await notUsed(page).waitFor()
    await enterPassphrase(page)
    await page.locator('.ring-button').waitFor()
    await reviewPayment(page, '1')
    await usePasskey(page)
    await notUsed(page).waitFor()
    await page.getByLabel('Passphrase').fill(PASSPHRASE)
    await page.getByRole('button', { name: 'Sign and send' }).click()
    await isPaid(page)
  })

  it('check 30: opens nothing once salt, secret or nonce in the storage was altered, and the passphrase opens', async () => {
    const { page } = await openAccount(3)
    await setUpPasskey(page)
    for (const part of ['salt', 'sealed', 'nonce']) {
      await lockNow(page)
      await changeBox(page, part)
      await page.reload()
      await page.locator('nav.tabs').waitFor()
      await go(page, '/unlock')
      await usePasskey(page)
      await page.getByText('This passkey does not open the wallet any more.').waitFor()
      await enterPassphrase(page)
      await page.locator('.ring-button').waitFor()
      // Altered once more, it is as it was.
      await changeBox(page, part)
    }
  })

  it('check 30: gives a secret that stays nowhere: not in the page, in messages to others, or in the storage', async () => {
    const page = await (await app.device()).newPage()
    await page.addInitScript(() => {
      const sent: Uint8Array[] = []
      const given: string[] = []
      const heard: unknown[] = []
      Object.assign(globalThis, { sent, given, heard })
      new BroadcastChannel('hailstone-jamr').onmessage = ({ data }) => heard.push(data)
      const post = Worker.prototype.postMessage
      Worker.prototype.postMessage = function (this: Worker, message: unknown) {
        const find = (value: unknown): void => {
          if (value instanceof Uint8Array && value.length === 32) {
            sent.push(value)
            given.push([...value].join())
          } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(find)
        }
        find(message)
        post.call(this, message)
      }
    })
    await page.goto(url)
    await addAuthenticator(page)
    await importAccount(page, app.keyOf(2))
    await page.locator('[data-status="ready"]').waitFor()
    await setUpPasskey(page)
    await lockNow(page)
    await unlockByPasskey(page)
    const seen = await page.evaluate(() => {
      const { sent, given, heard } = globalThis as unknown as {
        readonly sent: Uint8Array[]
        readonly given: string[]
        readonly heard: unknown[]
      }
      const bigint = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value)
      return { sent: sent.map((bytes) => [...bytes].join()), given, heard: JSON.stringify(heard, bigint) }
    })
    const wiped = Array.from({ length: 32 }, () => 0).join()
    const secrets = new Set(seen.given)
    const { text, opened, cryptoKeys } = await storedValues(page)
    expect(secrets.size).toBeGreaterThan(0)
    expect(text).toContain('credentialId')
    // Salt and id of the passkey have 32 bytes, too, and went to the worker when it was set up. They are kept.
    const kept = [...secrets].filter((secret) => seen.sent.includes(secret))
    expect(seen.sent).toContain(wiped)
    expect(kept).toHaveLength(2)
    const secret = [...secrets].filter((one) => !kept.includes(one))
    expect(secret).toHaveLength(1)
    const hex = (secret[0] ?? '')
      .split(',')
      .map((byte) => Number(byte).toString(16).padStart(2, '0'))
      .join('')
    for (const place of [text, seen.heard, ...opened]) {
      expect(place).not.toContain(hex)
      expect(place).not.toContain(secret[0])
    }
    expect(cryptoKeys).toBe(0)
  })
})

describe('the screens of a passkey', () => {
  it('check 30: have no finding of axe and fit into 320 pixels, in English and Arabic', async () => {
    const both = named(
      await app.serve({
        brandFolder: brandFolder('jamr'),
        flags: { ...plain, i18n: { default: 'en', enabled: ['en', 'ar'] } },
      }),
    )
    const { page, device } = await openAccount(1, both)
    await page.setViewportSize({ width: 320, height: 640 })
    const judge = async (): Promise<void> => {
      expect(await violations(page)).toEqual([])
      expect(await clipped(page)).toEqual([])
    }
    await go(page, '/more/security')
    await passkeyCard(page).getByRole('button', { name: 'Set up a passkey' }).click()
    await page.getByRole('dialog').getByLabel('Passphrase').waitFor()
    await judge()
    await fillSetUp(page, PASSPHRASE)
    await device.session.send('WebAuthn.setUserVerified', { ...idOf(device), isUserVerified: false })
    await page.getByRole('button', { name: 'Create the passkey' }).click()
    await page.getByText('No passkey was created. Nothing has changed.').waitFor()
    await judge()
    await device.session.send('WebAuthn.removeVirtualAuthenticator', idOf(device))
    const other = await addAuthenticator(page)
    await page.getByRole('button', { name: 'Create the passkey' }).click()
    await passkeyCard(page).getByText('A passkey is set up.').waitFor()
    await judge()
    await lockNow(page)
    await other.session.send('WebAuthn.setUserVerified', { ...idOf(other), isUserVerified: false })
    await go(page, '/unlock')
    await usePasskey(page)
    await notUsed(page).waitFor()
    await judge()
    await go(page, '/more/language')
    await page.getByText('العربية').click()
    await go(page, '/unlock')
    await page.getByRole('button', { name: 'استخدام مفتاح المرور' }).waitFor()
    await judge()
    await go(page, '/more/security')
    await page.getByRole('button', { name: 'إزالة مفتاح المرور' }).waitFor()
    await judge()
  })
})

describe('a passkey that cannot be had', () => {
  const lacking = async (page: Page, sentence: string): Promise<void> => {
    await go(page, '/more/security')
    await passkeyCard(page).getByText(sentence).waitFor()
  }

  it('check 30: is said where the address is no name', async () => {
    const page = await app.open(await app.preview({ brandFolder: brandFolder('jamr'), flags: plain }))
    await page.locator('[data-status="ready"]').waitFor()
    await lacking(page, 'Passkeys need https and a host with a name.')
    expect(await page.getByRole('button', { name: 'Set up a passkey' }).count()).toBe(0)
  })

  it('check 30: is said where the device cannot verify a person', async () => {
    const { page } = await openAccount(0, url, { transport: 'usb' })
    await lacking(page, 'A security key with a PIN can hold the passkey.')
    // And a security key does.
    await setUpPasskey(page)
  })

  it('check 30: is said where passkeys give no secret, and nothing is stored', async () => {
    const { page, device } = await openAccount(0, url, { hasPrf: false })
    await go(page, '/more/security')
    await passkeyCard(page).getByRole('button', { name: 'Set up a passkey' }).click()
    await fillSetUp(page, PASSPHRASE)
    await page.getByRole('button', { name: 'Create the passkey' }).click()
    await page.getByRole('dialog').getByText('they lack the extension PRF').waitFor()
    expect((await storedValues(page)).text).not.toContain('credentialId')
    // The one that was made in vain is taken back.
    await expect.poll(() => device.credentials()).toHaveLength(0)
  })

  it('check 30: is said nowhere where the brand has no passkeys', async () => {
    const preview = async (security: object): Promise<string> =>
      named(await app.preview({ brandFolder: brandFolder('jamr'), flags: { ...plain, security } }))
    // The card is code that a page asks for when it shows one: a view that is asked for later comes after it.
    const cards = async (address: string): Promise<readonly string[]> => {
      const page = await app.open(address)
      await page.locator('[data-status="ready"]').waitFor()
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await go(page, '/more/security')
      await page.getByRole('heading', { name: 'Remove from this device' }).waitFor()
      await go(page, '/rewards')
      await page.getByRole('heading', { name: 'Your rewards' }).waitFor()
      expect(asked.filter((one) => one.includes('rewards-view'))).not.toEqual([])
      return asked.filter((one) => one.includes('passkey-card'))
    }
    expect(await cards(await preview(plain.security))).not.toEqual([])
    expect(await cards(await preview({ ...plain.security, passkey: false }))).toEqual([])
  })
})
