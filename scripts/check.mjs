// `npm run check`: format and rules. `npm run format`: writes the format.
import { install, run } from './bootstrap.mjs'

install()
const parameters = process.argv.includes('--write') ? ['check', '--write', '.'] : ['ci', '.', '--colors=off']
run('biome', parameters, { show: true })
