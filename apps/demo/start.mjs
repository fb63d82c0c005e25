// `npm start`: install, build, then the network with its agent, miner and sample app. All in one process: what a
// terminal sends to its foreground group, or npm passes on, arrives where it is heard, and nothing is left behind.
import { build, install, root } from '../../scripts/bootstrap.mjs'
import { readOptions, usage } from './src/options.mjs'
import { rememberParents } from './src/parents.mjs'
import { portAdvice, takenPort } from './src/taken-port.mjs'

const isAlone = rememberParents()

/** @returns {ReturnType<typeof readOptions> | number} */
function optionsOrExitCode() {
  try {
    const options = readOptions(process.argv.slice(2))
    if (options !== null) return options
    console.log(usage)
    return 0
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`)
    return 2
  }
}

const options = optionsOrExitCode()
const port = typeof options === 'number' ? null : await takenPort(options)
if (typeof options === 'number') process.exitCode = options
else if (port !== null) {
  console.error(portAdvice(port, options))
  process.exitCode = 1
} else {
  process.chdir(root)
  install()
  build('@hailstone/demo...')
  const { main } = await import('./dist/main.js')
  process.exitCode = await main(options, { isAlone })
}
