// `npm run test:nodes`: the packed packages and the main job on each line of Node that is promised to work.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, install, root, step } from './bootstrap.mjs'
import { nodeBinary, output } from './node-binaries.mjs'

/** The oldest version that is promised, and one of each later line. */
const versions = ['20.19.0', '22.23.3', '24.21.0', '26.10.0']

function testPackages(node) {
  const cwd = join(root, 'packages', 'published')
  const tests = 'mines in plain Node|can be imported at every entry'
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', 'test/installed.gate.test.ts', '-t', tests]
  const printed = output(node, vitest, { cwd })
  return /\b(\d+ passed)\b/.exec(printed.slice(printed.lastIndexOf('Tests')))?.[1]
}

function testMainJob(node) {
  const data = mkdtempSync(join(tmpdir(), 'hailstone-nodes-'))
  const ports = ['--port', '--gateway-port', '--sample-port', '--app-port'].flatMap((port) => [port, '0'])
  const limits = ['--exit-after-reward', '--time-limit', '600s', '--block-time', '2s']
  try {
    output(node, ['apps/demo/start.mjs', ...limits, ...ports, '--data', join(data, 'network')])
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

/** Tests every line of Node, or ends the process with what failed. */
export function testNodes() {
  // Packed once, by the first line.
  const tarballs = mkdtempSync(join(tmpdir(), 'hailstone-tarballs-'))
  process.env.HAILSTONE_TARBALLS = tarballs
  process.once('exit', () => rmSync(tarballs, { recursive: true }))
  for (const version of versions) {
    const node = nodeBinary(version)
    const found = output(node, ['--version']).trim()
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
