// `npm test`: format and lint, types, unit and contract tests, conformance, the sample app in a browser.
import { build, install, run, step, turbo } from './bootstrap.mjs'
import { ensureHeadlessShell } from './browser.mjs'

// Every local network of every suite compares its answers with the reference; one that does not fit fails the suite.
process.env.HAILSTONE_VALIDATE_ANSWERS ??= '1'
// Tests take the other packages as they are built, which a package that is tested by itself need not be.
process.env.HAILSTONE_BUILT_PACKAGES ??= '1'

install()
step('checking format and rules', () => run('biome', ['ci', '.', '--colors=off']))
ensureHeadlessShell()
build()
// One package that fails cuts off no other; turbo names at the end which failed. Tests wait for sockets and processes
// about as long as they compute, so twice as many packages as cores are tested at a time; with three times as many, they
// took a tenth more of the processors.
turbo('typecheck', 'test', '--output-logs=new-only', '--concurrency=200%', '--continue')
run(
  process.execPath,
  ['packages/conformance/dist/command.js', 'packages/conformance/vectors', 'packages/conformance/recorded'],
  { show: true },
)
