// `npm run changeset -- …`: the command of Changesets. It needs a newer Node than the packages do, so it is fetched on
// demand, like the Nodes of `npm run test:nodes`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './bootstrap.mjs'
import { fetchPackages, nodeBinary } from './node-binaries.mjs'

const folder = join(root, '.hailstone', 'changesets')
const command = join(folder, 'node_modules', '@changesets', 'cli', 'bin.js')
fetchPackages(folder, ['@changesets/cli@3.0.3'], join('node_modules', '@changesets', 'cli', 'bin.js'))
const { status } = spawnSync(nodeBinary('24.21.0'), [command, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
