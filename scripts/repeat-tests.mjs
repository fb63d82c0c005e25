// `npm run test:repeat [-- RUNS [AREA…]]`: all tests of a change, again and again, and how many runs failed (G-21). By hand: 100 runs take a
// day. What a failed run printed stays in a file.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, environment, install, root } from './bootstrap.mjs'
import { ensureBrowser, ensureHeadlessShell } from './browser.mjs'

const [given = '100', ...suites] = process.argv.slice(2)
const runs = Number(given)
if (!Number.isInteger(runs) || runs < 1) {
  process.stderr.write('Say how often, as in: npm run test:repeat -- 20\n')
  process.exit(2)
}

install()
ensureHeadlessShell()
ensureBrowser()
build()
const folder = mkdtempSync(join(tmpdir(), 'hailstone-repeat-'))
const failed = []
for (let run = 1; run <= runs; run++) {
  const startedAt = Date.now()
  let status = 0
  let printed = ''
  for (const tier of ['test', 'gates']) {
    const done = spawnSync('vitest', ['run', ...suites.flatMap((name) => ['--project', name])], {
      cwd: root,
      env: { ...environment(), HAILSTONE_TIER: tier, HAILSTONE_BUILT_PACKAGES: '1' },
      encoding: 'utf8',
      maxBuffer: 1e9,
      shell: process.platform === 'win32',
    })
    status ||= done.status ?? 1
    printed += `${done.stdout}${done.stderr}`
  }
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  if (status !== 0) {
    failed.push(run)
    writeFileSync(join(folder, `run-${run}.log`), printed)
  }
  const outcome = status === 0 ? 'passed' : `FAILED, see ${join(folder, `run-${run}.log`)}`
  process.stdout.write(`run ${run} of ${runs}: ${outcome} (${seconds} s); ${failed.length} failed so far\n`)
}
process.stdout.write(`${failed.length} of ${runs} runs failed (goal of G-21: 0 of 100)\n`)
process.exit(failed.length === 0 ? 0 : 1)
