import { type Address, sha256Hex, verifyText, ZERO_TOKEN_ID } from '@hailstone/protocol'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type * as browserEntry from '../src/browser.ts'
import { decryptWallet, encryptWallet, walletFromPrivateKey } from '../src/node.ts'
import { type BrowserPages, openBrowserPages } from './support/browser-pages.ts'
import { canary, findCanary } from './support/canary-spellings.mjs'

/** In the page. */
declare const client: typeof browserEntry
declare const codeOf: (act: () => unknown) => Promise<string>

const { privateKey, password } = canary
const wallet = walletFromPrivateKey(privateKey)
const { address } = wallet

let pages: BrowserPages
let context: BrowserContext
let page: Page
const heard: string[] = []

beforeAll(async () => {
  pages = await openBrowserPages()
})
afterAll(() => pages?.[Symbol.asyncDispose]())
beforeEach(async () => {
  context = await pages.browser.newContext()
  page = await openPage()
})
afterEach(() => context.close())

async function openPage(origin = pages.origin): Promise<Page> {
  const opened = await context.newPage()
  opened.on('console', (message) => heard.push(message.text()))
  opened.on('pageerror', (error) => heard.push(`${error.stack}`))
  await opened.goto(origin)
  await opened.waitForFunction(() => 'client' in globalThis)
  return opened
}

type Given = { readonly privateKey: string; readonly password: string; readonly address: Address }
const given: Given = { privateKey, password, address }

const save = (): Promise<void> =>
  page.evaluate(async ({ privateKey, password }: Given) => {
    const vault = await client.openBrowserVault()
    await vault.save({ wallet: client.walletFromPrivateKey(privateKey), password })
    vault.close()
  }, given)

/** The private key that a password opens, or the code of the error. */
const unlocked = (on: Page, change: Partial<Given> = {}): Promise<string> =>
  on.evaluate(
    async ({ password, address }: Given) => {
      const vault = await client.openBrowserVault()
      try {
        return (await vault.unlock({ address, password })).exportPrivateKey()
      } catch (error) {
        return String((error as { code?: string }).code)
      } finally {
        vault.close()
      }
    },
    { ...given, ...change },
  )

const lost = (): Promise<readonly string[]> =>
  page.evaluate(async () => {
    const vault = await client.openBrowserVault()
    vault.close()
    return vault.lost
  })

const dropDatabase = (): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((done) => {
        indexedDB.deleteDatabase('hailstone-vault').onsuccess = () => done()
      }),
  )

