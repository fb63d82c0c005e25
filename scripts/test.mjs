// `npm test [-- AREA…]`: format and rules, types, unit and contract tests, the sample app in a browser, conformance.
import { build, install, run, step, turbo, vitest } from './bootstrap.mjs'
import { ensureHeadlessShell } from './browser.mjs'

const areas = process.argv.slice(2)

install()
step('checking format and rules', () => run('biome', ['ci', '.', '--colors=off']))
ensureHeadlessShell()
build()
// One program for all that runs in Node; what a bundler builds has settings of its own.
step('checking types', () => run('tsc', ['-p', 'tsconfig.json', '--customConditions', 'null']))
turbo('typecheck', '--output-logs=errors-only', '--continue')
vitest('test', areas)
run(
  process.execPath,
  ['packages/conformance/dist/command.js', 'packages/conformance/vectors', 'packages/conformance/recorded'],
  { show: true },
)
