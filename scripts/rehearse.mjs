// `npm run rehearse`: publishes all packages to a registry on this machine, and does from empty folders with an empty
// home what a new user does. With `-- --offline` the packages of others are those that an earlier rehearsal fetched.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, install, root } from './bootstrap.mjs'
import { output } from './node-binaries.mjs'
import {
  assertQuiet,
  emptyFolder,
  finish,
  follow,
  freePort,
  newUser,
  npm,
  npx,
  scratch,
  timed,
} from './rehearsal/new-user.mjs'
import { rehearsePartner } from './rehearsal/partner.mjs'
import { startRegistry } from './rehearsal/registry.mjs'
import { rehearseTemplates } from './rehearsal/templates.mjs'
import { packTwice } from './release.mjs'

function folderWithModules() {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  return folder
}

/** The first block of code of a README that has all of these words. */
function codeOf(readme, ...words) {
  const blocks = readFileSync(join(root, readme), 'utf8').matchAll(/^```(?:ts|js)\n([\s\S]*?)^```/gm)
  for (const [, code] of blocks) if (words.every((word) => code.includes(word))) return code
  throw new Error(`${readme} has no code with ${words.join(', ')}`)
}

async function publish(port) {
  const tarballs = join(scratch, 'tarballs')
  const files = packTwice(tarballs)
  const env = newUser(port)
  for (const file of files)
    output(npm, ['publish', join(tarballs, file), '--access', 'public'], { env, cwd: scratch })
  return `${files.length} packages, packed twice to the same bytes`
}

async function rehearse() {
  const isOffline = process.argv.includes('--offline')
  install()
  build()
  const port = await startRegistry({ isOffline })
  await timed('publishing to a registry on this machine', () => publish(port))

  const env = newUser(port)
  const [apiPort, gatewayPort] = [await freePort(), await freePort()]
  const apiUrl = `http://127.0.0.1:${apiPort}/api/v1`
  const gatewayUrl = `ws://127.0.0.1:${gatewayPort}`
  await timed('npx hailstone-network, from its package', async () => {
    const ports = ['--port', String(apiPort), '--gateway-port', String(gatewayPort)]
    const command = ['--yes', '--package=@hailstone/local-network', 'hailstone-network']
    const words = [...command, '--memory', '--block-time', '2s', ...ports]
    await follow(npx, words, { cwd: emptyFolder(), env }).line((line) => line.includes(String(gatewayPort)))
  })

  const developer = folderWithModules()
  await timed('npm install of the library', async () => {
    const packages = ['@hailstone/mining-node', '@hailstone/client']
    const words = ['install', '--no-audit', '--no-fund', '--loglevel', 'warn', ...packages]
    assertQuiet(await finish(npm, words, { env, cwd: developer }))
  })
  await timed('the first script of its README, to a reward', async () => {
    writeFileSync(
      join(developer, 'mine.mjs'),
      codeOf('packages/mining-node/README.md', 'createMiningNode', 'rewarded'),
    )
    const access = { ...env, HAILSTONE_API: apiUrl, HAILSTONE_GATEWAY: gatewayUrl }
    const miner = follow(process.execPath, ['mine.mjs'], { cwd: developer, env: access })
    return miner.line((line) => line.startsWith('earned '))
  })

  const miner = emptyFolder()
  await timed('npx hailstone: a key, test coins, a reward', async () => {
    const run = (...words) => finish(npx, ['--yes', 'hailstone', ...words], { env, cwd: miner })
    await run('wallet', 'new', '--out', 'miner.key', '--plain')
    const { address } = JSON.parse(await run('wallet', 'show', '--key-file', 'miner.key', '--json'))
    await run('faucet', address, '--api', apiUrl)
    const words = ['mine', '--key-file', 'miner.key', '--api', apiUrl, '--gateway', gatewayUrl, '--json']
    const mining = follow(npx, ['--yes', 'hailstone', ...words], { cwd: miner, env })
    await mining.line((line) => line.includes('"rewarded"'))
    await mining.end()
  })

  await timed('npx hailstone-brand, by its name alone', async () => {
    const help = await finish(npx, ['--yes', 'hailstone-brand', '--help'], { env, cwd: miner })
    if (!help.includes('Usage: hailstone-brand')) throw new Error(`another command: ${help}`)
  })

  await rehearsePartner({ port, apiUrl, gatewayUrl })
  await rehearseTemplates(port)
}

try {
  await rehearse()
  process.exit(0)
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
