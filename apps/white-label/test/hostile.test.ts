import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { appFolder } from '../tools/build-brand.ts'
import {
  type AppHarness,
  begin,
  brandFolder,
  expectNoFaults,
  go,
  importAccount,
  plain,
  startApp,
  untilStatus,
} from './app-harness.ts'

let app: AppHarness
const keyOf = (index: number): string => app.network.accounts.developers[index]?.privateKey ?? ''

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app?.[Symbol.asyncDispose]())
afterEach(async () => {
  await app.closeDevices()
  expectNoFaults(app)
})

const carriers = [
  '<img src=x onerror="HIT">',
  '<svg onload="HIT">',
  '<script>HIT</script>',
  '"><iframe srcdoc="<script>parent.HIT</script>">',
  '<a href="javascript:HIT">x</a>',
  'javascript:HIT',
  '<details open ontoggle="HIT">',
  "'-HIT-'",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is meant as it stands
  '${HIT}',
  '{{constructor.constructor("HIT")()}}',
  '<style>@import "http://evil.example/x"</style>',
  '<form action="javascript:HIT"><input autofocus onfocus="HIT">',
  '<math><mtext></form><form><mglyph><style></math><img src onerror="HIT">',
  '<base href="http://evil.example/">',
  '<meta http-equiv=refresh content="0;url=http://evil.example/">',
  '\u202e<img src=x onerror="HIT">',
  '</title><script>HIT</script>',
  '<object data="javascript:HIT">',
  '<video><source onerror="HIT">',
  '&lt;img src=x onerror=HIT&gt;',
]
const wrappers = [
  (one: string) => one,
  (one: string) => one.toUpperCase().replaceAll('HIT', 'hit'),
  (one: string) => `DEV${one}`,
  (one: string) => `${one}\n${one}`,
  (one: string) => one.replaceAll('<', '<\t'),
  (one: string) => `]]>${one}`,
  (one: string) => `<!--${one}-->`,
  (one: string) => `\u0000${one}`,
  (one: string) => `"'>${one}`,
  (one: string) => `${one.repeat(4)}`,
  (one: string) => `\ufeff ${one}`,
]
/** So many stand in one field. */
const AT_ONCE = 5
/** Two hundred texts that would run something in a page that takes them for more than text. */
const payloads = [
  ...new Set(
    wrappers.flatMap((wrap) =>
      carriers.map((carrier, index) => wrap(carrier).replaceAll('HIT', `globalThis.hit=${index}`)),
    ),
  ),
].slice(0, 200)

/** Every text the chain lets strangers write: names and tickers of tokens, notes and kinds of payments. */
const strangersKeys = new Set(['ticker', 'name', 'caption', 'data', 'owner_name', 'label'])

/** Puts payloads into every such field of every answer, and counts them. */
async function poison(page: Page, used: Set<string>): Promise<void> {
  let turn = 0
  const next = (): string => {
    const some = Array.from(
      { length: AT_ONCE },
      (_, index) => payloads[(turn + index) % payloads.length] ?? '',
    )
    turn += AT_ONCE
    for (const payload of some) used.add(payload)
    return some.join(' ')
  }
  const poisoned = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(poisoned)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        strangersKeys.has(key) && typeof inner === 'string' ? next() : poisoned(inner),
      ]),
    )
  }
  await page.context().route(`${app.network.apiUrl}/**`, async (route) => {
    const answer = await route.fetch()
    const text = await answer.text()
    const isJson = (answer.headers()['content-type'] ?? '').includes('json')
    await route.fulfill({
      response: answer,
      body: isJson ? JSON.stringify(poisoned(JSON.parse(text))) : text,
    })
  })
}

const isUnharmed = (page: Page): Promise<unknown> =>
  page.evaluate(() => {
    const foreign = document.querySelectorAll(
      'main script, iframe, object, embed, base, style:not([data-own]), [onerror], [onload], [onfocus], [ontoggle], a[href^="javascript:"], img[src="x"]',
    )
    return { hit: (globalThis as { hit?: unknown }).hit ?? null, foreign: foreign.length }
  })

/** An example brand that takes the ticker from the chain, as most do. */
async function brandWithoutTicker(): Promise<AsyncDisposable & { readonly path: string }> {
  const above = await mkdtemp(join(appFolder(), 'node_modules', '.hostile-'))
  const path = join(above, 'jamr')
  await cp(brandFolder('jamr'), path, { recursive: true })
  const source = await readFile(join(path, 'brand.ts'), 'utf8')
  await writeFile(join(path, 'brand.ts'), source.replaceAll(/^ *ticker: .*\n/gm, ''))
  return { path, [Symbol.asyncDispose]: () => rm(above, { recursive: true }) }
}

