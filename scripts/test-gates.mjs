// `npm run test:gates`: each gate of GATES.md at the size of a commit, every screen of the mining app in a browser, and
// the packed packages and the main job on each line of Node.

import { spawn } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, install, root, turbo } from './bootstrap.mjs'
import { ensureBrowser, ensureEngines, ensureHeadlessShell } from './browser.mjs'

process.env.HAILSTONE_TIER = 'gates'
process.env.HAILSTONE_VALIDATE_ANSWERS ??= '1'
// Tests take the other packages as they are built, which a package that is tested by itself need not be.
process.env.HAILSTONE_BUILT_PACKAGES ??= '1'

/** Starts the lines of Node beside the gates, since they wait for downloads and blocks. Resolves with their exit code. */
function startNodes() {
  const folder = mkdtempSync(join(tmpdir(), 'hailstone-nodes-output-'))
  const path = join(folder, 'output.txt')
  const output = openSync(path, 'w')
  const child = spawn(process.execPath, [join(root, 'scripts', 'test-nodes.mjs')], {
    stdio: ['ignore', output, output],
    // In a group of its own, so that all that it started ends with it.
    detached: process.platform !== 'win32',
  })
  const end = () => {
    try {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid)
    } catch {
      // It has ended.
    }
  }
  process.once('exit', () => {
    end()
    process.stdout.write(readFileSync(path, 'utf8'))
    rmSync(folder, { recursive: true })
  })
  // The terminal tells this group alone; turbo ends by it, and then this process.
  process.once('SIGINT', () => process.exit(1))
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

install()
ensureHeadlessShell()
ensureBrowser()
ensureEngines()
build()
const nodes = startNodes()
// A package in its gates waits for blocks and browsers more than it computes: those of the console used 0.6 of a core.
turbo('test:gates', 'test:browser', '--output-logs=new-only', '--concurrency=200%', '--continue')
process.exitCode = await nodes
