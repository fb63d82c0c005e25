import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, walletFromPrivateKey } from '@hailstone/client'
import { type Amount, plainText } from '@hailstone/protocol'
import type { Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { appFolder } from '../tools/build-brand.ts'
import { settled } from './accessibility.ts'
import { begin, brandFolder, importAccount, plain, unlock, untilStatus, useApp } from './app-harness.ts'
import { carriers, payloads } from './hostile-texts.ts'

const app = useApp()

/** True if this value of an answer is replaced. */
type IsReplaced = (key: string, value: string) => boolean

/** Free texts: token names, tickers and payment notes. */
const isFree: IsReplaced = (key, value) =>
  ['ticker', 'caption', 'data'].includes(key) && !/^[0-9a-f]{64}$/.test(value)

function replaceTexts(value: unknown, isReplaced: IsReplaced, by: () => string): unknown {
  if (Array.isArray(value)) return value.map((one) => replaceTexts(one, isReplaced, by))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === 'string'
        ? isReplaced(key, inner)
          ? by()
          : inner
        : replaceTexts(inner, isReplaced, by),
    ]),
  )
}

/** From now on replaces texts in every answer of the network; `by` is called for each of them. */
async function poison(
  page: Page,
  { by, isReplaced }: { readonly by: () => string; readonly isReplaced: IsReplaced },
) {
  async function answerWith(route: Route): Promise<void> {
    const response = await route.fetch()
    const isJson = (response.headers()['content-type'] ?? '').includes('json')
    const text = isJson ? await response.text() : ''
    // The network answers some questions about what it does not have with an empty body.
    if (text === '') return route.fulfill({ response })
    const answer = replaceTexts(JSON.parse(text), isReplaced, by)
    return route.fulfill({ response, body: JSON.stringify(answer) })
  }

  await page.context().route(`${app.network.apiUrl}/**`, answerWith)
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

/** Sends a payment with a note. */
async function payWithNote(): Promise<string> {
  await using client = createClient({ apiUrl: app.network.apiUrl })
  const { hash } = await client.sendTransaction({
    wallet: walletFromPrivateKey(app.keyOf(2)),
    to: walletFromPrivateKey(app.keyOf(0)).address,
    amount: 10_000_000_000n as Amount,
    memo: 'a note',
  })
  await client.waitForTransaction({ hash })
  return hash
}

describe('S-9: hostile texts', () => {
  it('would be noticed if they did anything', async () => {
    const page = await app.open('about:blank')
    await page.evaluate((markup) => {
      document.body.innerHTML = markup
    }, payloads[0] ?? '')
    await expect.poll(() => isUnharmed(page)).toEqual({ hit: 0, foreign: 1 })
  })

  it('stay text, two hundred of them, in every field the chain lets strangers write', async () => {
    expect(new Set(payloads).size).toBe(200)
    await using folder = await brandWithoutTicker()
    const { hash, decimals } = plain.token
    const note = await payWithNote()
    const url = await app.serve({
      brandFolder: folder.path,
      flags: { ...plain, token: { hash, decimals, display: { fractionMax: 4 } } },
    })
    const page = await app.open(url)
    await importAccount(page, app.keyOf(0))
    await begin(page)
    await untilStatus(page, 'Mining')
    let some: readonly string[] = []
    await poison(page, { by: () => some.join(' '), isReplaced: isFree })
    const routes = ['/', '/wallet', '/wallet/send', '/rewards', '/invite', '/more/statistics', `/tx/${note}`]
    const AT_ONCE = 40
    for (let first = 0; first < payloads.length; first += AT_ONCE) {
      some = payloads.slice(first, first + AT_ONCE)
      await page.reload()
      await unlock(page)
      // Symbols are cut at 32 characters; notes are shown in full.
      const symbol = plainText(some.join(' ').slice(0, 32))
      await page.locator('.symbol', { hasText: symbol }).first().waitFor()
      for (const route of routes) {
        await settled(page, route)
        const shown = (await page.locator('body').textContent()) ?? ''
        expect(shown, route).toContain(symbol)
        if (route.startsWith('/tx/')) expect(some.filter((payload) => !shown.includes(payload))).toEqual([])
        expect(await isUnharmed(page), route).toEqual({ hit: null, foreign: 0 })
      }
    }
  })

  it('do nothing in fields that have a format either, where they are refused', async () => {
    const url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
    const page = await app.open(url)
    await importAccount(page, app.keyOf(3))
    await page.locator('[data-status="ready"]').waitFor()
    let turn = 0
    await poison(page, { by: () => payloads[turn++ % payloads.length] ?? '', isReplaced: () => true })
    const routes = [
      '/',
      '/wallet',
      '/rewards',
      '/invite',
      '/more/statistics',
      '/more/network',
      `/tx/${'a'.repeat(64)}`,
    ]
    while (turn < payloads.length) {
      await page.reload()
      for (const route of routes) {
        await settled(page, route)
        expect(await isUnharmed(page), route).toEqual({ hit: null, foreign: 0 })
      }
    }
  })

  it('stay text in links into the app', async () => {
    const page = await app.open(await app.preview({ brandFolder: brandFolder('jamr'), flags: plain }))
    await page.locator('[data-status="ready"]').waitFor()
    for (const payload of payloads.slice(0, carriers.length)) {
      const text = encodeURIComponent(payload)
      for (const path of [
        `/wallet/send?to=${text}&amount=${text}`,
        `/tx/${text}`,
        `/i/${text}`,
        `/rewards/${text}`,
      ]) {
        await settled(page, path)
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
        // A debugger may run this; nothing of it may persist.
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
    const [worker] = page.workers()
    const inWorker = await worker?.evaluate(() => fetch('http://127.0.0.1:9/').catch(({ name }) => name))
    expect(inWorker).toBe('TypeError')
    expect(await isUnharmed(page)).toEqual({ hit: null, foreign: 0 })
    // Expected reports: these violations were provoked.
    const reported = () => app.faults.filter((fault) => fault.startsWith('reported ')).toSorted()
    const at = (script: string) => `in ${url}${script}`
    await expect
      .poll(reported)
      .toEqual([
        `reported connect-src http://127.0.0.1:9/ ${at('')}`,
        `reported connect-src http://127.0.0.1:9/ ${at(new URL(worker?.url() ?? '').pathname.slice(1))}`,
        ...Array.from({ length: 3 }, () => `reported require-trusted-types-for trusted-types-sink ${at('')}`),
        `reported trusted-types trusted-types-policy ${at('')}`,
      ])
    await page.context().close()
    app.faults.splice(0)
  })
})
