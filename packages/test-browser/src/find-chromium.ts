import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const wholeNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const shellNames = ['chromium-headless-shell', 'chrome-headless-shell']
const macBrowser = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

function find(names: readonly string[]): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const named = process.env.HAILSTONE_CHROMIUM
  const candidates = named
    ? [named]
    : [...names.flatMap((name) => folders.map((folder) => join(folder, name))), macBrowser]
  const found = candidates.find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new Error('This test needs Chromium. Install it, or set HAILSTONE_CHROMIUM to the path of one.')
}

/**
 * Returns the path of an installed Chromium with its windows, menus and profiles; `HAILSTONE_CHROMIUM` names one outright.
 *
 * @throws {Error} that says how to get one: tests of pages are not left out in silence
 */
export const findChromium = (): string => find(wholeNames)

/**
 * Returns the path of Chromium's headless shell: the same engine without the program around it, for a third less
 * processor. Falls back to the whole Chromium.
 *
 * @throws {Error} that says how to get one
 */
export const findHeadlessShell = (): string => find([...shellNames, ...wholeNames])
