// Programs of other versions of Node. The registry holds them as packages, one for each system.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { environment, root, step } from './bootstrap.mjs'

const isWindows = process.platform === 'win32'
const npm = isWindows ? 'npm.cmd' : 'npm'
const packageName = `node-${isWindows ? 'win' : process.platform}-${process.arch}`

const folderOf = (version) => join(root, '.hailstone', 'nodes', version)

/** Runs a command to its end and returns what it printed; ends the process with all of it if the command fails. */
export function output(command, parameters, options = {}) {
  const done = spawnSync(command, parameters, {
    cwd: root,
    env: environment(),
    shell: isWindows && command.endsWith('.cmd'),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
  if (done.status === 0) return done.stdout
  const why = done.error?.message ?? done.signal ?? `exit code ${done.status}`
  process.stderr.write(
    `\n${done.stdout ?? ''}${done.stderr ?? ''}\n"${command} ${parameters.join(' ')}" failed: ${why}\n`,
  )
  process.exit(1)
}

/** Installs packages into a folder, once. */
export function fetchPackages(folder, packages, proof) {
  if (existsSync(join(folder, proof))) return
  const quietly = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  step(`fetching ${packages.join(', ')} (only the first time)`, () => {
    output(npm, ['install', ...quietly, '--prefix', folder, ...packages])
  })
}

/** Returns the path of this version of Node, which is fetched if it is not there yet. */
export function nodeBinary(version) {
  const binary = join('node_modules', packageName, 'bin', isWindows ? 'node.exe' : 'node')
  fetchPackages(folderOf(version), [`${packageName}@${version}`], binary)
  return join(folderOf(version), binary)
}
