export { type EngineName, engines, missingEngine, openEngine, type Walker } from './engines.ts'
export { findChromium, findHeadlessShell } from './find-chromium.ts'
export { type Spared, textFaults } from './text-faults.ts'

import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { findChromium, findHeadlessShell } from './find-chromium.ts'

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Ends a wait that hangs; says nothing about how fast a page is. */
const LIMIT_MS = 120_000

/**
 * Opens a real Chromium without its own background traffic. Whoever opened it closes it.
 *
 * @param more switches of Chromium that one test needs
 * @param executablePath Chromium to open; its headless shell if left out
 * @throws {Error} that says how to get one
 */
export async function openBrowser(
  more: readonly string[] = [],
  executablePath = findHeadlessShell(),
): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: [...quiet, ...more] })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    return prepared(await newContext(options))
  }
  const close = browser.close.bind(browser)
  browser.close = async (options) => {
    for (const context of browser.contexts()) await leaveRoutes(context)
    await close(options)
  }
  return browser
}

function prepared(context: BrowserContext): BrowserContext {
  context.setDefaultTimeout(LIMIT_MS)
  const close = context.close.bind(context)
  context.close = async (options) => {
    await leaveRoutes(context)
    await close(options)
  }
  return context
}

/** An answer that a test still reads when its page closes is the failure of no test. */
async function leaveRoutes(context: BrowserContext): Promise<void> {
  for (const routed of [context, ...context.pages()])
    await routed.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => undefined)
}

/**
 * Opens a browser that keeps its profile in `folder`, as that of a person does. Closing the context ends the browser
 * and leaves the files.
 *
 * @throws {Error} that says how to get one
 */
export async function openProfile(
  folder: string,
  options: Parameters<typeof chromium.launchPersistentContext>[1] = {},
): Promise<BrowserContext> {
  const given = { executablePath: findChromium(), args: quiet, ...options }
  return prepared(await chromium.launchPersistentContext(folder, given))
}