describe('a vault in a browser', () => {
  it('keeps keys over a reload and for other tabs', async () => {
    await save()
    await page.reload()
    await page.waitForFunction(() => 'client' in globalThis)
    expect(await unlocked(page)).toBe(privateKey)
    expect(await unlocked(await openPage())).toBe(privateKey)
  })

  it('T5: says the same to every wrong password, and what it does not have', async () => {
    await save()
    expect(await unlocked(page, { password: 'wrong password' })).toBe('KEYSTORE_UNLOCK_FAILED')
    const other = walletFromPrivateKey(sha256Hex('other')).address
    expect(await unlocked(page, { address: other })).toBe('KEYSTORE_MISSING')
  })

  it('opens with the new password alone once it was changed', async () => {
    await save()
    await page.evaluate(async ({ password, address }: Given) => {
      const vault = await client.openBrowserVault()
      await vault.changePassword({ address, password, newPassword: 'battery staple' })
    }, given)
    expect(await unlocked(page)).toBe('KEYSTORE_UNLOCK_FAILED')
    expect(await unlocked(page, { password: 'battery staple' })).toBe(privateKey)
  })

  it('S-5: derives keys as it should, and exchanges encrypted texts with Node in both directions', async () => {
    await save()
    const text = await page.evaluate(
      async ({ address }: Given) => (await client.openBrowserVault()).readText({ address }),
      given,
    )
    expect(JSON.parse(text).derivation).toMatchObject({ name: 'pbkdf2-sha256', iterations: 1_500_000 })
    expect((await decryptWallet({ text, password })).wallet.address).toBe(address)

    const other = walletFromPrivateKey(sha256Hex('from node'))
    const written = await encryptWallet({ wallet: other, password })
    expect(written).toContain('"scrypt"')
    const imported = await page.evaluate(
      async ({ text, password }) => {
        const vault = await client.openBrowserVault()
        const opened = await vault.importText({ text, password })
        return [opened.exportPrivateKey(), ...(await vault.list())]
      },
      { text: written, password },
    )
    expect(imported).toStrictEqual([other.exportPrivateKey(), ...[address, other.address].sort()])
  })

  it('encrypts again what was encrypted with weaker parameters', async () => {
    const iterations = await page.evaluate(async ({ privateKey, password, address }: Given) => {
      const vault = await client.openBrowserVault()
      const derivation = { name: 'pbkdf2-sha256', iterations: 600_000 } as const
      await vault.save({ wallet: client.walletFromPrivateKey(privateKey), password, derivation })
      const read = async () => JSON.parse(await vault.readText({ address })).derivation.iterations
      const before = await read()
      await vault.unlock({ address, password })
      return [before, await read()]
    }, given)
    expect(iterations).toStrictEqual([600_000, 1_500_000])
  })

  it('forgets a key when it is told to, and does not call that a loss', async () => {
    await save()
    await page.evaluate(
      async ({ address }: Given) => (await client.openBrowserVault()).remove({ address }),
      given,
    )
    expect(await unlocked(page)).toBe('KEYSTORE_MISSING')
    expect(await lost()).toStrictEqual([])
  })
})

describe('T7: a browser that drops what is stored', () => {
  it('is noticed, until the key is back', async () => {
    await save()
    expect(await lost()).toStrictEqual([])
    await dropDatabase()
    expect(await lost()).toStrictEqual([address])
    expect(await unlocked(page)).toBe('KEYSTORE_MISSING')
    await save()
    expect(await lost()).toStrictEqual([])
  })

  it('is asked to keep it', async () => {
    const session = await pages.browser.newBrowserCDPSession()
    const isPersistent = () => page.evaluate(async () => (await client.openBrowserVault()).isPersistent())
    expect(await isPersistent()).toBe(false)
    const { targetInfos } = await session.send('Target.getTargets')
    const browserContextId = targetInfos.find(({ url }) => url.startsWith(pages.origin))?.browserContextId
    await session.send('Browser.grantPermissions', {
      permissions: ['durableStorage'],
      origin: pages.origin,
      ...(browserContextId === undefined ? {} : { browserContextId }),
    })
    await save()
    expect(await isPersistent()).toBe(true)
  })
})

