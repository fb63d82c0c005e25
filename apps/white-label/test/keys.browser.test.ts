import { walletFromPrivateKey } from '@hailstone/client'
import { walletFromMnemonic } from '@hailstone/client/mnemonic'
import type { Address } from '@hailstone/protocol'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { secretsInProfile } from '../../../packages/attack/src/app/profile-secrets.ts'
import { storedValues } from '../../../packages/attack/src/app/stored-values.ts'
import { canary, findCanary } from '../../../packages/client/test/support/canary-spellings.mjs'
import { type ServedFiles, serveFiles } from '../tools/serve-files.ts'
import {
  begin,
  brandFolder,
  enterPassphrase,
  go,
  importAccount,
  PASSPHRASE,
  plain,
  setPassphrase,
  shownWords,
  unlock,
  untilStatus,
  useApp,
} from './app-harness.ts'
import { useProfiles } from './use-profiles.ts'

const app = useApp()
const CHANNEL = 'hailstone-jamr'
const addressOf = (index: number): Address => walletFromPrivateKey(app.keyOf(index)).address
const profiles = useProfiles()
let url: string

beforeAll(async () => {
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
})

/** Creates an account and postpones its backup. */
async function createAccount(page: Page): Promise<readonly string[]> {
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create a wallet' }).click()
  await setPassphrase(page, canary.password)
  const words = await shownWords(page)
  await page.getByRole('button', { name: 'Later' }).click()
  await page.getByRole('button', { name: 'Continue without an agent' }).click()
  await page.getByRole('button', { name: 'Start mining' }).waitFor()
  return words
}

async function lockNow(page: Page): Promise<void> {
  await go(page, '/more/security')
  await page.getByRole('button', { name: 'Lock now' }).click()
  await page.getByRole('link', { name: 'Unlock' }).waitFor()
}

describe('S-4: the profile of a locked app', () => {
  it('has no key, words or passphrase in any of its files, whatever is tried with what is stored', async () => {
    const folder = await profiles.newFolder()
    const browser = await profiles.openIn(folder)
    const page = await browser.newPage()
    await page.goto(url)
    const words = await createAccount(page)
    const wallet = walletFromMnemonic(words.join(' '))
    const secrets = {
      privateKey: wallet.exportPrivateKey(),
      words,
      passphrase: canary.password,
    }
    await app.network.control.fund(wallet.address, 100n * 10n ** 10n)
    await page.locator('.balance-amount', { hasText: '100' }).waitFor()
    await begin(page)
    await untilStatus(page, 'Mining')
    // Closed while unlocked and mining: a key that was never written cannot be found.
    await browser.close()
    expect((await secretsInProfile(folder, secrets)).found).toEqual([])

    const again = await profiles.openIn(folder)
    const locked = await again.newPage()
    await locked.goto(url)
    await unlock(locked, canary.password)
    await untilStatus(locked, 'Mining')
    await lockNow(locked)
    const stored = await storedValues(locked)
    expect(stored.text).toContain('hailstone-keystore')
    expect(stored.sealed).toBeGreaterThan(0)
    expect(stored.cryptoKeys).toBe(0)
    expect(stored.opened).toEqual([])
    await again.close()
    const { found, bytesRead } = await secretsInProfile(folder, secrets)
    expect(found).toEqual([])
    expect(bytesRead).toBeGreaterThan(100_000)
  })

  it('offers no way without a passphrase where coins have a value', async () => {
    const valuable = await app.serve({
      brandFolder: brandFolder('jamr'),
      flags: {
        ...plain,
        security: { lock: 'optional', autoLockMin: 60 },
        network: {
          preset: 'mainnet',
          api: app.network.apiUrl,
          poa: [app.network.gatewayUrl],
          nativeToken: '0'.repeat(64),
        },
      },
    })
    const page = await app.open(valuable)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Create a wallet' }).click()
    await page.getByLabel('Passphrase again').waitFor()
    expect(await page.getByRole('button', { name: 'Without a passphrase' }).count()).toBe(0)
  })

  it('says that a key of an earlier version was stored unprotected, and removes what opened it', async () => {
    const page = await app.open(url)
    await importAccount(page, app.keyOf(4))
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    await page.evaluate(async (name) => {
      const database = await new Promise<IDBDatabase>((done) => {
        const opening = indexedDB.open(name)
        opening.onsuccess = () => done(opening.result)
      })
      const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt'])
      const store = database.transaction('values', 'readwrite').objectStore('values')
      store.put({ key, nonce: new Uint8Array(12), sealed: new ArrayBuffer(80) }, 'key')
      await new Promise((done) => store.transaction.addEventListener('complete', done))
      database.close()
    }, CHANNEL)
    expect((await storedValues(page)).cryptoKeys).toBe(1)
    await page.reload()
    await page.locator('nav.tabs').waitFor()
    await go(page, '/more/security')
    await page.getByText('An earlier version of this app stored this key without protection').waitFor()
    expect((await storedValues(page)).cryptoKeys).toBe(0)
  })
})

