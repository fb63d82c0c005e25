import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkBrandFolder } from '@hailstone/brand/tools'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brandFiles, nativeFiles, readShell } from '../tools/build-brand.ts'
import { serveFiles } from '../tools/serve-files.ts'
import { enter, routes, settled, violations } from './accessibility.ts'
import { brandFolder, go, plain, useApp } from './app-harness.ts'
import { makeBrand, runBrand } from './brand-command.ts'

const app = useApp()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partner-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('a partner', () => {
  it('check 1: answers four questions, edits no code, and has a Mine screen with the own name and colour', async () => {
    const path = await makeBrand('first', { folder, network: app.network })
    const url = await app.serve({ brandFolder: path })
    const page = await app.open(url)
    await page.locator('.setup .actions').waitFor()
    expect(await page.title()).toContain('Partner first')
    await enter(page, app.keyOf(0), true)
    await page.locator('.header', { hasText: 'Partner first' }).waitFor()
    const colour = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--color-primary').trim(),
    )
    expect(colour).toBe('#3a7644')
  })

  it('check 4: is told of colours that cannot be read, and has all of them readable when they may be mended', async () => {
    const path = await makeBrand('fourth', { folder, network: app.network })
    for (const [primary, mode] of [
      ['#FFE600', 'light'],
      ['#1A1A2E', 'dark'],
    ] as const) {
      const refused = await runBrand(['check', path, '--set', `theme.primary=${primary}`])
      expect(refused.code, refused.said).toBe(1)
      expect(refused.said).toMatch(new RegExp(`contrast-too-low[\\s\\S]*${mode}[\\s\\S]*#[0-9a-f]{6}`))
      const theme = { primary, contrast: 'fix' }
      const mended = { brandFolder: path, flags: { ...plain, theme } }
      const page = await app.open(await app.serve(mended))
      await page.locator('.setup .actions').waitFor()
      expect(await violations(page, ['color-contrast'])).toEqual([])
      await page.goto(await app.preview(mended))
      await page.locator('[data-status="ready"]').waitFor()
      for (const shown of ['light', 'dark']) {
        await page.evaluate((next) => {
          document.documentElement.dataset.mode = next
        }, shown)
        for (const route of routes) {
          await settled(page, route)
          expect(await violations(page, ['color-contrast']), `${primary} ${shown} ${route}`).toEqual([])
        }
      }
    }
  })

  it('check 6: keeps what it stores under the own name', async () => {
    const page = await app.open(await app.serve({ brandFolder: brandFolder('tidewater') }), {
      serviceWorkers: 'allow',
    })
    await enter(page, app.keyOf(2), true)
    const places = await page.evaluate(async () => [
      ...Object.keys(localStorage),
      ...(await indexedDB.databases()).map(({ name }) => name ?? ''),
      ...(await caches.keys()),
    ])
    expect(places.length).toBeGreaterThan(1)
    expect(places.filter((place) => !place.includes('tidewater'))).toEqual([])
  })

  it('check 7: sees the good overrides, and the words of the app for the rest', async () => {
    const path = join(folder, 'tidewater')
    await cp(brandFolder('tidewater'), path, { recursive: true })
    await writeFile(
      join(path, 'i18n/ru.json'),
      JSON.stringify({
        'mine.start': 'Поднять паруса',
        'tabs.rewards': 'Жемчуг',
        'tabs.walet': 'Сундук',
        'welcome.title': 'Здравствуйте',
      }),
    )
    const { apiUrl: api, gatewayUrl } = app.network
    const report = await checkBrandFolder({
      folder: path,
      environment: 'dev',
      target: 'web',
      flags: {
        ...plain,
        i18n: { default: 'en', enabled: ['en', 'ru'] },
        network: { preset: 'devnet', api, poa: [gatewayUrl] },
      },
    })
    const files = await brandFiles(report, await readShell())
    const served = await serveFiles(() => files)
    const page = await app.open(served.url, { locale: 'ru-RU' })
    await enter(page, app.keyOf(3), true)
    await page.getByRole('button', { name: 'Поднять паруса' }).waitFor()
    await page.getByRole('link', { name: 'Жемчуг' }).waitFor()
    // A text without an override comes from the app's own Russian.
    await page.getByRole('link', { name: 'Кошелёк' }).waitFor()
    await served.stop()
  })

  it('check 8: turns invites and buying off: no tab, no place, and what was there leads to Mine', async () => {
    const flags = {
      ...plain,
      features: { ...plain.features, invite: false, buy: false },
      referral: { enabled: false },
      links: { buy: [] },
    }
    const page = await app.open(await app.serve({ brandFolder: brandFolder('jamr'), flags }))
    await enter(page, app.keyOf(4), false)
    expect(await page.locator('.tab').allTextContents()).toEqual(['Mine', 'Rewards', 'Wallet', 'More'])
    for (const gone of ['/invite', '/invite/agent']) {
      await go(page, gone)
      await page.waitForURL(({ pathname }) => pathname === '/')
      await page.locator('.ring-button').waitFor()
    }
    await go(page, '/wallet')
    await page.locator('[data-status="ready"]').waitFor()
    expect(await page.getByText('Buy at').count()).toBe(0)
  })

  it('check 8: has an iOS app that shows the account and what it earns, and has no way to mine', async () => {
    const { apiUrl: api, gatewayUrl } = app.network
    const network = { preset: 'devnet', api, poa: [gatewayUrl] }
    const report = await checkBrandFolder({
      folder: brandFolder('jamr'),
      environment: 'dev',
      target: 'ios',
      flags: { ...plain, network },
    })
    const project = await nativeFiles(report, 'ios', await readShell())
    const www = [...project].flatMap(([path, bytes]) =>
      path.startsWith('www/') ? [[path.slice('www/'.length), bytes] as const] : [],
    )
    const served = await serveFiles(() => new Map(www))
    const page = await app.open(served.url)
    await enter(page, app.keyOf(4), false)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByText('does not mine').waitFor()
    await page.locator('[data-status="ready"]').waitFor()
    expect(await page.locator('.tab').allTextContents()).toEqual(['Overview', 'Rewards', 'Wallet', 'More'])
    expect(await page.getByRole('button', { name: /min/i }).count()).toBe(0)
    expect(await violations(page)).toEqual([])
    for (const gone of ['/health', '/log', '/invite']) {
      await go(page, gone)
      await page.waitForURL(({ pathname }) => pathname === '/')
    }
    await go(page, '/more/policy')
    await page.waitForURL(({ pathname }) => pathname === '/more')
    expect(app.sessionsOf(4)).toEqual([])
    await served.stop()
  })
})
