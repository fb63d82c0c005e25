// `npm run test:gates`: each gate of GATES.md at the size of a commit, every screen of the mining app in a browser, and
// the packed packages and the main job on each line of Node.

import { build, install, turbo } from './bootstrap.mjs'
import { ensureBrowser, ensureEngines } from './browser.mjs'
import { testNodes } from './test-nodes.mjs'

process.env.HAILSTONE_TIER = 'gates'
process.env.HAILSTONE_VALIDATE_ANSWERS ??= '1'

install()
ensureBrowser()
ensureEngines()
build()
// A package in its gates waits for blocks and browsers more than it computes: those of the console used 0.6 of a core.
turbo(
  'test:gates',
  'test:browser',
  'test:other-token',
  '--output-logs=new-only',
  '--concurrency=150%',
  '--continue',
)
testNodes()