describe('S-4: the words of a backup that was put off', () => {
  it('are not shown after "Lock now", nor after leaving, before the passphrase was verified', async () => {
    const page = await app.open(url)
    const words = await createAccount(page)
    const shown = async (): Promise<readonly string[]> => {
      const text = (await page.content()).toLowerCase()
      return words.slice(1).filter((word, index) => text.includes(`${words[index]}</li><li>${word}`))
    }
    await go(page, '/more/backup')
    await page.getByLabel('Passphrase').waitFor()
    expect(await page.getByRole('button', { name: 'Show the 12 words' }).count()).toBe(0)
    await lockNow(page)
    await go(page, '/more/backup')
    await page.getByLabel('Passphrase').fill('not the passphrase')
    await page.getByRole('button', { name: 'Unlock' }).click()
    await page.getByText('Wrong passphrase.').waitFor()
    expect(await shown()).toEqual([])
    await enterPassphrase(page, canary.password)
    expect(await shownWords(page)).toEqual(words)
    expect((await shown()).length).toBe(11)
    // Locking removes the phrase from the screen.
    await page.evaluate((name) => new BroadcastChannel(name).postMessage({ type: 'lock' }), CHANNEL)
    await unlock(page, canary.password)
    await go(page, '/more/backup')
    await enterPassphrase(page, canary.password)
    await shownWords(page)
    await go(page, '/more')
    await page.getByRole('heading', { name: 'More' }).waitFor()
    await go(page, '/more/backup')
    await page.getByLabel('Passphrase').waitFor()
    expect(await shown()).toEqual([])
  })
})

/** Waits until a payment that was sent before would be on the chain. */
const untilPaymentsAreTaken = async (): Promise<void> => {
  const height = app.network.height()
  await expect.poll(() => app.network.height()).toBeGreaterThan(height + 4)
}

/** Sends every message that a page of this origin can send to the workers, and returns what it receives. */
async function attackByMessages(page: Page, to: string): Promise<string> {
  const heard = await page.evaluate(
    async ({ name, recipient }) => {
      const channel = new BroadcastChannel(name)
      const messages: unknown[] = []
      const waiting = new Map<number, () => void>()
      channel.onmessage = ({ data }) => {
        messages.push(data)
        if (data.to === 'attacker') waiting.get(data.id)?.()
      }
      let id = 0
      /** Resolves once the leader has answered or refused the call; only calls to it are answered. */
      const call = (called: string, parameters: unknown): Promise<void> => {
        id++
        const answered = new Promise<void>((done) => waiting.set(id, done))
        channel.postMessage({ type: 'call', from: 'attacker', id, name: called, parameters })
        return answered
      }
      const parameters = { to: recipient, amount: 1_000_000_000n, memo: '' }
      for (const type of ['whoLeads', 'accountChanged']) channel.postMessage({ type })
      const names = ['exportKey', 'words', 'unlock', 'verify', 'exportFile', 'consent', 'seal']
      for (const secret of [...names, 'passkey', 'addPasskey', 'removePasskey']) {
        for (const list of [[], [new Uint8Array(32)], ['']]) call(secret, { parameters: list })
        call(secret, undefined)
      }
      const proofs = [undefined, null, '', '0'.repeat(64), 'f'.repeat(64), {}, true]
      for (const [index, proof] of proofs.entries()) {
        const ticket = `attack ${index}`
        await call('preparePayment', { ticket, parameters })
        await Promise.all([call('approvePayment', { ticket, proof }), call('approvePayment', ticket)])
      }
      await call('preparePayment', {
        ticket: 'with a wish',
        parameters: { ...parameters, consent: true, idempotencyKey: 'x', feeCap: { shareBps: 10_000n } },
      })
      channel.close()
      const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
      return JSON.stringify(messages, plain)
    },
    { name: CHANNEL, recipient: to },
  )
  return heard
}

