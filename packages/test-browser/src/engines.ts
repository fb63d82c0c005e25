// One scenario in three browser engines, over the few verbs that all their drivers have.
import { existsSync } from 'node:fs'
import { chromium, firefox, type Page } from 'playwright-core'
import { findChromium } from './find-chromium.ts'
import { brake, descendantsOf } from './process-tree.ts'
import { startWebKit } from './webkit-driver.ts'

/** Verbs of a walk through a page. All of them wait for what they need, at most two minutes. */
export type Walker = {
  /** Opens an address in the present tab. */
  readonly open: (url: string) => Promise<void>
  /** Presses the button, link or checkbox of this name. */
  readonly press: (name: string) => Promise<void>
  /** Replaces the text of the field with this label. */
  readonly fill: (label: string, text: string) => Promise<void>
  /** Returns the visible text of the page. */
  readonly read: () => Promise<string>
  /** Waits until the visible text has these words, or for their absence. */
  readonly until: (words: string, isThere?: boolean) => Promise<void>
  /** Opens another tab and goes there. */
  readonly tab: (url: string) => Promise<void>
  /** Closes the first tab and goes to the one that is left. */
  readonly closeFirst: () => Promise<void>
  /** Goes to the first tab. */
  readonly first: () => Promise<void>
  /** Runs an expression in the page. */
  readonly evaluate: (expression: string) => Promise<unknown>
  /** Stops all processes of the browser for some time, in ms. */
  readonly freeze: (ms: number) => Promise<void>
  readonly end: () => Promise<void>
}

export const engines = ['chromium', 'firefox', 'webkit'] as const
export type EngineName = (typeof engines)[number]

const WAIT_MS = 120_000
const FIREFOX = '/usr/bin/firefox-esr'

/** Returns the reason why an engine cannot be opened here, or null. */
export function missingEngine(engine: EngineName): string | null {
  if (engine === 'firefox' && !existsSync(FIREFOX)) return 'firefox-esr of Debian is not installed'
  if (engine === 'webkit' && !existsSync('/usr/bin/WebKitWebDriver'))
    return 'webkit2gtk-driver of Debian is not installed'
  if (engine === 'webkit' && !existsSync('/usr/bin/Xvfb')) return 'xvfb of Debian is not installed'
  return null
}

/** A walker without what is done to its processes. */
type BareWalker = Omit<Walker, 'freeze'>

/**
 * Opens an engine with an empty profile and the window of a phone.
 *
 * @param slowdown so many times slower than the machine. @default 1
 */
export async function openEngine(
  engine: EngineName,
  { slowdown = 1 }: { readonly slowdown?: number | undefined } = {},
): Promise<Walker> {
  const others = new Set(descendantsOf(process.pid))
  const walker = await (engine === 'webkit' ? openWebKit() : openPlaywright(engine))
  const own = descendantsOf(process.pid).filter((id) => !others.has(id))
  const started = brake(() => [...new Set(own.flatMap((id) => [id, ...descendantsOf(id)]))], slowdown)
  const end = async (): Promise<void> => {
    started.release()
    await walker.end()
  }
  return { ...walker, freeze: started.freeze, end }
}

async function openPlaywright(engine: 'chromium' | 'firefox'): Promise<BareWalker> {
  const browser =
    engine === 'chromium'
      ? await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] })
      : await firefox.launch({ channel: 'moz-firefox', executablePath: FIREFOX })
  const context = await browser.newContext({ viewport: { width: 390, height: 800 }, locale: 'en-US' })
  context.setDefaultTimeout(WAIT_MS)
  let page: Page = await context.newPage()
  const pages = [page]
  // biome-ignore lint/performance/useDomNodeTextContent: what a person sees, without what is hidden
  const read = (): Promise<string> => page.locator('body').innerText()
  return {
    open: async (url) => void (await page.goto(url)),
    press: async (name) => {
      const named = { name, exact: true }
      await page
        .getByRole('button', named)
        .or(page.getByRole('link', named))
        .or(page.getByLabel(name, { exact: true }))
        .or(page.getByRole('checkbox', { name }))
        .first()
        .click()
    },
    fill: (label, text) => page.getByLabel(label, { exact: true }).fill(text),
    read,
    until: (words, isThere = true) => untilText(read, words, isThere),
    tab: async (url) => {
      page = await context.newPage()
      pages.push(page)
      await page.bringToFront()
      await page.goto(url)
    },
    closeFirst: async () => {
      await pages.shift()?.close()
      page = pages[0] as Page
    },
    first: async () => {
      page = pages[0] as Page
      await page.bringToFront()
    },
    evaluate: (expression) => page.evaluate(expression),
    end: () => browser.close(),
  }
}

const FIND = `
const seen = (element) => element.getClientRects().length > 0
const nameOf = (element) =>
  (element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.innerText ?? '').trim()
const named = (selector, name) =>
  [...document.querySelectorAll(selector)].find((element) => seen(element) && nameOf(element) === name) ?? null
`

async function openWebKit(): Promise<BareWalker> {
  const driver = await startWebKit()
  const script = (body: string, ...given: unknown[]): Promise<unknown> => driver.execute(FIND + body, given)
  const read = async (): Promise<string> => String(await script('return document.body.innerText'))

  /** Waits for an element and returns its reference. */
  async function find(selector: string, name: string): Promise<unknown> {
    const endsAt = Date.now() + WAIT_MS
    for (;;) {
      const found = await script('return named(arguments[0], arguments[1])', selector, name)
      if (found !== null) return found
      if (Date.now() > endsAt) throw new Error(`There is no "${name}". The page shows:\n${await read()}`)
      await pause()
    }
  }

  return {
    open: driver.open,
    press: async (name) =>
      driver.click(await find('button:not(:disabled), a, input[type=checkbox], select', name)),
    fill: async (label, text) => {
      const field = await find('input, textarea, select', label)
      await driver.clear(field)
      await driver.type(field, text)
    },
    read,
    until: (words, isThere = true) => untilText(read, words, isThere),
    tab: driver.openTab,
    closeFirst: driver.closeFirstTab,
    first: driver.goToFirstTab,
    evaluate: (expression) => script(`return ${expression}`),
    end: driver.end,
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150))

async function untilText(read: () => Promise<string>, words: string, isThere: boolean): Promise<void> {
  const endsAt = Date.now() + WAIT_MS
  for (;;) {
    const text = await read()
    if (text.includes(words) === isThere) return
    if (Date.now() > endsAt)
      throw new Error(
        `The page ${isThere ? 'never showed' : 'went on showing'} "${words}". It shows:\n${text}`,
      )
    await pause()
  }
}
