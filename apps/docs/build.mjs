// `npm run docs`: builds the documentation site into apps/docs/dist. After the first time it needs no network.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, environment, install, root, step } from '../../scripts/bootstrap.mjs'
import { nodeBinary, output } from '../../scripts/node-binaries.mjs'
import { buildLive } from './build-live.mjs'
import { deadLinks } from './check-links.mjs'
import { postprocess } from './postprocess.mjs'

/** The site generator needs Node 22.12; this one is the same as that of the rehearsal. */
const NODE = '24.21.0'
const here = fileURLToPath(new URL('.', import.meta.url))
const scratch = join(root, '.hailstone', 'docs')
const isWindows = process.platform === 'win32'

if (!process.argv.includes('--built')) {
  install()
  build()
}

const node = nodeBinary(NODE)
const env = {
  ...environment(),
  PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
  ASTRO_TELEMETRY_DISABLED: '1',
  NODE_ENV: 'production',
}

// A test runner sets these, and the generator would take itself for a server of drafts, without search.
for (const name of ['DEV', 'PROD', 'MODE', 'SSR', 'BASE_URL', 'VITEST', 'TEST']) delete env[name]

/** Installs the tools of the site once for each state of their lockfile. */
function installTools() {
  const lock = readFileSync(join(here, 'site/package-lock.json'))
  const stamp = createHash('sha256').update(lock).digest('hex')
  const stampFile = join(scratch, 'node_modules/.stamp')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  step('installing the tools of the site (only the first time)', () => {
    // Not `ci`: that refuses a lockfile without the optional binaries of systems that the registry lacks.
    const words = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']
    output(isWindows ? 'npm.cmd' : 'npm', words, { cwd: scratch, env })
    writeFileSync(stampFile, stamp)
  })
}

for (const name of ['src', 'public', 'dist']) rmSync(join(scratch, name), { recursive: true, force: true })
mkdirSync(scratch, { recursive: true })
cpSync(join(here, 'site'), scratch, { recursive: true })
installTools()

const begunAt = performance.now()
step('writing the pages', () => output(node, [join(here, 'generate/index.mjs'), scratch], { env }).trim())
await buildLive(join(scratch, 'public/live'))
step('building the site', () => {
  const said = output(node, [join(scratch, 'node_modules/astro/bin/astro.mjs'), 'build'], {
    cwd: scratch,
    env,
  })
  // A fault in a page is only printed; the generator ends with 0 all the same.
  if (/\[ERROR\]/i.test(said)) throw new Error(said)
})
postprocess(join(here, 'dist'))
const dead = await deadLinks(join(here, 'dist'))
if (dead.length > 0) {
  process.stderr.write(`\nLinks that lead nowhere:\n${dead.join('\n')}\n`)
  process.exit(1)
}
const seconds = ((performance.now() - begunAt) / 1000).toFixed(1)
process.stdout.write(`The site is in apps/docs/dist, built in ${seconds} s. Look at it: npm run docs:serve\n`)