describe('S-8: messages from other pages of this origin', () => {
  it('neither pay nor bring out key, words or passphrase while the app is open and mines', async () => {
    await app.network.control.fund(walletFromPrivateKey(canary.privateKey).address, 100n * 10n ** 10n)
    const context = await app.device()
    const page = await context.newPage()
    await page.goto(url)
    await importWith(page, canary.privateKey, canary.password)
    await begin(page)
    await untilStatus(page, 'Mining')
    const recipient = addressOf(4)
    const before = app.network.balance(recipient)
    // A document of this origin without the app.
    const attacker = await context.newPage()
    await attacker.goto(`${url}brand/brand.json`)
    const heard = await attackByMessages(attacker, recipient)
    expect(heard).toContain('signingHash')
    expect(heard).toContain('Nobody with the passphrase agreed to this payment.')
    expect(findCanary(heard)).toStrictEqual([])
    // The record now says that there is no passphrase. The worker with the key must ignore that.
    await attacker.evaluate(async (name) => {
      const database = await new Promise<IDBDatabase>((done) => {
        const opening = indexedDB.open(name)
        opening.onsuccess = () => done(opening.result)
      })
      const store = database.transaction('values', 'readwrite').objectStore('values')
      const record = await new Promise<object>((done) => {
        const asked = store.get('account')
        asked.onsuccess = () => done(asked.result)
      })
      store.put({ ...record, isSealed: false }, 'account')
      await new Promise((done) => store.transaction.addEventListener('complete', done))
      database.close()
    }, CHANNEL)
    expect(findCanary(await attackByMessages(attacker, recipient))).toStrictEqual([])
    await untilPaymentsAreTaken()
    expect(app.network.balance(recipient)).toBe(before)
    expect(findCanary(await page.content())).toStrictEqual([])
  })

  it('cannot put another payment behind the one that was reviewed', async () => {
    const context = await app.device()
    const page = await context.newPage()
    await page.goto(url)
    await importAccount(page, app.keyOf(0))
    await page.locator('[data-status="ready"]').waitFor()
    const mirror = await context.newPage()
    await mirror.goto(url)
    await mirror.locator('nav.tabs').waitFor()
    const [honest, thief] = [addressOf(3), addressOf(4)]
    const before = [honest, thief].map((address) => app.network.balance(address))
    const attacker = await context.newPage()
    await attacker.goto(`${url}brand/brand.json`)
    await attacker.evaluate(
      ({ name, to }) => {
        const channel = new BroadcastChannel(name)
        channel.onmessage = ({ data }) => {
          if (data.type !== 'call' || data.name !== 'preparePayment' || data.from === 'attacker') return
          const { ticket, parameters } = data.parameters
          // Once the payment is prepared.
          channel.onmessage = ({ data: answer }) => {
            if (answer.type !== 'answer' || answer.to !== data.from || answer.id !== data.id) return
            const mine = { type: 'call', from: 'attacker' }
            channel.postMessage({ ...mine, id: 1, name: 'declinePayment', parameters: ticket })
            const swapped = { ticket, parameters: { ...parameters, to } }
            channel.postMessage({ ...mine, id: 2, name: 'preparePayment', parameters: swapped })
            channel.onmessage = ({ data: own }) => {
              if (own.to === 'attacker' && own.id === 2) document.title = own.type
            }
          }
        }
      },
      { name: CHANNEL, to: thief },
    )
    await go(mirror, '/wallet/send')
    await mirror.getByLabel('To', { exact: true }).fill(honest)
    await mirror.getByLabel(/^Amount in/).fill('2')
    await mirror.getByRole('button', { name: 'Review' }).click()
    await mirror.locator('[data-review="net"]').waitFor()
    // The payment to the thief is prepared.
    await expect.poll(() => attacker.title()).toBe('answer')
    await mirror.getByLabel('Passphrase').fill(PASSPHRASE)
    await mirror.getByRole('button', { name: 'Sign and send' }).click()
    await mirror
      .getByRole('alert')
      .filter({ hasText: /could not|not sent|failed/i })
      .waitFor()
    await untilPaymentsAreTaken()
    expect([honest, thief].map((address) => app.network.balance(address))).toEqual(before)
  })

  it('are not needed: a second tab pays with the passphrase that its own worker verified', async () => {
    const context = await app.device()
    const page = await context.newPage()
    await page.goto(url)
    await importAccount(page, app.keyOf(1))
    await begin(page)
    await untilStatus(page, 'Mining')
    const mirror = await context.newPage()
    const said: string[] = []
    await page.exposeFunction('said', (text: string) => said.push(text))
    await page.evaluate((name) => {
      const channel = new BroadcastChannel(name)
      const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
      channel.onmessage = ({ data }) =>
        (globalThis as unknown as { said: (text: string) => void }).said(JSON.stringify(data, plain))
    }, CHANNEL)
    await mirror.goto(url)
    await mirror.getByText('Another tab of this browser is mining.').waitFor()
    await go(mirror, '/wallet/send')
    await mirror.getByLabel('To', { exact: true }).fill(addressOf(4))
    await mirror.getByLabel(/^Amount in/).fill('2')
    await mirror.getByRole('button', { name: 'Review' }).click()
    await mirror.getByLabel('Passphrase').fill(PASSPHRASE)
    await mirror.getByRole('button', { name: 'Sign and send' }).click()
    await mirror.locator('.stages[data-status="confirmed"]').waitFor()
    await untilStatus(page, 'Mining')
    expect(said.join('\n')).toContain('approvePayment')
    expect(said.join('\n')).not.toContain(PASSPHRASE)
    expect(said.join('\n')).not.toContain(app.keyOf(1))
  })
})

