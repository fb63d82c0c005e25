import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']

function browserPath(): string {
  const named = process.env.HAILSTONE_CHROMIUM
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const found = named ?? candidates.find((path) => existsSync(path))
  if (found === undefined)
    throw new Error('No Chromium was found; set HAILSTONE_CHROMIUM to the path of one.')
  return found
}

/** A real Chromium without its own background traffic. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: browserPath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
