import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { walletFromPrivateKey } from '@hailstone/client'
import { encodeReferralCode } from '@hailstone/protocol'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { appFolder, readShell } from '../tools/build-brand.ts'
import { serveWizard } from '../tools/serve-wizard.ts'
import { enter, settled } from './accessibility.ts'
import {
  begin,
  brandFolder,
  go,
  importAccount,
  plain,
  setPassphrase,
  untilStatus,
  useApp,
} from './app-harness.ts'
import { contactSheet } from './contact-sheet.ts'
import { type Pair, photographScreens } from './photograph-screens.ts'

const COIN = 10n ** 10n

const app = useApp()
const folder = join(appFolder(), 'pictures')

beforeAll(async () => {
  await mkdir(folder, { recursive: true })
})

/** The brand without settings that depend on the time or the device. */
const always = {
  mining: { autoStart: false, wifiOnly: false, chargingOnly: false, minBattery: 0, quietHours: null },
}

/** Joins pictures of phones side by side. */
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

const brands = [
  { name: 'tidewater', language: 'en', hasAgentStep: true, routes: ['/', '/rewards', '/invite'], inDark: 0 },
  {
    name: 'jamr',
    language: 'ar',
    hasAgentStep: false,
    routes: ['/', '/rewards', '/wallet/receive'],
    inDark: 0,
  },
  {
    name: 'verbena',
    language: 'es',
    hasAgentStep: true,
    routes: ['/', '/wallet', '/more/screens/1-programa'],
    inDark: 2,
  },
] as const

for (const [account, { name, language, hasAgentStep, routes, inDark }] of brands.entries()) {
  it(`photographs ${name}`, async () => {
    const token = name === 'jamr' ? {} : { token: { hash: app.network.tokens.mineable.id } }
    const url = await app.serve({ brandFolder: brandFolder(name), flags: { ...always, ...token } })
    const page = await app.open(url, { locale: language, reducedMotion: 'reduce' })
    await page.locator('.setup .actions').waitFor()
    const pictures = [await page.screenshot()]
    await enter(page, app.keyOf(account), hasAgentStep)
    await page.locator('.ring-button').waitFor()
    await page.locator('.ring-button').click()
    await page.locator('.ring-good').waitFor()
    await expect
      .poll(
        async () => {
          await go(page, '/rewards')
          return page.locator('.rows .row').count()
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(2)
    for (const [at, route] of routes.entries()) {
      // The last ones of a brand that follows the device.
      if (at >= routes.length - inDark) await page.emulateMedia({ colorScheme: 'dark' })
      await settled(page, route)
      pictures.push(await page.screenshot())
    }
    await strip(pictures, join(folder, `${name}.png`))
  })
}

/** Serves the app with its own texts, as the other tests do. */
const servePlain = (): Promise<string> =>
  app.serve({ brandFolder: brandFolder('jamr'), flags: { ...plain, ...always } })

it('photographs walk 16: mining, back from sleep before the network is, mining again, the work log', async () => {
  const page = await app.open(await servePlain(), { reducedMotion: 'reduce' })
  await importAccount(page, app.keyOf(2))
  await begin(page)
  await untilStatus(page, 'Mining')
  const pictures = [await page.screenshot()]
  await page.evaluate(() => document.dispatchEvent(new Event('freeze')))
  await expect.poll(() => app.network.gateway.minersOnline().length).toBe(0)
  app.network.faults.set({
    seed: 1,
    rules: [{ on: 'gateway', match: { message: 'upgrade' }, fault: { status: { code: 503 } } }],
  })
  await page.evaluate(() => document.dispatchEvent(new Event('resume')))
  await untilStatus(page, 'Reconnecting')
  pictures.push(await page.screenshot())
  app.network.faults.clear()
  await untilStatus(page, 'Mining')
  pictures.push(await page.screenshot())
  await settled(page, '/log')
  pictures.push(await page.screenshot())
  await strip(pictures, join(folder, 'walk-16.png'))
})

it('photographs walk 18: the welcome of somebody invited, and the agent step with the code', async () => {
  const agent = encodeReferralCode(app.network.accounts.developers[0]?.address ?? '')
  const page = await app.open(`${await servePlain()}i/${agent}`, { reducedMotion: 'reduce' })
  await page.getByText('You were invited').waitFor()
  const pictures = [await page.screenshot()]
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'I have a wallet' }).click()
  await page.getByLabel(/private key/).fill(app.keyOf(3))
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await setPassphrase(page)
  await page.getByText('This agent meets the conditions.').waitFor()
  expect(await page.getByLabel("Agent's code").inputValue()).toBe(agent)
  pictures.push(await page.screenshot())
  await strip(pictures, join(folder, 'walk-18.png'))
})

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let steps = 0; steps < 60; steps++) {
    await page.keyboard.press('Tab')
    const isThere = await page.evaluate((one) => document.activeElement?.matches(one) ?? false, selector)
    if (isThere) return
  }
  throw new Error(`The keyboard does not reach ${selector}.`)
}

