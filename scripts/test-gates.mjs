// `npm run test:gates [-- AREA…]`: the gates of docs/gates.md at the size of a change, and the apps in a browser.
import { build, install, vitest } from './bootstrap.mjs'
import { ensureBrowser, ensureHeadlessShell } from './browser.mjs'

install()
ensureHeadlessShell()
ensureBrowser()
build()
vitest('gates', process.argv.slice(2))
