// `npm run test:night`: the tests that take too long to run for every change. GATES.md says which gates run here.
import { build, install, turbo } from './bootstrap.mjs'
import { ensureBrowser, ensureEngines, ensureHeadlessShell } from './browser.mjs'

process.env.HAILSTONE_TIER = 'night'
process.env.HAILSTONE_VALIDATE_ANSWERS ??= '1'
process.env.HAILSTONE_BUILT_PACKAGES ??= '1'

install()
ensureHeadlessShell()
ensureBrowser()
ensureEngines()
build()
turbo('test:night', 'test:other-token', '--output-logs=new-only', '--concurrency=200%', '--continue')