it('photographs walk 20: by keyboard alone, the focus on the ring, the state that is read out, the heading of a tab', async () => {
  const page = await app.open(await servePlain(), { reducedMotion: 'reduce' })
  await importAccount(page, app.keyOf(1))
  await page.locator('.ring-button').waitFor()
  await tabTo(page, '.ring-button')
  const pictures = [await page.screenshot()]
  await page.keyboard.press('Enter')
  await untilStatus(page, 'Mining')
  pictures.push(await page.screenshot())
  await tabTo(page, 'a[href$="/rewards"]')
  pictures.push(await page.screenshot())
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Rewards' }).waitFor()
  pictures.push(await page.screenshot())
  await strip(pictures, join(folder, 'walk-20.png'))
})

const everyScreen = new Map<string, ReadonlyMap<string, Pair>>()

for (const [account, { name, language, hasAgentStep }] of brands.entries()) {
  it(`photographs every screen of ${name} in both modes`, async () => {
    const { mineable } = app.network.tokens
    const url = await app.serve({
      brandFolder: brandFolder(name),
      flags: {
        ...always,
        ...(name === 'jamr' ? {} : { token: { hash: mineable.id } }),
        features: { roi: true, multiAccount: true },
        theme: { mode: 'system' },
      },
    })
    const privateKey = `4${account}`.repeat(32)
    const { address } = walletFromPrivateKey(privateKey)
    await app.network.control.fund(address, 10_000n * COIN)
    await app.network.control.fund(address, 1_250n * COIN, mineable.id)
    const pairs = await photographScreens(app, {
      url,
      language,
      privateKey,
      hasAgentStep,
      isLocked: name === 'jamr',
      recipient: app.network.accounts.developers[3]?.address ?? '',
    })
    everyScreen.set(name, pairs)
    // Of one brand every screen is kept; the others stand beside it below.
    if (name !== 'verbena') return
    const sheet = await contactSheet(await app.open('about:blank'), {
      title: `Every screen of ${name}`,
      captions: ['Light, dark'],
      rows: [...pairs].map(([screen, pair]) => ({ name: screen, cells: [pair] })),
      across: 4,
    })
    await writeFile(join(folder, 'every-screen-verbena.webp'), sheet)
  })
}

it('puts three brands beside each other', async () => {
  const names = ['mine', 'wallet', 'rewards', 'invite']
  const page = await app.open('about:blank')
  const rows = names.map((name) => ({
    name,
    cells: brands.map((brand) => everyScreen.get(brand.name)?.get(name) ?? null),
  }))
  await writeFile(
    join(folder, 'three-brands.webp'),
    await contactSheet(page, {
      title: 'The same app for three brands, in light and in dark',
      captions: brands.map(({ name }) => name),
      rows,
    }),
  )
})

/** Serves the page for partners until the test is over. */
async function useWizard(): Promise<string> {
  const { apiUrl: api, gatewayUrl } = app.network
  const wizard = await serveWizard(
    {
      brandFolder: brandFolder('tidewater'),
      environment: 'dev',
      target: 'web',
      flags: { network: { preset: 'devnet', api, poa: [gatewayUrl], faucet: `${api}/faucet` } },
      out: undefined,
      otherFolders: [brandFolder('jamr')],
    },
    await readShell(),
  )
  onTestFinished(wizard.stop)
  return wizard.url
}

/** Waits until each of the four phones shows an element. */
async function untilPhonesShow(page: Page, selector: string): Promise<void> {
  for (const index of [0, 1, 2, 3]) await page.frameLocator('iframe').nth(index).locator(selector).waitFor()
  await page.waitForTimeout(1_500)
}

const stepsOf = (page: Page) => page.getByRole('navigation', { name: 'Steps' }).getByRole('button')

it('photographs the page for partners', async () => {
  const page = await app.open(await useWizard(), { viewport: { width: 1120, height: 820 } })
  await untilPhonesShow(page, 'h1')
  await stepsOf(page).filter({ hasText: 'Look' }).click()
  await page.getByRole('group', { name: 'Screen' }).getByLabel('First reward').check()
  await untilPhonesShow(page, '.moment')
  // Looks above, and below them the files of a typeface.
  await page.getByRole('combobox', { name: 'Typeface', exact: true }).selectOption('own')
  await page
    .getByRole('heading', { name: 'Looks' })
    .evaluate((heading) => scrollBy(0, heading.getBoundingClientRect().top - 16))
  await page.screenshot({ path: join(folder, 'wizard.png') })
})
