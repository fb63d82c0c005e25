export { findChromium } from './find-chromium.ts'

import { type Browser, chromium } from 'playwright-core'
import { findChromium } from './find-chromium.ts'

/**
 * A real Chromium without its own background traffic. Whoever opened it closes it.
 *
 * @param more switches of Chromium that one test needs
 * @throws {Error} that says how to get one
 */
export const openBrowser = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  })
