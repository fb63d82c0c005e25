// The browser test needs a Chromium. It is looked for, then installed where the system can do it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { step } from './bootstrap.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const macBrowser = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** Path of a Chromium, or null. `HAILSTONE_CHROMIUM` names one outright. */
export function findBrowser() {
  const named = process.env.HAILSTONE_CHROMIUM
  if (named !== undefined) return existsSync(named) ? named : null
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), macBrowser]
  return candidates.find((path) => existsSync(path)) ?? null
}

const canInstall = () =>
  process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

const aptGet = (...parameters) =>
  spawnSync('apt-get', ['-qq', ...parameters], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })

/** The engines beside Chromium, for the walk in three of them. Where they cannot be installed, it is left out by name. */
export function ensureEngines() {
  const isThere = ['firefox-esr', 'WebKitWebDriver', 'Xvfb'].every((name) =>
    existsSync(join('/usr/bin', name)),
  )
  if (isThere || !canInstall()) return
  step('installing Firefox ESR and WebKitGTK for the walk in three engines (only the first time)', () => {
    aptGet('update')
    aptGet('install', '-y', '--no-install-recommends', 'firefox-esr', 'webkit2gtk-driver', 'xvfb')
  })
}

/** Makes sure that a Chromium is there, or ends with a sentence that says how to get one. */
export function ensureBrowser() {
  if (findBrowser() !== null) return
  let problem = ''
  if (canInstall()) {
    step('installing Chromium for the browser test (only the first time)', () => {
      aptGet('update')
      problem = aptGet('install', '-y', '--no-install-recommends', 'chromium').stderr ?? ''
    })
  }
  if (findBrowser() !== null) return
  process.stderr.write(
    `\nThe browser test needs Chromium, and none was found.${problem === '' ? '' : `\n${problem}`}\n` +
      'Install it (Debian, Ubuntu: apt-get install chromium) or set HAILSTONE_CHROMIUM to the path of one.\n',
  )
  process.exit(1)
}
