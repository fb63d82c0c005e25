import { cp, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { appFolder, readShell } from '../tools/build-brand.ts'
import { serveWizard } from '../tools/serve-wizard.ts'
import { brandFolder, useApp } from './app-harness.ts'

const app = useApp()
let above: string
let wizard: Awaited<ReturnType<typeof serveWizard>>

beforeAll(async () => {
  above = await mkdtemp(join(appFolder(), 'node_modules', '.wizard-'))
  const own = join(above, 'tidewater')
  await cp(brandFolder('tidewater'), own, { recursive: true })
  const { apiUrl: api, gatewayUrl, tokens } = app.network
  const network = { preset: 'devnet', api, poa: [gatewayUrl], faucet: `${api}/faucet` }
  const flags = { network, token: { hash: tokens.mineable.id, ticker: tokens.mineable.symbol } }
  const request = { environment: 'dev', target: 'web', flags, out: undefined } as const
  wizard = await serveWizard({ ...request, brandFolder: own }, await readShell())
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
  await page.locator('.slot', { hasText: /^slot: (?:yes|no)\. / }).waitFor()
  expect(missing).toEqual([])
})
