import { cp, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { appFolder, readShell } from '../tools/build-brand.ts'
import { serveWizard } from '../tools/serve-wizard.ts'
import { brandFolder, useApp } from './app-harness.ts'

const app = useApp({ network: { control: true, blockTimeMs: 1_000 } })
let above: string
let wizard: Awaited<ReturnType<typeof serveWizard>>

beforeAll(async () => {
  above = await mkdtemp(join(appFolder(), 'node_modules', '.wizard-'))
  const own = join(above, 'tidewater')
  await cp(brandFolder('tidewater'), own, { recursive: true })
  const { apiUrl: api, gatewayUrl, tokens } = app.network
  const network = { preset: 'devnet', api, poa: [gatewayUrl], faucet: `${api}/faucet` }
  const flags = { network, token: { hash: tokens.mineable.id, ticker: tokens.mineable.symbol } }
  const request = { environment: 'dev', target: 'web', flags, out: undefined, isForPhones: true } as const
  const phoneAddresses = ['localhost']
  wizard = await serveWizard({ ...request, brandFolder: own }, await readShell(), { phoneAddresses })
})
afterAll(async () => {
  await wizard?.stop()
  await rm(above, { recursive: true, force: true })
})

it('the page for partners misses no file, names settings in words, and says if the token has a place of its own', async () => {
  const page = await app.open('about:blank', { viewport: { width: 1400, height: 1000 } })
  const missing: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) missing.push(response.url())
  })
  page.on('console', (message) => {
    if (message.type() === 'error') missing.push(message.text())
  })
  // What a worker asks for is no request of the page.
  await page.addInitScript(() => {
    ServiceWorkerContainer.prototype.register = (script) => {
      console.error(`registers ${script}`)
      return new Promise(() => undefined)
    }
  })
  await page.goto(wizard.url)
  for (const phone of await page.locator('iframe').all())
    await phone.contentFrame().getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.getByRole('radio', { name: 'In one list' }).check()

  const labels = await page.locator('.setting > label').allTextContents()
  expect(labels.length).toBeGreaterThan(50)
  for (const label of labels) expect(label).toMatch(/^\p{L}[^.]* ?\S*/u)
  expect(await page.getByLabel('Terms of use').getAttribute('name')).toBe('links.terms')

  await page.getByRole('button', { name: 'Has my token a place of its own?' }).click()
  await page.locator('.slot', { hasText: /^slot: (?:yes|no), / }).waitFor()
  expect(missing).toEqual([])
})

it('a token is created from the page, and the brand names it; a phone opens the app by its QR code', async () => {
  const page = await app.open('about:blank', { viewport: { width: 1400, height: 1000 } })
  await page.goto(wizard.url)
  await page.getByRole('radio', { name: 'In one list' }).check()
  await page.getByText('Create a token', { exact: true }).click()
  await page.getByLabel('Ticker (1 to 6 capital letters)').fill('kelp')
  const button = page.getByRole('button', { name: 'Create the token, or show its payment' })
  await button.click()
  await page.getByText(/should be 1 to 6 capital letters/).waitFor()
  await page.getByLabel('Ticker (1 to 6 capital letters)').fill('KELP')
  await button.click()
  await page.locator('[role="status"]', { hasText: 'The token was created' }).waitFor()
  const tokenId = await page.locator('[name="token.hash"]').first().inputValue()
  const known = await fetch(`${app.network.apiUrl}/token_info?hash=${tokenId}`)
  expect(await known.json()).toMatchObject([{ ticker: 'KELP' }])

  const link = page.locator('.own-phone a')
  const url = (await link.getAttribute('href')) ?? ''
  expect(url).toMatch(/^http:\/\/localhost:/)
  expect(await page.locator('.own-phone svg.qr').getAttribute('aria-label')).toBe(url)
  await page.getByText('Everybody in this network can open the app').waitFor()
  const phone = await app.open('about:blank', { viewport: { width: 390, height: 844 } })
  await phone.goto(url)
  await phone.getByRole('heading', { level: 1 }).waitFor()
})
