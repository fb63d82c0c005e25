import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { appFolder, readShell } from '../tools/build-brand.ts'
import { serveWizard } from '../tools/serve-wizard.ts'
import { settled } from './accessibility.ts'
import { brandFolder, go, useApp } from './app-harness.ts'

const app = useApp()
const folder = join(appFolder(), 'pictures')

beforeAll(async () => {
  await mkdir(folder, { recursive: true })
})

/** A brand as it is, but for what depends on the hour and the device. */
const always = {
  mining: { autoStart: false, wifiOnly: false, chargingOnly: false, minBattery: 0, quietHours: null },
}

/** The first run in any language: by places, not by words. */
async function enter(page: Page, privateKey: string, hasAgentStep: boolean): Promise<void> {
  await page.locator('input[type="checkbox"]').check()
  await page.locator('.actions .button').nth(1).click()
  await page.locator('textarea').fill(privateKey)
  await page.locator('form .button-primary').click()
  await page.locator('input[type="password"]').nth(1).waitFor()
  for (const field of await page.locator('input[type="password"]').all())
    await field.fill('seven drops of rain')
  await page.locator('form .button-primary').click()
  if (hasAgentStep) await page.locator('.actions .button-quiet').click()
  await page.locator('.ring-button').waitFor()
}

/** Phones side by side on one picture. */
async function strip(pictures: readonly Buffer[], path: string): Promise<void> {
  const page = await app.open('about:blank', { viewport: { width: pictures.length * 300 + 24, height: 600 } })
  const images = pictures.map(
    (bytes) => `<img width="276" src="data:image/png;base64,${bytes.toString('base64')}">`,
  )
  await page.setContent(
    `<style>body{margin:0;padding:24px;display:flex;gap:24px;background:#d8dee4}img{border-radius:20px;display:block}</style>${images.join('')}`,
  )
  await page
    .locator('img')
    .last()
    .evaluate((image: HTMLImageElement) => image.decode())
  await writeFile(path, await page.screenshot({ fullPage: true }))
}

for (const { name, language, hasAgentStep, routes } of [
  { name: 'tidewater', language: 'en', hasAgentStep: true, routes: ['/', '/rewards', '/invite'] },
  { name: 'jamr', language: 'ar', hasAgentStep: false, routes: ['/', '/rewards', '/wallet/receive'] },
] as const) {
  it(`photographs ${name}`, async () => {
    const token = name === 'tidewater' ? { token: { hash: app.network.tokens.mineable.id } } : {}
    const url = await app.serve({ brandFolder: brandFolder(name), flags: { ...always, ...token } })
    const page = await app.open(url, { locale: language, reducedMotion: 'reduce' })
    await page.locator('.setup .actions').waitFor()
    const pictures = [await page.screenshot()]
    await enter(
      page,
      app.network.accounts.developers[name === 'tidewater' ? 0 : 1]?.privateKey ?? '',
      hasAgentStep,
    )
    await page.locator('.ring-button').click()
    await page.locator('.ring-good').waitFor({ timeout: 60_000 })
    await expect
      .poll(
        async () => {
          await go(page, '/rewards')
          return page.locator('.rows .row').count()
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(2)
    for (const route of routes) {
      await settled(page, route)
      pictures.push(await page.screenshot())
    }
    await strip(pictures, join(folder, `${name}.png`))
  })
}

it('photographs the page for partners', async () => {
  const { apiUrl: api, gatewayUrl } = app.network
  const wizard = await serveWizard(
    {
      brandFolder: brandFolder('tidewater'),
      environment: 'dev',
      target: 'web',
      flags: { network: { preset: 'devnet', api, poa: [gatewayUrl], faucet: `${api}/faucet` } },
      out: undefined,
    },
    await readShell(),
  )
  const page = await app.open(wizard.url, { viewport: { width: 1120, height: 740 } })
  for (const index of [0, 1, 2, 3]) await page.frameLocator('iframe').nth(index).locator('h1').waitFor()
  await page.waitForTimeout(700)
  await page.screenshot({ path: join(folder, 'wizard.png') })
  await wizard.stop()
})
