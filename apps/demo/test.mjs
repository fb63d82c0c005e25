// `npm test`: format and lint, types, unit and contract tests, conformance, the sample app in a browser.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { build, install, root, run, step, turbo } from './bootstrap.mjs'
import { ensureBrowser } from './browser.mjs'

// Every local network of every suite compares its answers with the reference; one that does not fit fails the suite.
process.env.HAILSTONE_VALIDATE_ANSWERS ??= '1'

install()
step('checking format and rules', () => run('biome', ['ci', '.', '--colors=off']))
ensureBrowser()
build()
turbo('typecheck', 'test', '--output-logs=new-only', '--concurrency=2')
const shared = [
  join(root, '..', 'shared', 'protocol', 'vectors'),
  join(root, '..', 'shared', 'protocol', 'recorded'),
]
const own = ['packages/conformance/vectors', 'packages/conformance/recorded']
const folders = shared.every((folder) => existsSync(folder)) ? shared : own
run(process.execPath, ['packages/conformance/dist/command.js', ...folders], { show: true })