describe('S-8: the lock', () => {
  it('holds in a second tab, and locks every tab when one is locked, where the brand locks always', async () => {
    const always = await app.serve({
      brandFolder: brandFolder('jamr'),
      flags: { ...plain, security: { lock: 'always', autoLockMin: 60 } },
    })
    const context = await app.device()
    const first = await context.newPage()
    await first.goto(always)
    await importAccount(first, app.keyOf(2))
    await begin(first)
    await untilStatus(first, 'Mining')
    const second = await context.newPage()
    await second.goto(`${always}more/backup`)
    await second.getByRole('heading', { name: 'is locked' }).waitFor()
    expect(await second.locator('nav.tabs').count()).toBe(0)
    await untilStatus(first, 'Mining')
    await enterPassphrase(second)
    await second.locator('nav.tabs').waitFor()
    await go(first, '/more/security')
    await first.getByRole('button', { name: 'Lock now' }).click()
    for (const tab of [first, second]) await tab.getByRole('heading', { name: 'is locked' }).waitFor()
    await expect.poll(() => app.sessionsOf(2).length).toBe(0)
    // The tab that is unlocked first becomes the leader.
    await enterPassphrase(second)
    await go(second, '/')
    await untilStatus(second, 'Mining')
    await first.getByRole('heading', { name: 'is locked' }).waitFor()
  })

  it('holds for calls of another page: no other agent than the brand allows, and no payment', async () => {
    const fixed = await app.serve({
      brandFolder: brandFolder('jamr'),
      flags: {
        ...plain,
        referral: { enabled: true, userCanChange: false },
        features: { ...plain.features, send: false },
      },
    })
    const context = await app.device()
    const page = await context.newPage()
    await page.goto(fixed)
    await importAccount(page, app.keyOf(3))
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    const attacker = await context.newPage()
    await attacker.goto(`${fixed}brand/brand.json`)
    const answers = await attacker.evaluate(async (thief) => {
      const channel = new BroadcastChannel('hailstone-jamr')
      const order = { ticket: 'x', parameters: { to: thief, amount: 1n } }
      const calls: [string, unknown][] = [
        ['setAgent', thief],
        ['setAgent', null],
        ['preparePayment', order],
      ]
      const answer = (id: number) =>
        new Promise((resolve) => {
          channel.addEventListener('message', ({ data }) => {
            if (data.id === id) resolve([data.type, data.error?.message])
          })
        })
      const heard = calls.map((_, id) => answer(id))
      for (const [id, [name, parameters]] of calls.entries())
        channel.postMessage({ type: 'call', from: 'x', id, name, parameters })
      return Promise.all(heard)
    }, app.network.accounts.developers[4]?.address)
    expect(answers).toEqual([
      ['failure', expect.stringContaining('agent')],
      ['failure', expect.stringContaining('agent')],
      ['failure', expect.stringContaining('no payments')],
    ])
  })

  it('is the business of the worker: one that another page starts has nothing to give', async () => {
    const context = await app.device({ bypassCSP: true })
    const page = await context.newPage()
    await page.goto(url)
    await importWith(page, canary.privateKey, canary.password)
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    const engine = await page.evaluate(
      () =>
        performance.getEntriesByType('resource').find(({ name }) => /\/worker-[^/]*\.js$/.test(name))?.name,
    )
    expect(engine).toBeDefined()
    const attacker = await context.newPage()
    await attacker.goto(`${url}brand/brand.json`)
    const answers = await attacker.evaluate(
      async ({ address, apiUrl, gatewayUrl }) => {
        const worker = new Worker(address, { type: 'module' })
        const heard: unknown[] = []
        worker.onmessage = ({ data }) => heard.push(data)
        const config = {
          brandId: 'jamr',
          apiUrl,
          gatewayUrls: [gatewayUrl],
          tokenId: '0'.repeat(64),
          defaultAgent: null,
          canChangeAgent: true,
          canSend: true,
          tokenDecimals: {},
          policy: { wifiOnly: false, chargingOnly: false, minBattery: 0, quietHours: [] },
          isHiddenWhileLocked: false,
          mayStayUnprotected: true,
          hasAgentStep: false,
          mayHavePasskey: true,
          autoStart: false,
        }
        const conditions = { isOnline: true, isMetered: null, isCharging: null, battery: null }
        worker.postMessage({ type: 'open', config, conditions, remembered: [] })
        const calls: [string, unknown][] = [
          ['words', []],
          ['words', ['']],
          ['exportKey', ['']],
          ['exportKey', []],
          ['unlock', ['']],
          ['consent', [{}, '']],
          ['storeUnprotected', []],
          ['unlock', [new Uint8Array(32)]],
          ['addPasskey', ['', { secret: new Uint8Array(32) }]],
        ]
        for (const [id, [name, list]] of calls.entries())
          worker.postMessage({ type: 'call', id: id + 1, name, parameters: { parameters: list } })
        const answered = () =>
          heard.filter((one) => ['answer', 'failure'].includes((one as { type: string }).type)).length
        for (let turn = 0; turn < 300 && answered() < calls.length; turn++)
          await new Promise((done) => setTimeout(done, 100))
        const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
        return JSON.parse(JSON.stringify(heard, plain)) as { type: string; id: number; value?: unknown }[]
      },
      { address: engine ?? '', apiUrl: app.network.apiUrl, gatewayUrl: app.network.gatewayUrl },
    )
    const given = answers.filter(({ type }) => type === 'answer')
    expect(given).toEqual([{ type: 'answer', id: 1, value: null }])
    expect(answers.filter(({ type }) => type === 'failure')).toHaveLength(8)
    expect(findCanary(JSON.stringify(answers))).toStrictEqual([])
  })
})

