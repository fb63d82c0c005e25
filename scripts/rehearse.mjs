// `npm run rehearse`: publishes all packages to a registry on this machine, and does from empty folders with an empty
// home what a new user does.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build, install, root } from '../apps/demo/bootstrap.mjs'
import { fetchPackages, nodeBinary, output } from './node-binaries.mjs'

/** The registry needs a newer Node than the packages do. */
const REGISTRY_NODE = '24.21.0'
const REGISTRY = 'verdaccio@6.10.4'
const REWARD_WITHIN_MS = 120_000

const registryFolder = join(root, '.hailstone', 'registry')
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx'
const scratch = mkdtempSync(join(tmpdir(), 'hailstone-rehearsal-'))
const children = []

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

async function answers(url) {
  for (let attempt = 0; attempt < 300; attempt++) {
    const isThere = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} did not answer within 30 s`)
}

/** Packages of our names are never fetched from elsewhere; all others are, and are kept. */
const registrySettings = (port, upstream) => `
storage: ./storage
listen: 127.0.0.1:${port}
auth: { htpasswd: { file: ./htpasswd, max_users: -1 } }
uplinks: { upstream: { url: "${upstream}", maxage: 60m, timeout: 60s } }
packages:
  '@hailstone/*': { access: $all, publish: $all }
  'hailstone': { access: $all, publish: $all }
  '**': { access: $all, proxy: upstream }
web: { enable: false }
log: { type: stdout, format: json, level: error }
`

async function startRegistry() {
  const node = nodeBinary(REGISTRY_NODE)
  const command = join('node_modules', 'verdaccio', 'bin', 'verdaccio')
  mkdirSync(registryFolder, { recursive: true })
  writeFileSync(
    join(registryFolder, 'package.json'),
    JSON.stringify({ private: true, overrides: { 'node-fetch': '2.7.0' } }),
  )
  fetchPackages(registryFolder, [REGISTRY], command)
  // A version is never published twice, so ours of the last rehearsal go.
  for (const name of ['@hailstone', 'hailstone', '.verdaccio-db.json'])
    rmSync(join(registryFolder, 'storage', name), { recursive: true, force: true })
  const port = await freePort()
  const upstream = output(npm, ['config', 'get', 'registry']).trim()
  writeFileSync(join(registryFolder, 'config.yaml'), registrySettings(port, upstream))
  const child = spawn(node, [command, '--config', './config.yaml'], {
    cwd: registryFolder,
    stdio: 'ignore',
  })
  children.push(child)
  await answers(`http://127.0.0.1:${port}/-/ping`)
  return port
}

/** Of a new user: an empty home, this registry, and nothing of the workspace on the path. */
function newUser(port) {
  const home = mkdtempSync(join(scratch, 'home-'))
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|hailstone_|node_)/i.test(name))
  const path = String(process.env.PATH)
    .split(':')
    .filter((folder) => !folder.startsWith(root))
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(':'),
    HOME: home,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_update_notifier: 'false',
    [`npm_config_//127.0.0.1:${port}/:_authToken`]: 'rehearsal',
  }
}

function emptyFolder() {
  const folder = mkdtempSync(join(scratch, 'folder-'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  return folder
}

/** The first block of code of a README that has all of these words. */
function codeOf(readme, ...words) {
  const blocks = readFileSync(join(root, readme), 'utf8').matchAll(/^```(?:ts|js)\n([\s\S]*?)^```/gm)
  for (const [, code] of blocks) if (words.every((word) => code.includes(word))) return code
  throw new Error(`${readme} has no code with ${words.join(', ')}`)
}

/** Starts a command and resolves with the line of its output that fits. */
function lineOf(command, parameters, options, fits) {
  const child = spawn(command, parameters, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let printed = ''
  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`${command} ${parameters.join(' ')}: ${why}\n${printed}`))
    const timer = setTimeout(
      () => fail(`nothing that fits within ${REWARD_WITHIN_MS / 1000} s`),
      REWARD_WITHIN_MS,
    )
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        printed += `${line}\n`
        if (!fits(line)) return
        clearTimeout(timer)
        resolve(line)
      })
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      fail(`it ended with ${signal ?? code}`)
    })
  })
}

