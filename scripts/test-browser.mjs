// `npm run test:browser`: the mining app in a real Chromium, every screen of it, against local networks.
import { build, install, turbo } from './bootstrap.mjs'
import { ensureBrowser, ensureHeadlessShell } from './browser.mjs'

install()
ensureHeadlessShell()
ensureBrowser()
build()
turbo('test:browser', '--output-logs=new-only', '--continue')
