// From an empty wallet to the first reward, by what is on the screen alone: every example brand, the brands that the
// commands make, and the templates with a page. One network and one browser for all of them.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ZERO_TOKEN_ID } from '@hailstone/protocol'
import type { Locator, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, describe, expect, it } from 'vitest'
import { serveFiles } from '../tools/serve-files.ts'
import { brandFolder, useApp } from './app-harness.ts'
import { runBrand } from './brand-command.ts'

const BLOCK_TIME_MS = 2_000
/** Time of the chain from the open page to the first reward. */
const WITHIN_MS = 60_000

const app = useApp({
  network: { blockTimeMs: BLOCK_TIME_MS, nativeTokenId: ZERO_TOKEN_ID, faucetWaitMs: 10_000 },
})
const made = mkdtempSync(join(tmpdir(), 'hailstone-first-'))
afterAll(() => rmSync(made, { recursive: true, force: true }))

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
type Texts = { readonly [key: string]: string | Texts }

/** Texts by key; a brand writes them in nested objects. */
const flat = (texts: Texts, above = ''): readonly (readonly [key: string, text: string])[] =>
  Object.entries(texts).flatMap(([name, text]) =>
    typeof text === 'string' ? [[above + name, text] as const] : flat(text, `${above}${name}.`),
  )

const dictionary = (path: string): Readonly<Record<string, string>> =>
  existsSync(path) ? Object.fromEntries(flat(JSON.parse(readFileSync(path, 'utf8')))) : {}

/** Names of buttons and fields as the app of a brand shows them in a language. */
function wordsIn(language: string, folder: string) {
  const places = [file('../src/i18n/later'), file('../src/i18n'), join(folder, 'i18n')]
  const texts: Readonly<Record<string, string>> = Object.assign(
    {},
    ...places.map((place) => dictionary(join(place, `${language}.json`))),
  )
  return (key: string, values: Readonly<Record<string, string>> = {}): string => {
    const text = texts[key]
    if (text === undefined) throw new Error(`${language} has no text ${key}`)
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
  }
}

/** Fails when the first reward takes longer than a minute of the chain's time. */
async function inTime(walk: () => Promise<void>): Promise<void> {
  const before = app.network.height()
  await walk()
  expect((app.network.height() - before) * BLOCK_TIME_MS).toBeLessThanOrEqual(WITHIN_MS)
}