describe('a vault refuses', () => {
  it('T1: to say that a key is saved when there is no space for it', async () => {
    const session = await context.newCDPSession(page)
    const attempt = () =>
      page.evaluate(
        (values: Given) =>
          codeOf(async () => {
            const vault = await client.openBrowserVault()
            const wallet = client.walletFromPrivateKey(values.privateKey)
            await vault.save({ wallet, password: values.password })
          }),
        given,
      )
    await session.send('Storage.overrideQuotaForOrigin', { origin: pages.origin, quotaSize: 1 })
    expect(await attempt()).toBe('KEYSTORE_WRITE_FAILED')
    expect(await unlocked(page)).toBe('KEYSTORE_MISSING')
    await session.send('Storage.overrideQuotaForOrigin', { origin: pages.origin })
    expect(await attempt()).toBe('done')
    expect(await unlocked(page)).toBe(privateKey)
  })

  it('T8: a database of a newer program', async () => {
    await page.evaluate(
      () =>
        new Promise<void>((done) => {
          const opening = indexedDB.open('hailstone-vault', 2)
          opening.onsuccess = () => done(opening.result.close())
        }),
    )
    expect(await page.evaluate(() => codeOf(() => client.openBrowserVault()))).toBe(
      'KEYSTORE_VERSION_UNKNOWN',
    )
  })

  it('to stand in the way of a newer program, and says so afterwards', async () => {
    const code = await page.evaluate(
      ({ address }: Given) =>
        codeOf(async () => {
          const vault = await client.openBrowserVault()
          await new Promise((done, fail) => {
            const opening = indexedDB.open('hailstone-vault', 2)
            opening.onsuccess = done
            opening.onblocked = fail
          })
          await vault.readText({ address })
        }),
      given,
    )
    expect(code).toBe('VAULT_UNAVAILABLE')
  })

  it('to encrypt in a page that is not loaded by https', async () => {
    const insecure = await openPage(pages.insecureOrigin)
    const code = await insecure.evaluate(
      ({ privateKey, password }: Given) =>
        codeOf(() => client.encryptWallet({ wallet: client.walletFromPrivateKey(privateKey), password })),
      given,
    )
    expect(code).toBe('VAULT_UNAVAILABLE')
  })

  it('a key that somebody moved under the name of another account', async () => {
    await save()
    const other = walletFromPrivateKey(sha256Hex('other')).address
    await page.evaluate(
      ([from, to]) =>
        new Promise<void>((done) => {
          const opening = indexedDB.open('hailstone-vault')
          opening.onsuccess = () => {
            const store = opening.result.transaction('keystores', 'readwrite').objectStore('keystores')
            const text = store.get(from)
            text.onsuccess = () => {
              store.put(text.result, to)
              store.transaction.oncomplete = () => done(opening.result.close())
            }
          }
        }),
      [address, other] as const,
    )
    expect(await unlocked(page, { address: other })).toBe('KEYSTORE_ADDRESS_DIFFERS')
  })
})

it('a Web Worker opens the key and signs, and the page never has it', async () => {
  await save()
  const signed = await page.evaluate(async ({ address, password }: Given) => {
    const worker = new Worker('/signer-worker.js', { type: 'module' })
    worker.postMessage({ open: { address, password } })
    const signer = await client.createWorkerSigner({ port: worker })
    const tokenId = '0'.repeat(64) as never
    const hail = await signer.signHail({ host: 'gateway.example', tokenId })
    const refused = await Promise.resolve(signer.signHail({ host: 'a b', tokenId })).catch(
      (error: { code: string }) => error.code,
    )
    signer.close()
    worker.terminate()
    return { hail, refused, shape: Object.keys(signer) }
  }, given)
  const { hail, refused, shape } = signed
  expect(hail).toMatchObject({ address, tokenId: ZERO_TOKEN_ID })
  expect(verifyText({ text: hail.hash, signature: hail.signature, address: address as Address })).toBe(true)
  expect(refused).toBe('URL_REFUSED')
  expect(shape).toStrictEqual([
    ...['address', 'signTransaction', 'signHail', 'signPublication'],
    ...['deriveNonce', 'close'],
  ])
})

it('S-4: neither key nor password is in the console, the storage or the vault of any page', async () => {
  await save()
  const stored = await page.evaluate(async () => {
    const databases = await indexedDB.databases()
    const read = ({ name = '' }: IDBDatabaseInfo) =>
      new Promise<unknown>((done) => {
        const opening = indexedDB.open(name)
        opening.onsuccess = () => {
          const [store = ''] = opening.result.objectStoreNames
          const all = opening.result.transaction(store).objectStore(store).getAll()
          all.onsuccess = () => done(all.result)
        }
      })
    return JSON.stringify([
      await Promise.all(databases.map(read)),
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
    ])
  })
  expect(stored).toContain('hailstone-keystore')
  expect(findCanary(stored)).toStrictEqual([])
  expect(findCanary(heard.join('\n'))).toStrictEqual([])
})