async function timed(title, work) {
  const startedAt = performance.now()
  const outcome = await work()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`  ✓ ${title} — ${seconds} s${outcome ? ` (${outcome})` : ''}\n`)
}

async function publish(port) {
  const tarballs = join(scratch, 'tarballs')
  output(process.execPath, ['scripts/pack.mjs', tarballs])
  const files = readdirSync(tarballs)
  const env = newUser(port)
  for (const file of files)
    output(npm, ['publish', join(tarballs, file), '--access', 'public'], { env, cwd: scratch })
  return `${files.length} packages`
}

/** Warnings of an installer about a package, which people take for failures. */
function installed(env, cwd, ...packages) {
  const printed = output(npm, ['install', '--no-audit', '--no-fund', '--loglevel', 'warn', ...packages], {
    env,
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (/warn|EBADENGINE|deprecated/i.test(printed)) throw new Error(`the installer warned:\n${printed}`)
}

async function rehearse() {
  install()
  build()
  const port = await startRegistry()
  await timed('publishing to a registry on this machine', () => publish(port))

  const env = newUser(port)
  const [apiPort, gatewayPort] = [await freePort(), await freePort()]
  const apiUrl = `http://127.0.0.1:${apiPort}/api/v1`
  const gatewayUrl = `ws://127.0.0.1:${gatewayPort}`
  const operator = emptyFolder()
  await timed('npx hailstone-network, from its package', async () => {
    const ports = ['--port', String(apiPort), '--gateway-port', String(gatewayPort)]
    const command = ['--yes', '--package=@hailstone/local-network', 'hailstone-network']
    await lineOf(
      npx,
      [...command, '--memory', '--block-time', '2s', ...ports],
      { cwd: operator, env },
      (line) => line.includes(String(gatewayPort)),
    )
  })

  const developer = emptyFolder()
  await timed('npm install of the library', () =>
    installed(env, developer, '@hailstone/mining-node', '@hailstone/client'),
  )
  await timed('the first script of its README, to a reward', async () => {
    writeFileSync(
      join(developer, 'mine.mjs'),
      codeOf('packages/mining-node/README.md', 'createMiningNode', 'rewarded'),
    )
    const access = { ...env, HAILSTONE_API: apiUrl, HAILSTONE_GATEWAY: gatewayUrl }
    return lineOf(process.execPath, ['mine.mjs'], { cwd: developer, env: access }, (line) =>
      line.startsWith('earned '),
    )
  })

  const miner = mkdtempSync(join(scratch, 'folder-'))
  await timed('npx hailstone: a key, test coins, a reward', async () => {
    const run = (...words) => output(npx, ['--yes', 'hailstone', ...words], { env, cwd: miner })
    run('wallet', 'new', '--out', 'miner.key', '--plain')
    const { address } = JSON.parse(run('wallet', 'show', '--key-file', 'miner.key', '--json'))
    run('faucet', address, '--api', apiUrl)
    const words = ['mine', '--key-file', 'miner.key', '--api', apiUrl, '--gateway', gatewayUrl, '--json']
    await lineOf(npx, ['--yes', 'hailstone', ...words], { cwd: miner, env }, (line) =>
      line.includes('"rewarded"'),
    )
  })

  await timed('npx brand, from its package', async () => {
    const words = ['--yes', '--package=@hailstone/brand', 'brand', '--help']
    if (!output(npx, words, { env, cwd: miner }).includes('brand')) throw new Error('no help')
  })
}

process.on('exit', () => {
  for (const child of children) child.kill('SIGTERM')
  rmSync(scratch, { recursive: true, force: true })
})
try {
  await rehearse()
  process.exit(0)
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
