// `npm run test:nodes`: the packed packages and the main job on each line of Node that is promised to work.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, environment, install, root, step } from '../apps/demo/bootstrap.mjs'

/** The oldest version that is promised, and one of each later line. */
const versions = ['20.19.0', '22.23.3', '24.21.0', '26.10.0']

const folder = join(root, '.hailstone', 'nodes')
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

/** The registry holds the programs of Node as packages, one for each system. */
const packageName = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const binaryOf = (version) =>
  join(
    folder,
    version,
    'node_modules',
    packageName,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )

function run(command, parameters, cwd = root) {
  const done = spawnSync(command, parameters, {
    cwd,
    env: environment(),
    shell: command === npm && process.platform === 'win32',
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (done.status === 0) return done.stdout
  process.stderr.write(`\n${done.stdout ?? ''}${done.stderr ?? ''}\n`)
  process.stderr.write(
    `"${command} ${parameters.join(' ')}" failed: ${done.error?.message ?? done.signal ?? done.status}\n`,
  )
  process.exit(1)
}

function fetchNode(version) {
  if (existsSync(binaryOf(version))) return
  const parameters = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  step(`fetching Node ${version} (only the first time)`, () => {
    run(npm, [...parameters, '--prefix', join(folder, version), `${packageName}@${version}`])
  })
}

function testPackages(node) {
  const cwd = join(root, 'packages', 'published')
  const tests = 'mines in plain Node|can be imported at every entry'
  const output = run(
    node,
    ['node_modules/vitest/vitest.mjs', 'run', 'test/installed.test.ts', '-t', tests],
    cwd,
  )
  return /\b(\d+ passed)\b/.exec(output.slice(output.lastIndexOf('Tests')))?.[1]
}

function testMainJob(node) {
  const data = mkdtempSync(join(tmpdir(), 'hailstone-nodes-'))
  const ports = ['--port', '--gateway-port', '--sample-port', '--app-port'].flatMap((port) => [port, '0'])
  const limits = ['--exit-after-reward', '--time-limit', '120s', '--block-time', '2s']
  try {
    run(node, ['apps/demo/start.mjs', ...limits, ...ports, '--data', join(data, 'network')])
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

/** Tests every line of Node, or ends the process with what failed. */
export function testNodes() {
  for (const version of versions) {
    fetchNode(version)
    const node = binaryOf(version)
    const found = run(node, ['--version']).trim()
    if (found !== `v${version}`) throw new Error(`${node} is Node ${found}, not ${version}`)
    step(`Node ${version}: the packed packages`, () => testPackages(node))
    step(`Node ${version}: mining to both rewards`, () => testMainJob(node))
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  install()
  build()
  testNodes()
}