/** Answers the questions about three of the words, which the screen showed before. */
async function answerQuiz(page: Page, words: readonly string[]): Promise<void> {
  for (const field of await page.getByRole('textbox').all()) {
    const label = await field.evaluate((input: HTMLInputElement) => input.labels?.[0]?.textContent ?? '')
    // Arabic and Persian write their own digits.
    const digits = label.replaceAll(/\p{Nd}/gu, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
    await field.fill(words[Number(/\d+/.exec(digits)?.[0]) - 1] ?? '')
  }
}

const either = async (one: Locator, other: Locator): Promise<boolean> => {
  await one.or(other).first().waitFor()
  return one.isVisible()
}

/** Walks through the app of a brand; every step presses or fills what a person sees. */
async function walkApp(page: Page, words: ReturnType<typeof wordsIn>): Promise<void> {
  const button = (key: string, values?: Readonly<Record<string, string>>): Locator =>
    page.getByRole('button', { name: words(key, values), exact: true })
  await button('welcome.create').waitFor()
  // A brand without terms asks for no consent.
  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await button('welcome.create').click()
  const passphrase = page.getByLabel(words('lock.passphrase'), { exact: true })
  const age = button('consent.age', { age: '16' })
  if (await either(age, passphrase)) await age.click()
  await passphrase.fill('seven drops of rain')
  await page.getByLabel(words('lock.again'), { exact: true }).fill('seven drops of rain')
  await button('lock.set').click()
  await button('backup.show').click()
  const shown = await page.locator('.words li').allInnerTexts()
  await button('backup.written').click()
  await page.getByRole('heading', { name: words('backup.quizTitle') }).waitFor()
  await answerQuiz(
    page,
    shown.map((word) => word.replaceAll(/[^a-z]/g, '')),
  )
  await button('backup.quizCheck').click()
  const start = button('mine.start')
  const skip = button('agent.skip')
  const isBegun = button('mine.stop')
  if (await either(skip, start.or(isBegun))) await skip.click()
  if (await either(start, isBegun)) await start.click()
  await button('faucet.ask').first().click()
  await page.getByRole('region', { name: words('rewards.first.title') }).waitFor()
}

/** Settings that depend on the hour and the device; those of the network are given as with `--api` and `--gateway`. */
const flags = () => ({
  network: { preset: 'devnet', api: app.network.apiUrl, poa: [app.network.gatewayUrl] },
  mining: { wifiOnly: false, chargingOnly: false, minBattery: 0, quietHours: null },
})

async function mines(folder: string, language: string): Promise<void> {
  const url = await app.serve({ brandFolder: folder, flags: flags() })
  const page = await app.open(url, { locale: language, reducedMotion: 'reduce' })
  await inTime(() => walkApp(page, wordsIn(language, folder)))
  if (process.env.HAILSTONE_PICTURES !== undefined)
    await page.screenshot({ path: join(process.env.HAILSTONE_PICTURES, `first-${Date.now()}.png`) })
}

describe('from an empty wallet to the first reward', () => {
  const examples = readdirSync(file('../brands'))
  const languages: Readonly<Record<string, string>> = { jamr: 'ar', tidewater: 'en', verbena: 'es' }

  it.each(examples)('the example brand %s', (name) => mines(brandFolder(name), languages[name] ?? 'en'))

  it('the brand that README makes', async () => {
    const token = app.network.tokens.mineable.id
    const words = ['--name', 'Kelp Mining', '--id', 'kelp', '--primary', '#1d7a46']
    const { code, said } = await runBrand([
      ...['new', '--dir', made, ...words],
      ...['--network', 'devnet', '--token', token],
    ])
    expect([code, said]).toStrictEqual([0, expect.any(String)])
    await mines(join(made, 'kelp'), 'en')
  })

  /** Makes a project as `npm create hailstone` does, with the packages of this repository. */
  function create(name: string, template: string, ...more: readonly string[]): string {
    const bin = file('../../../packages/create-hailstone/dist/bin.js')
    const words = [bin, name, '--template', template, '--no-install', '--no-git', '--yes', ...more]
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: made, encoding: 'utf8' })
    expect([status, stderr]).toStrictEqual([0, ''])
    return join(made, name)
  }

  it('the template brand', async () => {
    const folder = create('acme', 'brand', '--name', 'Acme', '--token', app.network.tokens.mineable.id)
    await mines(folder, 'en')
  })

  /** Makes, builds and serves a template that has a page. */
  async function serveTemplate(template: string, name = template) {
    const root = create(name, template)
    symlinkSync(
      file(`../../../packages/create-hailstone/templates/${template}/node_modules`),
      join(root, 'node_modules'),
    )
    process.env.VITE_HAILSTONE_API = app.network.apiUrl
    process.env.VITE_HAILSTONE_GATEWAY = app.network.gatewayUrl
    await build({ root, logLevel: 'warn' })
    const out = join(root, 'dist')
    const paths = readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    const files = new Map(paths.map((path) => [path.slice(out.length + 1), readFileSync(path)]))
    return serveFiles(() => files)
  }

  it.each(['react', 'page'])('the template %s', async (template) => {
    const served = await serveTemplate(template)
    try {
      const page = await app.open(served.url)
      await inTime(async () => {
        await page.getByRole('button', { name: 'Start mining' }).click()
        await page.getByRole('listitem').first().waitFor()
      })
    } finally {
      await served.stop()
    }
  })

  it.each(['react', 'page'])(
    'the template %s starts without a faucet, and says why it waits',
    async (template) => {
      const served = await serveTemplate(template, `${template}-without-coins`)
      app.network.faults.set({
        seed: 'no faucet',
        rules: [{ on: 'api', match: { path: '/faucet' }, fault: { status: { code: 503 } } }],
      })
      try {
        const page = await app.open(served.url)
        await page.getByRole('button', { name: 'Start mining' }).click()
        await page.getByRole('button', { name: 'Stop mining' }).waitFor()
        await page.getByRole('alert').filter({ hasText: 'faucet' }).waitFor()
        await page.getByRole('status').filter({ hasText: 'holding back' }).waitFor()
        // As after the back button, when the browser had kept the page with its closed node.
        if (template !== 'react') return
        await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
        await page.getByRole('button', { name: 'Start mining' }).waitFor()
      } finally {
        app.network.faults.clear()
        await served.stop()
      }
    },
  )
})
