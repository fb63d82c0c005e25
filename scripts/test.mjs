// `npm test`: format and lint, types, unit and contract tests, conformance, the sample app in a browser.
import { build, install, run, step, turbo } from './bootstrap.mjs'
import { ensureHeadlessShell } from './browser.mjs'

// Every local network of every suite compares its answers with the reference; one that does not fit fails the suite.
process.env.HAILSTONE_VALIDATE_ANSWERS ??= '1'

install()
step('checking format and rules', () => run('biome', ['ci', '.', '--colors=off']))
ensureHeadlessShell()
build()
// One package that fails cuts off no other; turbo names at the end which failed. Tests wait for sockets and processes
// about as long as they compute. Six packages at a time keep two cores busy to the end: with four, the longest one began
// half-way and was alone for the last minute.
turbo('typecheck', 'test', '--output-logs=new-only', '--concurrency=6', '--continue')
run(
  process.execPath,
  ['packages/conformance/dist/command.js', 'packages/conformance/vectors', 'packages/conformance/recorded'],
  { show: true },
)
