// `npm run test:night [-- AREA…]`: every test at its size of the night; without an area also the packed packages and the
// main job on each line of Node, and the rehearsal of a release. docs/gates.md says which gates run here.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build, install, root, vitest } from './bootstrap.mjs'
import { ensureBrowser, ensureEngines, ensureHeadlessShell } from './browser.mjs'

const areas = process.argv.slice(2)

install()
ensureHeadlessShell()
ensureBrowser()
ensureEngines()
build()
// One part that fails cuts off no other.
const parts = areas.length > 0 ? [] : ['test-nodes.mjs', 'rehearse.mjs']
process.once('exit', (code) => {
  const failed = parts.filter(
    (script) =>
      spawnSync(process.execPath, [join(root, 'scripts', script)], { stdio: 'inherit' }).status !== 0,
  )
  if (failed.length > 0) process.stderr.write(`\nAlso failed: ${failed.join(', ')}\n`)
  process.exitCode = code || (failed.length > 0 ? 1 : 0)
})
vitest('night', areas)
