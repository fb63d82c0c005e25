import { walletFromPrivateKey } from '@hailstone/mining-node'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { storedValues } from '../../../packages/attack/src/app/stored-values.ts'
import { canary, findCanary } from '../../../packages/client/test/support/canary-spellings.mjs'
import { begin, brandFolder, go, plain, untilStatus, useApp } from './app-harness.ts'

const { privateKey, password } = canary
const { address } = walletFromPrivateKey(privateKey)

const routes = [
  ...['/', '/health', '/log', '/rewards', '/wallet', '/wallet/send', '/wallet/receive', '/invite'],
  ...['/more', '/more/security', '/more/network', '/more/diagnostics', '/more/about'],
]

const app = useApp({ device: { serviceWorkers: 'allow' } })
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

describe('S-4, M5: key and passphrase', () => {
  it('are in no page, storage, message or request, from the import to a payment', async () => {
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'I have a wallet' }).click()
    await page.getByLabel(/private key/).fill(privateKey)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByLabel('Passphrase', { exact: true }).fill(password)
    await page.getByLabel('Passphrase again').fill(password)
    await page.getByRole('button', { name: 'Set passphrase' }).click()
    await page.getByRole('button', { name: 'Continue without an agent' }).click()
    await begin(page)
    await untilStatus(page, 'Mining')
    await go(page, '/wallet/send')
    await page.getByLabel('To', { exact: true }).fill(app.network.accounts.developers[4]?.address ?? '')
    await page.getByLabel(/^Amount in/).fill('2')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByLabel('Passphrase').fill(password)
    await page.getByRole('button', { name: 'Sign and send' }).click()
    await page.locator('.stages[data-status="confirmed"]').waitFor()

    for (const route of routes) {
      await go(page, route)
      await page.getByRole('main').waitFor()
      expect(findCanary(await page.content()), route).toStrictEqual([])
    }
    const { text: storage, opened, cryptoKeys } = await storedValues(page)
    expect(storage).toContain('hailstone-keystore')
    expect(storage).toContain(address)
    expect(findCanary(storage)).toStrictEqual([])
    // A stored browser key would decrypt its data for anyone with the profile. None is stored, so nothing decrypts.
    expect(findCanary(opened.join('\n'))).toStrictEqual([])
    expect(cryptoKeys).toBe(0)
    expect(sent.join('\n')).toContain(address)
    expect(findCanary(sent.join('\n'))).toStrictEqual([])
    expect(findCanary(heard.join('\n'))).toStrictEqual([])
  })
})