describe('hostile texts', () => {
  it('stay text, two hundred of them, wherever the chain lets strangers write', async () => {
    await using folder = await brandWithoutTicker()
    const { hash, decimals } = plain.token
    const url = await app.serve({
      brandFolder: folder.path,
      flags: { ...plain, token: { hash, decimals, display: { fractionMax: 4 } } },
    })
    const page = await app.open(url)
    await importAccount(page, keyOf(0))
    await begin(page)
    await untilStatus(page, 'Mining')
    await page.locator('.facts-inline').first().waitFor()
    const used = new Set<string>()
    await poison(page, used)
    const routes = [
      '/',
      '/wallet',
      '/rewards',
      '/more/statistics',
      '/invite',
      '/log',
      '/wallet/send',
      '/health',
    ]
    const places: string[] = []
    for (let round = 0; used.size < payloads.length && round < 40; round++) {
      for (const route of routes) {
        await go(page, route)
        await page.locator('main h1').waitFor()
        if ((await page.locator('body').innerText()).includes('globalThis.hit')) places.push(route)
      }
      if (round % 4 === 0) await page.reload()
      expect(await isUnharmed(page)).toEqual({ hit: null, foreign: 0 })
    }
    expect(await isUnharmed(page)).toEqual({ hit: null, foreign: 0 })
    expect(used.size).toBe(200)
    // They were on the screen, as text.
    expect([...new Set(places)]).toEqual(expect.arrayContaining(['/', '/wallet', '/rewards']))
  })

  it('stay text in links into the app', async () => {
    const url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
    const page = await app.open(url)
    await importAccount(page, keyOf(1))
    await page.locator('[data-status="ready"]').waitFor()
    for (const payload of payloads.slice(0, carriers.length)) {
      const text = encodeURIComponent(payload)
      for (const path of [
        `/wallet/send?to=${text}&amount=${text}`,
        `/tx/${text}`,
        `/i/${text}`,
        `/rewards/${text}`,
      ]) {
        await go(page, path)
        await page.locator('main').waitFor()
        expect(await isUnharmed(page), path).toEqual({ hit: null, foreign: 0 })
      }
    }
  })

  it('of a brand are shown as they are, or refused before anything is built', async () => {
    const tagline = '<img src=x onerror="globalThis.hit=1">'
    const publisher = '</title><script>globalThis.hit=1</script>'
    const asked = app.serve({
      brandFolder: brandFolder('jamr'),
      flags: { ...plain, app: { tagline, publisher } },
    })
    const url = await asked.catch((error: unknown) => String(error))
    if (!url.startsWith('http')) {
      expect(url).toMatch(/app\.(tagline|publisher)/)
      return
    }
    const page = await app.open(url)
    await page.getByText(tagline).waitFor()
    expect(await isUnharmed(page)).toEqual({ hit: null, foreign: 0 })
  })

  it('and scripts of strangers are refused by the policy of the page itself', async () => {
    const url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
    const policy = (await fetch(url)).headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`connect-src 'self' ${new URL(app.network.apiUrl).origin}`)
    expect(policy).not.toMatch(/unsafe|\*/)
    const page = await app.open(url)
    await page.getByRole('checkbox').waitFor()
    const tried = await page.evaluate(async () => {
      const outcome = async (work: () => unknown): Promise<string> => {
        try {
          await work()
          return 'allowed'
        } catch (error) {
          return error instanceof Error ? error.name : 'refused'
        }
      }
      const inline = document.createElement('script')
      return {
        markup: await outcome(() => {
          document.body.innerHTML = '<p>hello</p>'
        }),
        text: await outcome(() => {
          inline.textContent = 'globalThis.hit=1'
        }),
        // What a debugger starts may do this; what it leaves behind may not.
        code: await outcome(async () => {
          await new Promise((resolve) => setTimeout(resolve))
          return new Function('return 1')()
        }),
        stranger: await outcome(() => fetch('http://127.0.0.1:9/')),
        policy: await outcome(() => {
          const { trustedTypes } = globalThis as unknown as {
            readonly trustedTypes: { readonly createPolicy: (name: string, rules: object) => unknown }
          }
          trustedTypes.createPolicy('another', {})
        }),
      }
    })
    expect(tried).toEqual({
      markup: 'TypeError',
      text: 'TypeError',
      code: 'EvalError',
      stranger: 'TypeError',
      policy: 'TypeError',
    })
    expect(await isUnharmed(page)).toEqual({ hit: null, foreign: 0 })
    // These were tried on purpose.
    expect(app.faults.splice(0).length).toBeGreaterThanOrEqual(4)
  })
})
