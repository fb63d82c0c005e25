import { encryptWallet, walletFromPrivateKey } from '@hailstone/client'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  brandFolder,
  go,
  holdDerivations,
  importAccount,
  PASSPHRASE,
  plain,
  setPassphrase,
  shownWords,
  useApp,
} from './app-harness.ts'

const app = useApp()
let url: string
beforeAll(async () => {
  const features = { ...plain.features, multiAccount: true }
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags: { ...plain, features } })
})

/** Opens the app with a funded account, at a path. */
async function openAt(path: string, index = 0): Promise<Page> {
  const page = await app.open(url)
  await importAccount(page, app.keyOf(index))
  await page.getByRole('button', { name: 'Start mining' }).waitFor()
  await go(page, path)
  return page
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last()

/** Enters the passphrase and presses a button, which then waits for the engine. */
async function enter(page: Page, name: string, busy: string): Promise<void> {
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await button(page, name).click()
  await button(page, busy).waitFor()
}

/** Waits until the engine has ended what it was asked before: it takes one call of this kind after another. */
async function untilAnswered(page: Page): Promise<void> {
  await go(page, '/more/security')
  await button(page, 'Show private key').click()
  const field = page.getByLabel('Passphrase', { exact: true })
  await field.fill('not the passphrase')
  await field.press('Enter')
  await page.getByText('Wrong passphrase.').waitFor()
  expect(await page.locator('.secret').count()).toBe(0)
  await page.keyboard.press('Escape')
}

describe('somebody who leaves while the passphrase is tried', () => {
  it('leaves no recovery phrase behind', async () => {
    const page = await app.open(url)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Create a wallet' }).click()
    await setPassphrase(page)
    await shownWords(page)
    await page.getByRole('button', { name: 'Later' }).click()
    await page.getByRole('button', { name: 'Continue without an agent' }).click()
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    await go(page, '/more/backup')
    await page.getByLabel('Passphrase', { exact: true }).waitFor()
    const letGo = await holdDerivations(page)
    await enter(page, 'Unlock', 'Opening…')
    await go(page, '/more')
    await page.getByRole('heading', { name: 'More' }).waitFor()
    await letGo()
    await untilAnswered(page)
    await go(page, '/more/backup')
    await page.getByLabel('Passphrase', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Show the 12 words' }).count()).toBe(0)
  })

  it('leaves no private key behind', async () => {
    const page = await openAt('/more/security')
    await button(page, 'Show private key').click()
    const letGo = await holdDerivations(page)
    await enter(page, 'Show private key', 'One moment…')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await letGo()
    await untilAnswered(page)
    await button(page, 'Show private key').click()
    await page.getByLabel('Passphrase', { exact: true }).waitFor()
    expect(await page.locator('.secret').count()).toBe(0)
  })

  it('unlocks nothing, and neither does somebody whose tab is locked meanwhile', async () => {
    const page = await openAt('/more/security')
    await button(page, 'Lock now').click()
    const unlockLink = page.getByRole('link', { name: 'Unlock' })
    await unlockLink.click()
    let letGo = await holdDerivations(page)
    await enter(page, 'Unlock', 'Opening…')
    await page.evaluate(() => new BroadcastChannel('hailstone-jamr').postMessage({ type: 'lock' }))
    await letGo()
    await page.getByText('Unlocking failed.').waitFor()
    letGo = await holdDerivations(page)
    await enter(page, 'Unlock', 'Opening…')
    await go(page, '/more')
    await page.getByRole('heading', { name: 'More' }).waitFor()
    await letGo()
    await untilAnswered(page)
    await unlockLink.waitFor()
  })

  it('removes no account', async () => {
    const page = await openAt('/more/security')
    await button(page, 'Remove from this device').click()
    const letGo = await holdDerivations(page)
    await enter(page, 'Remove from this device', 'One moment…')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await letGo()
    await untilAnswered(page)
    await page.getByText(walletFromPrivateKey(app.keyOf(0)).address).waitFor()
  })

  it('adds no account and makes no other active', async () => {
    const page = await openAt('/more/accounts/add')
    const addSecond = async (): Promise<void> => {
      await go(page, '/more/accounts/add')
      await button(page, 'I have a wallet').click()
      await page.getByLabel(/private key/).fill(app.keyOf(1))
      await button(page, 'Import').click()
      await page.getByText('Enter the passphrase').waitFor()
    }
    const cards = page.locator('[data-address]')
    await addSecond()
    let letGo = await holdDerivations(page)
    await enter(page, 'Continue', 'Encrypting…')
    await go(page, '/more')
    await page.getByRole('heading', { name: 'More' }).waitFor()
    await letGo()
    await untilAnswered(page)
    await go(page, '/more/accounts')
    await cards.first().waitFor()
    expect(await cards.count()).toBe(1)

    await addSecond()
    await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
    await button(page, 'Continue').click()
    await page.getByRole('button', { name: 'Continue without an agent' }).click()
    await page.getByRole('heading', { name: 'Accounts' }).waitFor()
    await button(page, 'Make active').click()
    letGo = await holdDerivations(page)
    await enter(page, 'Continue', 'Opening…')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await letGo()
    await untilAnswered(page)
    await page.getByText(walletFromPrivateKey(app.keyOf(1)).address).waitFor()
  })

  it('sends no payment', async () => {
    const page = await openAt('/wallet/send')
    await page.getByLabel('To', { exact: true }).fill(walletFromPrivateKey(app.keyOf(4)).address)
    await page.getByLabel(/^Amount in/).fill('2')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.locator('[data-review="net"]').waitFor()
    const letGo = await holdDerivations(page)
    await enter(page, 'Sign and send', 'Sending…')
    await go(page, '/more')
    await page.getByRole('heading', { name: 'More' }).waitFor()
    await letGo()
    await untilAnswered(page)
    const journal = await page.evaluate(async () => {
      const names = (await indexedDB.databases()).flatMap(({ name = '' }) =>
        /payment/.test(name) ? [name] : [],
      )
      const counts = names.map(
        (name) =>
          new Promise<number>((resolve) => {
            indexedDB.open(name).onsuccess = ({ target }) => {
              const { result: database } = target as IDBOpenDBRequest
              const [store = ''] = database.objectStoreNames
              const asked = database.transaction(store).objectStore(store).count()
              asked.onsuccess = () => resolve(asked.result)
            }
          }),
      )
      return Promise.all(counts)
    })
    expect(journal.every((count) => count === 0)).toBe(true)
  })
})

describe('somebody who goes back in the first run', () => {
  it('is not shown the words of the account that was being encrypted', async () => {
    const page = await app.open(url)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Create a wallet' }).click()
    await page.getByLabel('Passphrase again').waitFor()
    const letGo = await holdDerivations(page)
    await setPassphrase(page)
    await button(page, 'Encrypting…').waitFor()
    await button(page, 'Back').click()
    await page.getByRole('button', { name: 'Create a wallet' }).waitFor()
    await letGo()
    await page.getByText('Enter your passphrase.').waitFor()
    expect(await page.getByRole('button', { name: 'Show the 12 words' }).count()).toBe(0)
  })

  it('has imported no file', async () => {
    const page = await app.open(url)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    const wallet = walletFromPrivateKey(app.keyOf(1))
    const text = await encryptWallet({ wallet, password: PASSPHRASE })
    await page.getByLabel('Or use an encrypted backup file').setInputFiles({
      name: 'wallet.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    })
    await page.getByLabel('Passphrase', { exact: true }).waitFor()
    const letGo = await holdDerivations(page)
    await enter(page, 'Import', 'One moment…')
    await button(page, 'Back').click()
    await page.getByRole('button', { name: 'Create a wallet' }).waitFor()
    await letGo()
    // The engine stores one account after another.
    await page.getByRole('button', { name: 'Create a wallet' }).click()
    await setPassphrase(page)
    await page.getByRole('button', { name: 'Show the 12 words' }).waitFor()
  })
})

describe('a scanner that is closed', () => {
  /** Has the page ask for a camera, which it gets when the test says so. */
  async function openScanner(): Promise<Page> {
    const page = await openAt('/more')
    await page.evaluate(() => {
      const canvas = document.createElement('canvas')
      canvas.getContext('2d')
      const stream = canvas.captureStream()
      const camera = { stream, give: (): void => undefined }
      Object.assign(globalThis, { camera })
      navigator.mediaDevices.getUserMedia = () =>
        new Promise((resolve) => {
          camera.give = () => resolve(stream)
          document.documentElement.dataset.asked = 'true'
        })
    })
    await go(page, '/wallet/send')
    await button(page, 'Scan').click()
    // The question for the permission stands.
    await page.locator('html[data-asked]').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    return page
  }

  it('stops a camera that is allowed afterwards', async () => {
    const page = await openScanner()
    const states = await page.evaluate(async () => {
      const { camera } = globalThis as unknown as { camera: { stream: MediaStream; give: () => void } }
      camera.give()
      await new Promise((resolve) => setTimeout(resolve))
      return camera.stream.getTracks().map(({ readyState }) => readyState)
    })
    expect(states).toEqual(['ended'])
  })
})
