// `npm run test:browser`: the mining app in a real Chromium, every screen of it, against local networks.
import { build, install, turbo } from './bootstrap.mjs'
import { ensureBrowser } from './browser.mjs'

install()
ensureBrowser()
build()
turbo('test:browser', '--output-logs=new-only', '--continue')