describe('a private key that is shown', () => {
  it('goes after a minute, also while the engine sends one state after another', async () => {
    const page = await app.open(url)
    await importAccount(page, app.keyOf(3))
    await begin(page)
    await untilStatus(page, 'Mining')
    await go(page, '/more/security')
    await page.clock.install()
    await page.getByRole('button', { name: 'Show private key' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('Passphrase').fill(PASSPHRASE)
    await sheet.getByRole('button', { name: 'Show private key' }).click()
    const key = page.locator('.secret')
    await key.getByText(app.keyOf(3)).waitFor()
    await page.clock.fastForward(40_000)
    // The page has drawn the first of three states when the last one comes.
    await page.evaluate(
      (name) =>
        new Promise<void>((done) => {
          let count = 0
          const channel = new BroadcastChannel(name)
          channel.onmessage = ({ data }) => {
            if (data.type === 'state') count++
            if (count === 3) done(channel.close())
          }
        }),
      CHANNEL,
    )
    expect(await key.count()).toBe(1)
    await page.clock.fastForward(25_000)
    await key.waitFor({ state: 'detached' })
  })
})

describe('S-9: inside the page of somebody else', () => {
  it('the app refuses to run where the host ignores its headers', async () => {
    const files = await app.files({ brandFolder: brandFolder('jamr'), flags: plain })
    const without: ServedFiles = new Map([...files].filter(([name]) => name !== '_headers'))
    const host = await serveFiles(() => without)
    const page = await (await app.device()).newPage()
    await page.goto(host.url)
    await page.getByRole('button', { name: 'Create a wallet' }).waitFor()
    const frameOf = new TextEncoder().encode(`<!doctype html><iframe src="${host.url}"></iframe>`)
    const stranger = await serveFiles(() => new Map([['index.html', frameOf]]))
    await page.goto(stranger.url)
    const framed = page.frameLocator('iframe')
    await framed.getByRole('alert').getByText('does not run inside another page').waitFor()
    expect(await framed.getByRole('button').count()).toBe(0)
    expect(page.workers()).toHaveLength(0)
    expect(await framed.getByRole('link', { name: 'Open the app by itself' }).getAttribute('href')).toBe(
      host.url,
    )
    await page.close()
    await host.stop()
    await stranger.stop()
  })
})

async function importWith(page: Page, privateKey: string, passphrase: string): Promise<void> {
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'I have a wallet' }).click()
  await page.getByLabel(/private key/).fill(privateKey)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await setPassphrase(page, passphrase)
  await page.getByRole('button', { name: 'Continue without an agent' }).click()
}
