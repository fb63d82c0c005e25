// A registry on this machine, in which our packages are and from which all others are fetched once and kept.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../bootstrap.mjs'
import { fetchPackages, nodeBinary, output } from '../node-binaries.mjs'
import { freePort, npm, start } from './new-user.mjs'

/** The registry needs a newer Node than the packages do. */
const REGISTRY_NODE = '24.21.0'
const REGISTRY = 'verdaccio@6.10.4'

const folder = join(root, '.hailstone', 'registry')
const ownNames = [
  'hailstone',
  'create-hailstone',
  'hailstone-network',
  'hailstone-indexer',
  'hailstone-brand',
]

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

/** Packages of our names are never fetched from elsewhere. All others are, unless the rehearsal is offline. */
const settings = ({ port, upstream }) => `
storage: ./storage
listen: 127.0.0.1:${port}
auth: { htpasswd: { file: ./htpasswd, max_users: -1 } }
${upstream === null ? '' : `uplinks: { upstream: { url: "${upstream}", maxage: 60m, timeout: 60s } }`}
packages:
  '@hailstone/*': { access: $all, publish: $all }
${ownNames.map((name) => `  '${name}': { access: $all, publish: $all }`).join('\n')}
  '**': { access: $all${upstream === null ? '' : ', proxy: upstream'} }
web: { enable: false }
log: { type: stdout, format: json, level: error }
`

/**
 * Starts the registry and resolves with its port.
 *
 * @param isOffline serves other packages from those that an earlier rehearsal fetched
 */
export async function startRegistry({ isOffline }) {
  const node = nodeBinary(REGISTRY_NODE)
  const command = join('node_modules', 'verdaccio', 'bin', 'verdaccio')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, overrides: { 'node-fetch': '2.7.0' } }),
  )
  fetchPackages(folder, [REGISTRY], command)
  // A version is never published twice, so ours of the last rehearsal go.
  for (const name of ['@hailstone', ...ownNames, '.verdaccio-db.json'])
    rmSync(join(folder, 'storage', name), { recursive: true, force: true })
  const port = await freePort()
  const upstream = isOffline ? null : output(npm, ['config', 'get', 'registry']).trim()
  writeFileSync(join(folder, 'config.yaml'), settings({ port, upstream }))
  start(node, [command, '--config', './config.yaml'], { cwd: folder, stdio: 'ignore' })
  await answers(`http://127.0.0.1:${port}/-/ping`)
  return port
}
