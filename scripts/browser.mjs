// Tests of pages need a Chromium. It is looked for, then installed where the system can do it. Most tests take its headless
// shell, which needs a third less processor; those of profiles, of installing an app and of packages take the whole one.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { step } from './bootstrap.mjs'

const wholeNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const shellNames = ['chromium-headless-shell', 'chrome-headless-shell']
const macBrowser = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

function find(names) {
  const named = process.env.HAILSTONE_CHROMIUM
  if (named !== undefined) return existsSync(named) ? named : null
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), macBrowser]
  return candidates.find((path) => existsSync(path)) ?? null
}

/** Path of a whole Chromium, or null. `HAILSTONE_CHROMIUM` names one outright. */
export const findBrowser = () => find(wholeNames)

const findShell = () => find(shellNames)

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

function install(name) {
  let problem = ''
  step(`installing ${name} for the tests in a browser (only the first time)`, () => {
    aptGet('update')
    problem = aptGet('install', '-y', '--no-install-recommends', name).stderr ?? ''
  })
  return problem
}

/** Ends the process with a sentence that says how to get a Chromium. */
function endWithout(problem) {
  process.stderr.write(
    `\nThe browser test needs Chromium, and none was found.${problem === '' ? '' : `\n${problem}`}\n` +
      'Install it (Debian, Ubuntu: apt-get install chromium) or set HAILSTONE_CHROMIUM to the path of one.\n',
  )
  process.exit(1)
}

/** Makes sure that a whole Chromium is there, or ends with a sentence that says how to get one. */
export function ensureBrowser() {
  if (findBrowser() !== null) return
  const problem = canInstall() ? install('chromium') : ''
  if (findBrowser() === null) endWithout(problem)
}

/** Makes sure that the headless shell is there. Where the system has none, or cannot install it, a whole Chromium is enough. */
export function ensureHeadlessShell() {
  if (findShell() !== null) return
  if (canInstall()) install('chromium-headless-shell')
  if (findShell() === null) ensureBrowser()
}
