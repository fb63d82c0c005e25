// `npm run attack`: some attacks open the app in a real Chromium.
import { ensureBrowser } from './browser.mjs'

const parameters = process.argv.slice(2)
const runsAll = !parameters.some((given) => /^(--(list|only|help)|-h)/.test(given))
if (runsAll || parameters.some((given) => given.startsWith('app'))) ensureBrowser()
process.argv.splice(2, 0, '@hailstone/attack', 'packages/attack/dist/command.js')
await import('./run.mjs')
