// A partner's folder, made by `npm create hailstone` or by the command that npx finds: installed, checked, seen in a browser, built, compared.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from '../bootstrap.mjs'
import { ensureBrowser, findBrowser } from '../browser.mjs'
import { published } from './commands.mjs'
import { assertQuiet, emptyFolder, finish, follow, newUser, npx, timed } from './new-user.mjs'
import { promote, publishNext, update } from './partner-later.mjs'

/** Times are printed; they fail the rehearsal only where the machine does nothing else. */
const isStrict = process.env.HAILSTONE_STRICT_TIMES === '1'
const COLOUR_WITHIN_MS = 90_000
const BUILD_WITHIN_MS = 10_000

const pnpm = join(root, 'node_modules', '.bin', 'pnpm')
const quoted = (words) => words.map((word) => `'${word}'`).join(' ')
/** A brand of everything that can be said on the line, with the token of a local network that can be mined. */
const given = [
  ['--name', 'Acme Mining', '--network', 'devnet', '--primary', '#3a6ea5'],
  ['--token', '50d6c2306b75696a2edb55a85a6356bd3f43112f76b6fbc0d5c1cd476a2a4040'],
].flat()

/** Lines of a shell that make a brand and install it, by the name of its folder; and how its commands are run. */
const managers = {
  npm: { folder: 'kelp', lines: [published('--template brand')], run: [npx] },
  pnpm: {
    folder: 'acme-mining',
    lines: [`npx --yes hailstone-brand new ${quoted(given)}`, `cd acme-mining && ${pnpm} install`],
    run: [pnpm, 'exec'],
  },
}

/** Opens a page and reads the colour of the app in it. */
async function colourOn(url, { isFramed, name }) {
  const { chromium } = createRequire(join(root, 'packages/test-browser/package.json'))('playwright-core')
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1500, height: 1000 } })
    await page.goto(url)
    const app = isFramed ? page.frameLocator('iframe').first() : page
    await app.locator('.setup .actions').waitFor()
    const picture = process.env.HAILSTONE_PICTURES
    if (picture !== undefined) await page.screenshot({ path: join(picture, `partner-${name}.png`) })
    return await app
      .locator(':root')
      .evaluate((element) => getComputedStyle(element).getPropertyValue('--color-primary').trim())
  } finally {
    await browser.close()
  }
}

const types = {
  css: 'text/css',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  svg: 'image/svg+xml',
}

/** Serves a build as the plainest host does: files by their name, and the page for the rest. */
async function host(folder) {
  const server = createServer(({ url }, answer) => {
    const path = join(folder, new URL(url, 'http://a').pathname)
    const file = existsSync(path) && !path.endsWith('/') ? path : join(folder, 'index.html')
    answer.setHeader('content-type', types[file.split('.').at(-1)] ?? 'application/octet-stream')
    answer.end(readFileSync(file))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }
}

async function partner(name, { port, apiUrl, gatewayUrl }) {
  const { folder, lines, run: manager } = managers[name]
  const env = newUser(port)
  const cwd = emptyFolder()
  const startedAt = performance.now()
  const asked = /--primary\W+(#\w{6})/.exec(lines.join('\n'))[1]
  for (const line of lines) assertQuiet(await finish(line, [], { cwd, env, shell: true }))
  const at = { cwd: join(cwd, folder), env }
  const { dependencies } = JSON.parse(readFileSync(join(at.cwd, 'package.json'), 'utf8'))
  if (Object.keys(dependencies).join() !== '@hailstone/white-label') throw new Error('another dependency')

  const [run, ...before] = manager
  const network = ['--api', apiUrl, '--gateway', gatewayUrl]
  const call = (...words) => [run, [...before, 'hailstone-brand', ...words, ...network], at]
  const expectColour = async (url, where) => {
    const colour = await colourOn(url, where)
    if (colour !== asked) throw new Error(`the app of ${where.name} is ${colour}, not ${asked}`)
  }
  const preview = follow(...call('preview'))
  const line = await preview.line((one) => one.includes('http://'))
  await expectColour(/http:\S+/.exec(line)[0], { isFramed: true, name: 'preview' })
  const shownMs = performance.now() - startedAt
  await preview.end()

  const builtAt = performance.now()
  await finish(...call('build', '--host', 'nginx'))
  const buildMs = performance.now() - builtAt
  const served = await host(join(at.cwd, 'dist'))
  await expectColour(served.url, { isFramed: false, name: 'build' })
  served.close()
  const openedMs = performance.now() - startedAt
  if (isStrict && openedMs > COLOUR_WITHIN_MS)
    throw new Error(`the own colours came after ${Math.round(openedMs)} ms`)
  if (isStrict && buildMs > BUILD_WITHIN_MS) throw new Error(`the build took ${Math.round(buildMs)} ms`)
  if (!existsSync(join(at.cwd, 'deploy', 'nginx.conf'))) throw new Error('there is nothing for the host')
  await finish(...call('build', '--verify', 'dist'))
  await finish(...call('check', '--online'))
  const seconds = (ms) => (ms / 1000).toFixed(1)
  const report = `own colours in the preview after ${seconds(shownMs)} s, in the built app after ${seconds(openedMs)} s; build ${seconds(buildMs)} s`
  return { at, network, report }
}

/** Does what a partner does, with each package manager, against a network of this machine. */
export async function rehearsePartner(places) {
  ensureBrowser()
  const made = {}
  for (const name of Object.keys(managers))
    await timed(`a partner's folder, with ${name}`, async () => {
      made[name] = await partner(name, places)
      return made[name].report
    })
  const { at, network } = made.npm
  await timed('hailstone-brand promote', () => promote(at))
  await timed('npm update to the next version of the app', async () => {
    await publishNext(newUser(places.port))
    return update(at, network)
  })
}
