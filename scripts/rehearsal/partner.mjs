// A partner's folder, made with the command that npx finds: installed, checked, seen in a browser, built, compared.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from '../../apps/demo/bootstrap.mjs'
import { ensureBrowser, findBrowser } from '../../apps/demo/browser.mjs'
import { assertQuiet, emptyFolder, finish, follow, newUser, npm, npx, timed } from './new-user.mjs'

const COLOUR = '#3a6ea5'
/** The token of a local network that can be mined. */
const TOKEN = '50d6c2306b75696a2edb55a85a6356bd3f43112f76b6fbc0d5c1cd476a2a4040'
/** Times are printed; they fail the rehearsal only where the machine does nothing else. */
const isStrict = process.env.HAILSTONE_STRICT_TIMES === '1'
const COLOUR_WITHIN_MS = 90_000
const BUILD_WITHIN_MS = 10_000

const pnpm = join(root, 'node_modules', '.bin', 'pnpm')
const managers = {
  npm: { install: [npm, 'install', '--no-audit', '--no-fund', '--loglevel', 'warn'], run: [npx] },
  pnpm: { install: [pnpm, 'install'], run: [pnpm, 'exec'] },
}

/** Opens the page for partners and reads the colour of the app on its first phone. */
async function colourOn(url) {
  const { chromium } = createRequire(join(root, 'packages/test-browser/package.json'))('playwright-core')
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1500, height: 1000 } })
    await page.goto(url)
    const phone = page.frameLocator('iframe').first()
    await phone.locator('.setup .actions').waitFor()
    const picture = process.env.HAILSTONE_PICTURES
    if (picture !== undefined) await page.screenshot({ path: join(picture, 'partner.png') })
    return await phone
      .locator(':root')
      .evaluate((element) => getComputedStyle(element).getPropertyValue('--color-primary').trim())
  } finally {
    await browser.close()
  }
}

async function partner(name, { port, apiUrl, gatewayUrl }) {
  const manager = managers[name]
  const env = newUser(port)
  const folder = emptyFolder()
  const startedAt = performance.now()
  const answers = ['--name', 'Acme Mining', '--token', TOKEN, '--primary', COLOUR, '--network', 'devnet']
  const network = ['--api', apiUrl, '--gateway', gatewayUrl]
  await finish(npx, ['--yes', 'hailstone-brand', 'new', ...answers, ...network], { cwd: folder, env })
  const at = { cwd: join(folder, 'acme-mining'), env }
  const { dependencies } = JSON.parse(readFileSync(join(at.cwd, 'package.json'), 'utf8'))
  if (Object.keys(dependencies).join() !== '@hailstone/white-label') throw new Error('another dependency')
  const [install, ...words] = manager.install
  assertQuiet(await finish(install, words, at))

  const [run, ...before] = manager.run
  const call = (...rest) => [run, [...before, 'hailstone-brand', ...rest], at]
  const preview = follow(...call('preview'))
  const line = await preview.line((one) => one.includes('http://'))
  const colour = await colourOn(/http:\S+/.exec(line)[0])
  if (colour !== COLOUR) throw new Error(`the app is ${colour}, not ${COLOUR}`)
  const shownMs = performance.now() - startedAt
  await preview.end()
  if (isStrict && shownMs > COLOUR_WITHIN_MS)
    throw new Error(`the own colours came after ${Math.round(shownMs)} ms`)

  await finish(...call('check', '--online'))
  const builtAt = performance.now()
  await finish(...call('build', '--host', 'nginx'))
  const buildMs = performance.now() - builtAt
  if (isStrict && buildMs > BUILD_WITHIN_MS) throw new Error(`the build took ${Math.round(buildMs)} ms`)
  if (!existsSync(join(at.cwd, 'deploy', 'nginx.conf'))) throw new Error('there is nothing for the host')
  await finish(...call('build', '--verify', 'dist'))
  const seconds = (ms) => (ms / 1000).toFixed(1)
  return `own colours after ${seconds(shownMs)} s, build ${seconds(buildMs)} s`
}

/** Does what a partner does, with each package manager, against a network of this machine. */
export async function rehearsePartner(given) {
  ensureBrowser()
  for (const name of Object.keys(managers))
    await timed(`a partner's folder, with ${name}`, () => partner(name, given))
}
