import { walletFromPrivateKey } from '@hailstone/mining-node'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { canary, findCanary } from '../../../packages/client/test/support/canary-spellings.mjs'
import { begin, brandFolder, go, plain, untilStatus, useApp } from './app-harness.ts'

const { privateKey, password } = canary
const { address } = walletFromPrivateKey(privateKey)

const routes = [
  ...['/', '/health', '/log', '/rewards', '/wallet', '/wallet/send', '/wallet/receive', '/invite'],
  ...['/more', '/more/security', '/more/network', '/more/diagnostics', '/more/about'],
]

const app = useApp({ blockTimeMs: 500 })
let page: Page
const heard: string[] = []
const sent: string[] = []

beforeAll(async () => {
  await app.network.control.fund(address, 100n * 10n ** 10n)
  const url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
  const device = await app.device()
  device.on('request', (request) => sent.push(request.url(), request.postData() ?? ''))
  device.on('console', (message) => heard.push(message.text()))
  page = await device.newPage()
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
  page.on('pageerror', (error) => heard.push(String(error.stack)))
  await page.goto(url)
})

/** Everything that the page keeps, binary values in hex. */
const kept = (): Promise<string> =>
  page.evaluate(async () => {
    const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    const shown = (_: string, value: unknown): unknown => {
      if (value instanceof ArrayBuffer) return hex(new Uint8Array(value))
      if (ArrayBuffer.isView(value))
        return hex(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
      return typeof value === 'bigint' ? `${value}` : value
    }
    const all = (store: IDBObjectStore) =>
      new Promise<unknown>((done) => {
        const asked = store.getAll()
        asked.onsuccess = () => done(asked.result)
      })
    const read = ({ name = '' }: IDBDatabaseInfo) =>
      new Promise<unknown>((done) => {
        const opening = indexedDB.open(name)
        opening.onsuccess = async () => {
          const names = [...opening.result.objectStoreNames]
          const stores = names.map((store) => opening.result.transaction(store).objectStore(store))
          done([name, await Promise.all(stores.map(all))])
          opening.result.close()
        }
      })
    const cached = async (name: string) => (await (await caches.open(name)).keys()).map(({ url }) => url)
    const databases = await Promise.all((await indexedDB.databases()).map(read))
    const caching = await Promise.all((await caches.keys()).map(cached))
    const texts = [{ ...localStorage }, { ...sessionStorage }, document.cookie]
    return JSON.stringify([databases, caching, texts], shown)
  })

describe('S-4, M5: key and passphrase', () => {
  it('are in no page, storage, message or request, from the import to a payment', async () => {
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    await page.getByLabel(/private key/).fill(privateKey)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByLabel('Passphrase', { exact: true }).fill(password)
    await page.getByLabel('Passphrase again').fill(password)
    await page.getByRole('button', { name: 'Set passphrase' }).click()
    await page.getByRole('button', { name: 'Go on without an agent' }).click()
    await begin(page)
    await untilStatus(page, 'Mining')
    await go(page, '/wallet/send')
    await page.getByLabel('To', { exact: true }).fill(app.network.accounts.developers[4]?.address ?? '')
    await page.getByLabel(/^Amount in/).fill('2')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByLabel('Passphrase').fill(password)
    await page.getByRole('button', { name: 'Sign and send' }).click()
    await page.locator('.stages[data-status="confirmed"]').waitFor({ timeout: 60_000 })

    for (const route of routes) {
      await go(page, route)
      await page.getByRole('main').waitFor()
      expect(findCanary(await page.content()), route).toStrictEqual([])
    }
    const storage = await kept()
    expect(storage).toContain('hailstone-keystore')
    expect(storage).toContain(address)
    expect(findCanary(storage)).toStrictEqual([])
    expect(sent.join('\n')).toContain(address)
    expect(findCanary(sent.join('\n'))).toStrictEqual([])
    expect(findCanary(heard.join('\n'))).toStrictEqual([])
  })
})
