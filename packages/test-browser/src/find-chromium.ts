import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const macBrowser = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/**
 * Path of an installed Chromium; `HAILSTONE_CHROMIUM` names one outright.
 *
 * @throws {Error} that says how to get one: what runs in browsers is not left untested in silence
 */
export function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const named = process.env.HAILSTONE_CHROMIUM
  const candidates = named
    ? [named]
    : [...names.flatMap((name) => folders.map((folder) => join(folder, name))), macBrowser]
  const found = candidates.find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new Error('This test needs Chromium. Install it, or set HAILSTONE_CHROMIUM to the path of one.')
}
