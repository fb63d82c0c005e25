import { encryptWallet, walletFromPrivateKey } from '@hailstone/client'
import { encodeReferralCode } from '@hailstone/protocol'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  begin,
  brandFolder,
  enterPassphrase,
  go,
  importAccount,
  PASSPHRASE,
  plain,
  setPassphrase,
  untilStatus,
  useApp,
} from './app-harness.ts'

const app = useApp()
let url: string

beforeAll(async () => {
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
})

const wordsOf = async (page: Page): Promise<string[]> => {
  await page.getByRole('button', { name: 'Show the 12 words' }).click()
  return page.locator('.words li').allInnerTexts()
}

describe('the first run', () => {
  it('check 13: asks for three words, keeps the step over a restart, and opens nothing before', async () => {
    const valuable = await app.serve({
      brandFolder: brandFolder('jamr'),
      // A token with value: a main network at the addresses of this one.
      flags: {
        ...plain,
        network: {
          preset: 'mainnet',
          api: app.network.apiUrl,
          poa: [app.network.gatewayUrl],
          nativeToken: '0'.repeat(64),
        },
      },
    })
    const context = await app.device({ permissions: ['clipboard-read', 'clipboard-write'] })
    const page = await context.newPage()
    await page.goto(valuable)
    await page.evaluate(() => navigator.clipboard.writeText('untouched'))
    // Neither button goes on before the terms were accepted; each leads to them.
    for (const name of ['Create a wallet', 'I have a wallet']) {
      await page.getByRole('button', { name }).click()
      const refusal = page.getByRole('alert').filter({ hasText: 'Please accept this first.' })
      await refusal.waitFor()
      const insetOf = (one: Locator): Promise<string> =>
        one.evaluate((element) => getComputedStyle(element).paddingInlineStart)
      expect(await insetOf(refusal)).toBe(await insetOf(page.locator('.consent-links')))
      expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('checkbox')
    }
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Create a wallet' }).click()
    await setPassphrase(page)
    const words = await wordsOf(page)
    expect(words).toHaveLength(12)
    expect(await page.getByRole('button', { name: 'Later' }).count()).toBe(0)
    await page.getByRole('button', { name: 'I wrote them down' }).click()
    for (const field of await page.getByRole('textbox').all()) await field.fill('wrong')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('That is not right').first().waitFor()
    const asked = page.locator('.quiz-word').first()
    const right = words[Number((await asked.locator('label').textContent())?.replace(/\D/g, '')) - 1] ?? ''
    expect(await asked.getByRole('button').count()).toBeGreaterThan(3)
    await asked.getByRole('button', { name: right, exact: true }).click()
    expect(await asked.getByRole('textbox').inputValue()).toBe(right)
    // Closed half-way and opened again at another path.
    await page.close()
    const again = await context.newPage()
    await again.goto(`${valuable}wallet/receive`)
    await again.locator('input[type="password"]').waitFor()
    expect(await again.locator('.choice').count(), 'words before the passphrase').toBe(0)
    await enterPassphrase(again)
    await again.getByRole('heading', { name: 'Check your backup' }).waitFor()
    expect(await again.getByRole('button', { name: /Start mining/ }).count()).toBe(0)
    expect(await again.locator('.qr').count()).toBe(0)
    for (const field of await again.getByRole('textbox').all()) {
      const label = await field.evaluate((input: HTMLInputElement) => input.labels?.[0]?.textContent ?? '')
      await field.fill(words[Number(label.replace(/\D/g, '')) - 1] ?? '')
    }
    await again.getByRole('button', { name: 'Check', exact: true }).click()
    await again.getByRole('heading', { name: 'Who invited you?' }).waitFor()
    expect(await again.evaluate(() => navigator.clipboard.readText())).toBe('untouched')
  })

  it('goes back by one step with the browser, and puts nothing that was typed into its history', async () => {
    const page = await app.open(url)
    const at = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
    const place = () => page.evaluate(() => JSON.stringify([location.href, history.state]))
    const before = JSON.parse(await place())
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    await page.getByLabel(/private key/).fill(app.keyOf(4))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await at('Set a passphrase')
    expect(JSON.parse(await place())).toEqual([before[0], { step: 2 }])
    await page.goBack()
    await at('I have a wallet')
    expect(await page.getByLabel(/private key/).inputValue()).toBe('')
    await page.goBack()
    await at('Welcome to Jamr')
    expect(await page.getByRole('checkbox').isChecked()).toBe(true)
    await page.goForward()
    await at('I have a wallet')
    await page.reload()
    await at('Welcome to Jamr')
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Create a wallet' }).click()
    await at('Set a passphrase')
    await page.getByRole('button', { name: 'Back' }).click()
    await at('Welcome to Jamr')
    await page.getByRole('button', { name: 'Create a wallet' }).click()
    await setPassphrase(page)
    await wordsOf(page)
    await page.getByRole('button', { name: 'I wrote them down' }).click()
    await at('Check your backup')
    await page.goBack()
    await page.getByRole('button', { name: 'Show the 12 words' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Show the 12 words' }).waitFor()
  })

  it('check 14: says what is wrong with a key or words, and finds the account of a browser wallet', async () => {
    const page = await app.open(url)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    const field = page.getByLabel(/private key/)
    const says = async (entered: string, sentence: string | RegExp): Promise<void> => {
      await field.fill(entered)
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await page.getByRole('alert').filter({ hasText: sentence }).waitFor()
    }
    await says('a'.repeat(63), 'these are 63')
    await says('z'.repeat(64), 'only the characters 0–9 and a–f')
    await says('f'.repeat(64), 'zero or too large')
    const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
    await says(words.replace('sausage', 'sausagee'), 'Word 6 is not in the word list')
    await says(words.replace('yellow', 'zoo'), 'do not belong together')
    await says('legal winner', 'These are 2 words')
    await field.fill(words)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await setPassphrase(page)
    await page.getByRole('button', { name: 'Continue without an agent' }).click()
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    await go(page, '/more/security')
    // BIP-39, then m/44'/2045'/0'/0/0, as the network's browser wallet: computed with OpenSSL alone.
    expect(await page.locator('.hash').first().textContent()).toBe(
      '02c4f872e77b5471545ab762a695ab9e0ca7ac3fd3e567574078b9c1f7ea8aee36',
    )
  })

  it('says that no space is left on the device if the key cannot be stored', async () => {
    const page = await app.open(url)
    const session = await page.context().newCDPSession(page)
    await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(url).origin, quotaSize: 1 })
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    await page.getByLabel(/private key/).fill(app.keyOf(2))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await setPassphrase(page)
    await page.getByText('There is no space left on this device.').waitFor()
    await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(url).origin })
    await setPassphrase(page)
    await page.getByRole('heading', { name: 'Who invited you?' }).waitFor()
  })

  it('check 18: takes the agent of a link over the first run, explains wrong ones, and signs for the right one', async () => {
    const [agent, poor, miner] = app.network.accounts.developers
    if (agent === undefined || poor === undefined || miner === undefined) throw new Error('accounts')
    const stranger = encodeReferralCode(app.network.accounts.fallbackMiner.address)
    const code = encodeReferralCode(agent.address)
    const page = await app.open(`${url}i/${code}`)
    await page.getByText('You were invited').waitFor()
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    await page.getByLabel(/private key/).fill(miner.privateKey)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await setPassphrase(page)
    const field = page.getByLabel("Agent's code")
    expect(await field.inputValue()).toBe(code)
    await page.getByText('This agent meets the conditions.').waitFor()
    await field.fill(encodeReferralCode(miner.address))
    await page.getByText('This is your own code.').waitFor()
    await field.fill(code.slice(0, 40))
    await page.getByText('This is not an agent').waitFor()
    await field.fill(stranger)
    await page.getByText(/holds .* and needs 1,000 DEV: .* more/).waitFor()
    await field.fill(code)
    await page.getByText('This agent meets the conditions.').waitFor()
    await page.getByRole('button', { name: 'Use this agent' }).click()
    await begin(page)
    await untilStatus(page, 'Mining')
    await go(page, '/log')
    // One of those that are on the chain: a leader may have come too late for the first one that was signed.
    const hash = await page.locator('.log-included .hash-short').first().getAttribute('title')
    const answer = await fetch(`${app.network.apiUrl}/mblock?hash=${hash}`).then((one) => one.json())
    expect(JSON.stringify(answer)).toContain(agent.address)
    await go(page, '/invite/agent')
    await page.getByLabel("Agent's code").fill(encodeReferralCode(poor.address))
    await page.getByText('This agent meets the conditions.').waitFor()
    await page.getByRole('button', { name: 'Use this agent' }).click()
    await page.getByText(`${poor.address.slice(0, 8)}…`).waitFor()
    // A link opened later asks, and can be dismissed.
    await page.goto(`${url}i/${stranger}`)
    const invited = page.getByText('You followed an invitation')
    await invited.waitFor()
    await page.locator('.banners').getByRole('button', { name: 'Close' }).click()
    await invited.waitFor({ state: 'detached' })
  })

  it('holds for people in a hurry: nothing is done twice, every step begins at its top', async () => {
    const page = await app.open(url, { viewport: { width: 390, height: 400 } })
    const { keyboard, mouse } = page
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    expect(await page.getByRole('checkbox').isChecked(), 'asked once').toBe(true)
    await page.getByRole('button', { name: 'Create a wallet' }).click()
    await page.getByRole('heading', { name: 'Set a passphrase' }).waitFor()
    // The second click of a double click hits the next view.
    await page.getByRole('button', { name: 'Set passphrase' }).hover()
    await mouse.down({ clickCount: 2 })
    await mouse.up({ clickCount: 2 })
    await setPassphrase(page)
    await page.getByRole('heading', { name: 'Back up your key' }).waitFor()
    const words = await wordsOf(page)
    await page.getByRole('button', { name: 'I wrote them down' }).hover()
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'I wrote them down' }).click()
    await page.getByRole('heading', { name: 'Check your backup' }).waitFor()
    expect(await page.evaluate(() => scrollY)).toBe(0)
    for (const field of await page.getByRole('textbox').all()) {
      const label = await field.evaluate((input: HTMLInputElement) => input.labels?.[0]?.textContent ?? '')
      await field.fill(words[Number(label.replace(/\D/g, '')) - 1] ?? '')
    }
    await keyboard.press('Enter')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Who invited you?' }).waitFor()
    expect(await page.getByText('That is not right').count()).toBe(0)
  })

  it('asks for no agent after a backup file where the brand has none', async () => {
    const without = await app.serve({
      brandFolder: brandFolder('jamr'),
      flags: { ...plain, referral: { enabled: false }, features: { ...plain.features, invite: false } },
    })
    const page = await app.open(without)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    await page.getByLabel(/private key/).fill(app.keyOf(4))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await setPassphrase(page)
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    await go(page, '/more/security')
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save encrypted backup file' }).click(),
    ])
    const other = await app.open(without)
    await other.getByRole('checkbox').check()
    await other.getByRole('button', { name: 'I have a wallet' }).click()
    await other.locator('input[type="file"]').setInputFiles(await saved.path())
    await other.getByLabel('Passphrase').fill(PASSPHRASE)
    await other.getByRole('button', { name: 'Import', exact: true }).click()
    await other.getByRole('button', { name: 'Start mining' }).waitFor()
  })

  it('asks before it removes the key of an interrupted first run', async () => {
    const page = await app.open(url)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Create a wallet' }).click()
    await setPassphrase(page)
    const again = page.getByRole('button', { name: 'Start over' })
    const remove = page.getByRole('button', { name: 'Remove from this device' })
    // On the page with the words, and on the one that asks for the passphrase.
    for (const isReloaded of [false, true]) {
      if (isReloaded) await page.reload()
      await again.click()
      await page.getByText('Without your words or a backup file your coins are lost for good.').waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await again.waitFor()
      expect(await remove.count()).toBe(0)
    }
    await page.getByText('Enter your passphrase.').waitFor()
    await again.click()
    await remove.click()
    await page.getByRole('button', { name: 'I have a wallet' }).waitFor()
  })

  it('asks the browser to keep what is stored, however a key came', async () => {
    const flags = { ...plain, security: { ...plain.security, lock: 'optional' } }
    const free = await app.serve({ brandFolder: brandFolder('jamr'), flags })
    const openCounting = async (): Promise<Page> => {
      const page = await (await app.device()).newPage()
      await page.addInitScript(() => {
        StorageManager.prototype.persist = async () => {
          document.documentElement.dataset.asked = 'true'
          return true
        }
      })
      await page.goto(free)
      await page.getByRole('checkbox').check()
      expect(await page.locator('html[data-asked]').count()).toBe(0)
      return page
    }
    const asked = (page: Page): Promise<void> => page.locator('html[data-asked]').waitFor()

    const withFile = await openCounting()
    const wallet = walletFromPrivateKey(app.keyOf(1))
    const text = await encryptWallet({ wallet, password: PASSPHRASE })
    await withFile.getByRole('button', { name: 'I have a wallet' }).click()
    await withFile.getByLabel('Or use an encrypted backup file').setInputFiles({
      name: 'wallet.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    })
    await withFile.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
    await withFile.getByRole('button', { name: 'Import', exact: true }).click()
    await asked(withFile)

    const unprotected = await openCounting()
    await unprotected.getByRole('button', { name: 'Create a wallet' }).click()
    await unprotected.getByRole('button', { name: 'Without a passphrase' }).click()
    await asked(unprotected)
  })

  it('locks an app that was left, before whoever comes back can touch it', async () => {
    const locking = await app.serve({
      brandFolder: brandFolder('jamr'),
      flags: { ...plain, security: { lock: 'always', autoLockMin: 1 } },
    })
    const page = await app.open(locking)
    await importAccount(page, app.keyOf(4))
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    // No timer ran while the device slept for an hour. A key press is the first event.
    await page.evaluate(() => {
      const now = Date.now
      Date.now = () => now() + 3_600_000
      dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }))
    })
    await page.getByRole('heading', { name: 'is locked' }).waitFor()
    await page.getByLabel('Passphrase').fill(PASSPHRASE)
    await page.getByRole('button', { name: 'Unlock' }).click()
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
  })

  it('starts again when the browser deletes its data while it mines, and stores the wallet without a reload', async () => {
    const page = await app.open(url)
    await importAccount(page, app.keyOf(0))
    await begin(page)
    await untilStatus(page, 'Mining')
    const session = await page.context().newCDPSession(page)
    const { origin } = new URL(url)
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
    const terms = page.getByRole('checkbox')
    await terms.waitFor()
    // The view is made again once, when the miner has stopped.
    await expect
      .poll(() =>
        terms
          .check()
          .then(() => page.waitForTimeout(1_000))
          .then(() => terms.isChecked()),
      )
      .toBe(true)
    await importAccount(page, app.keyOf(0))
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    await begin(page)
    await untilStatus(page, 'Mining')
  })

  it('says that the browser deleted a key, and does not of one that was removed', async () => {
    const page = await app.open(url)
    await importAccount(page, app.keyOf(2))
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    await page.evaluate(async () => {
      for (const { name = '' } of await indexedDB.databases())
        await new Promise((resolve) => {
          indexedDB.deleteDatabase(name).onsuccess = resolve
        })
    })
    await page.reload()
    const lost = page.getByText('The browser deleted the key of 1 wallet')
    await lost.waitFor()
    await importAccount(page, app.keyOf(2))
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    await go(page, '/more/security')
    await page.getByRole('button', { name: 'Remove from this device' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('Passphrase').fill(PASSPHRASE)
    await sheet.getByRole('button', { name: 'Remove from this device' }).click()
    await page.getByRole('button', { name: 'Create a wallet' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Create a wallet' }).waitFor()
    expect(await lost.count()).toBe(0)
  })

  it('does not say that of a key that was stored in one tab and removed in another', async () => {
    const context = await app.device()
    const [page, other] = [await context.newPage(), await context.newPage()]
    for (const one of [other, page]) {
      await one.goto(url)
      await one.getByRole('checkbox').waitFor()
    }
    await importAccount(page, app.keyOf(3))
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    await go(other, '/unlock')
    await other.getByLabel('Passphrase').fill(PASSPHRASE)
    await other.getByRole('button', { name: 'Unlock' }).click()
    await other.getByRole('button', { name: 'Start mining' }).waitFor()
    await go(other, '/more/security')
    await other.getByRole('button', { name: 'Remove from this device' }).click()
    const sheet = other.getByRole('dialog')
    await sheet.getByLabel('Passphrase').fill(PASSPHRASE)
    await sheet.getByRole('button', { name: 'Remove from this device' }).click()
    await other.getByRole('button', { name: 'Create a wallet' }).waitFor()
    // A tab that stays would go on leading, with what it read at its start.
    await page.close()
    await other.reload()
    await other.getByRole('button', { name: 'Create a wallet' }).waitFor()
    await other.waitForTimeout(1_000)
    expect(await other.getByText('The browser deleted the key').count()).toBe(0)
  })

  it('never puts a key or words where others could read them', async () => {
    const [developer] = app.network.accounts.developers
    const secret = developer?.privateKey ?? ''
    const page = await app.open(url, { serviceWorkers: 'allow' })
    await importAccount(page, secret)
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    const stored = await page.evaluate(async () => {
      const kept: string[] = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie]
      for (const { name } of await indexedDB.databases()) {
        const database = await new Promise<IDBDatabase>((resolve) => {
          const asked = indexedDB.open(name ?? '')
          asked.onsuccess = () => resolve(asked.result)
        })
        for (const store of database.objectStoreNames) {
          const values = await new Promise<unknown[]>((resolve) => {
            const asked = database.transaction(store).objectStore(store).getAll()
            asked.onsuccess = () => resolve(asked.result)
          })
          kept.push(JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
        }
        database.close()
      }
      for (const key of await caches.keys()) {
        const cache = await caches.open(key)
        for (const request of await cache.keys()) kept.push(request.url)
      }
      return kept.join('\n')
    })
    expect(stored).toContain('hailstone-keystore')
    expect(stored.toLowerCase()).not.toContain(secret)
    expect(await page.content()).not.toContain(secret)
  })
})
