import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startLocalNetwork } from '@hailstone/local-network'
import { errorExplanations } from '@hailstone/protocol/reference'
import { openBrowser } from '@hailstone/test-browser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withinMs } from '../../../scripts/strict-times.ts'
// @ts-expect-error -- a program without types
import * as links from '../check-links.mjs'
// @ts-expect-error -- a program without types
import * as server from '../serve.mjs'

const here = fileURLToPath(new URL('../', import.meta.url))
const deadLinks = links.deadLinks as (folder: string) => Promise<readonly string[]>
const serveSite = server.serveSite as () => Promise<{
  readonly url: string
  readonly close: () => Promise<void>
}>

let said = ''
let site: Awaited<ReturnType<typeof serveSite>>
let browser: Browser
beforeAll(async () => {
  // Everything else is built already when this runs; the tools are fetched the first time.
  const done = spawnSync(process.execPath, [join(here, 'build.mjs'), '--built'], { encoding: 'utf8' })
  said = `${done.stdout}${done.stderr}`
  expect(done.status, said).toBe(0)
  site = await serveSite()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

const built = (path: string): string => join(here, 'dist', path.slice(1), 'index.html')

describe('the build', () => {
  it('takes at most a minute', () => {
    const [, seconds = ''] = /built in ([\d.]+) s/.exec(said) ?? []
    console.log(`the site was built in ${seconds} s`)
    expect(Number(seconds)).toBeGreaterThan(0)
    expect(Number(seconds) * 1000).toBeLessThanOrEqual(withinMs(60_000))
  })

  it('has no dead link, and notices one', async () => {
    expect(await deadLinks(join(here, 'dist'))).toEqual([])
    const folder = mkdtempSync(join(tmpdir(), 'hailstone-links-'))
    const page =
      '<a href="/nowhere/">x</a><a href="#no">x</a><img src="https://elsewhere.example/x.png"><h2 id="yes">x</h2><a href="#yes">x</a>'
    writeFileSync(join(folder, 'index.html'), page)
    expect(await deadLinks(folder)).toHaveLength(3)
    rmSync(folder, { recursive: true })
  })

  it('has a page for every error code, with each cause and fix', () => {
    for (const [code, { causes }] of Object.entries(errorExplanations)) {
      const file = built(`/reference/errors/${code.toLowerCase()}/`)
      expect(existsSync(file), code).toBe(true)
      const text = readFileSync(file, 'utf8')
      expect(text.split('<tr>').length - 2, code).toBeGreaterThanOrEqual(causes.length)
    }
  })

  it('has an anchor for every section of the protocol', () => {
    const text = readFileSync(built('/protocol/2-transactions/'), 'utf8')
    for (const number of ['2.1', '2.7', '2.9']) expect(text).toContain(`id="${number}"`)
  })

  it('has a list for programs that read', () => {
    expect(readFileSync(join(here, 'dist/llms.txt'), 'utf8')).toMatch(
      /^# Hailstone\n\n> [\s\S]*\/tutorials\/first-reward\//,
    )
    expect(readFileSync(join(here, 'dist/llms-full.txt'), 'utf8')).toContain('# JOURNAL_BEHIND')
  })
})

describe('the site as it is served', () => {
  it('has a page for every folder that has pages, and one for what is missing', async () => {
    const folders = readdirSync(join(here, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((path) => basename(path) === 'index.html')
      .flatMap((path) => {
        const parts = dirname(path).split(sep)
        return parts.map((_, at) => `/${parts.slice(0, at + 1).join('/')}/`)
      })
    expect(new Set(folders).size).toBeGreaterThan(100)
    for (const path of new Set(folders)) {
      const answer = await fetch(site.url + path.replace(/^\/\.\/$/, '/'))
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
      ])
      await answer.body?.cancel()
    }
    const page = await browser.newPage()
    const answer = await page.goto(`${site.url}/tutorials/nope/`)
    expect([answer?.status(), answer?.headers()['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await page.locator('h1').textContent()).toBe('404')
    await page.goto(`${site.url}/tutorials/`)
    await page.locator('main').getByRole('link', { name: 'First reward', exact: true }).waitFor()
    await page.close()
  })
})

const paths = [
  '/',
  '/tutorials/first-reward/',
  '/tutorials/your-brand/',
  '/live/',
  '/reference/errors/',
  '/reference/errors/journal_behind/',
  '/reference/http/blocks/',
  '/reference/api/mining-node/',
  '/reference/brand-schema/',
  '/explanation/failure-modes/',
  '/protocol/2-transactions/',
] as const

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] }
    const { axe: engine } = globalThis as unknown as {
      readonly axe: { readonly run: () => Promise<{ readonly violations: readonly Violation[] }> }
    }
    const found = (await engine.run()).violations
    return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  })
}

describe.each([
  ['light', 1280],
  ['dark', 390],
] as const)('in %s mode at %s pixels', (colorScheme, width) => {
  it('no page asks anybody else, logs an error, is wider than the screen or breaks a rule of axe', async () => {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 844 } })
    const page = await context.newPage()
    const strangers: string[] = []
    const errors: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(site.url)) strangers.push(request.url())
    })
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    for (const path of paths) {
      await page.goto(site.url + path)
      expect(await violations(page), path).toEqual([])
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(excess, `${path} is too wide`).toBeLessThanOrEqual(0)
    }
    expect({ strangers, errors }).toEqual({ strangers: [], errors: [] })
    await context.close()
  })
})

it('is searched by keyboard alone, and finds "duplicate key"', async () => {
  const page = await browser.newPage()
  await page.goto(site.url)
  const field = page.locator('dialog input')
  // The field is made when the page is idle; a dialog that opens before has nothing to put the focus on.
  await field.waitFor({ state: 'attached' })
  await page.keyboard.press('Control+k')
  await field.waitFor()
  await page.keyboard.type('duplicate key')
  await page.locator('.pagefind-ui__result-link').first().waitFor()
  const results = await page.locator('.pagefind-ui__result-link').allTextContents()
  expect(results.length).toBeGreaterThan(1)
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'hidden' })
  await page.close()
})

it('the first stop of the keyboard leads to the content', async () => {
  const page = await browser.newPage()
  await page.goto(`${site.url}/tutorials/first-reward/`)
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Skip to content')
  await page.keyboard.press('Enter')
  expect(new URL(page.url()).hash).toBe('#_top')
  await page.close()
})

describe('the live miner', () => {
  it('does nothing before its button is pressed, and then earns', async () => {
    await using network = await startLocalNetwork({ seed: 'live', blockTimeMs: 800 })
    const page = await browser.newPage()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(`${site.url}/live/`)
    await page.getByLabel('API').fill(network.apiUrl)
    await page.getByLabel('Gateway').fill(network.gatewayUrl)
    expect(requests.filter((url) => !url.startsWith(site.url))).toEqual([])
    await page.getByLabel('Gateway').press('Enter')
    await page.locator('#live-lines .reward').first().waitFor()
    expect(await page.locator('#live-lines .reward').first().textContent()).toMatch(
      /^Earned [\d.]+ DEV in block \d+\.$/,
    )
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Mine' }).waitFor()
    await page.close()
  })

  it('says what to do when no network runs', async () => {
    const page = await browser.newPage()
    await page.goto(`${site.url}/live/`)
    await page.getByLabel('API').fill('http://127.0.0.1:9/api/v1')
    await page.getByRole('button', { name: 'Mine' }).click()
    await page.getByText('No reward yet. Is a network running?').waitFor()
    await page.close()
  })
})
