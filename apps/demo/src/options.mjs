// Plain JavaScript: read before anything is installed or built, so that help and mistakes cost no time.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * Options of `npm start -- …`.
 *
 * @typedef {object} DemoOptions
 * @property {number} apiPort
 * @property {number} gatewayPort
 * @property {number} samplePort
 * @property {number} appPort
 * @property {string | undefined} brandFolder of the white-label app; undefined: an example brand
 * @property {number} blockTimeMs
 * @property {string | undefined} seed undefined: that of the kept chain
 * @property {string} dataDirectory
 * @property {boolean} reset
 * @property {boolean} exitAfterReward
 * @property {number} timeLimitMs
 */

export const usage = `Usage: npm start -- [options]

  --block-time 5s        time between macroblocks (ms, s or m); public networks take 15s
  --exit-after-reward    end with code 0 once a reward and a referral reward are on chain
  --time-limit 180s      with --exit-after-reward: fail after this time
  --port 4410            HTTP API and its reference; 0 takes any free port
  --gateway-port 4411    proof-of-activity gateway (WebSocket); 0 takes any free port
  --sample-port 4412     sample app; 0 takes any free port
  --app-port 4413        white-label mining app; 0 takes any free port
  --brand FOLDER         brand of the white-label app (an example brand)
  --data .hailstone/demo folder that keeps the chain between runs
  --reset                forget the kept chain first
  --seed WORD            same seed, same accounts and tokens; a new chain begins with "hailstone"
  --help`

const unitsMs = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
])

/** @type {(name: string, text: string) => number} */
function duration(name, text) {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? []
  const value = Number(digits) * (unitsMs.get(unit) ?? Number.NaN)
  if (!(value >= 100 && value <= 86_400_000))
    throw new Error(`--${name} should be a time such as 500ms, 5s or 2m, a day at most; found "${text}".`)
  return value
}

/** @type {(name: string, text: string) => number} */
function port(name, text) {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= 0 && value <= 65_535))
    throw new Error(`--${name} should be a port, 0 … 65535; found "${text}".`)
  return value
}

/** @type {(ports: Readonly<Record<string, number>>) => void} */
function assertDifferent(ports) {
  const named = Object.entries(ports).filter(([, value]) => value !== 0)
  for (const [name, value] of named) {
    const [other] = named.find(([one, same]) => one !== name && same === value) ?? []
    if (other !== undefined) throw new Error(`--${name} and --${other} should differ; both are ${value}.`)
  }
}

const known = /** @type {const} */ ({
  'block-time': { type: 'string', default: '5s' },
  'exit-after-reward': { type: 'boolean', default: false },
  'time-limit': { type: 'string', default: '180s' },
  port: { type: 'string', default: '4410' },
  'gateway-port': { type: 'string', default: '4411' },
  'sample-port': { type: 'string', default: '4412' },
  'app-port': { type: 'string', default: '4413' },
  brand: { type: 'string' },
  data: { type: 'string', default: '.hailstone/demo' },
  reset: { type: 'boolean', default: false },
  seed: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
})

/**
 * Returns the option that shares most letters with a misspelt one. Nothing is built yet, so the nearest word of
 * `@hailstone/runtime` cannot be asked.
 *
 * @type {(written: string) => string | undefined}
 */
function nearestOption(written) {
  /** @type {(option: string) => number} */
  const likeness = (option) => {
    const missing = [...written].reduce((left, letter) => left.replace(letter, ''), option).length
    return (2 * (option.length - missing)) / (option.length + written.length)
  }
  const [best = ''] = Object.keys(known).sort((one, other) => likeness(other) - likeness(one))
  return likeness(best) > 0.65 ? best : undefined
}

/** @param {readonly string[]} words */
function valuesOf(words) {
  try {
    return parseArgs({ args: [...words], options: known }).values
  } catch (error) {
    const [, name] = /^Unknown option '--([\w-]+)'/.exec(error instanceof Error ? error.message : '') ?? []
    if (name === undefined) throw error
    const near = nearestOption(name)
    throw new Error(`There is no option --${name}.${near === undefined ? '' : ` Did you mean --${near}?`}`)
  }
}

/**
 * Reads the command line; a sentence is thrown for what cannot be read, null means "print the usage".
 *
 * @param {readonly string[]} words
 * @returns {DemoOptions | null}
 */
export function readOptions(words) {
  const values = valuesOf(words)
  if (values.help) return null
  const apiPort = port('port', values.port)
  const gatewayPort = port('gateway-port', values['gateway-port'])
  const samplePort = port('sample-port', values['sample-port'])
  const appPort = port('app-port', values['app-port'])
  assertDifferent({
    port: apiPort,
    'gateway-port': gatewayPort,
    'sample-port': samplePort,
    'app-port': appPort,
  })
  return {
    apiPort,
    gatewayPort,
    samplePort,
    appPort,
    brandFolder: values.brand === undefined ? undefined : resolve(values.brand),
    blockTimeMs: duration('block-time', values['block-time']),
    seed: values.seed,
    dataDirectory: values.data,
    reset: values.reset,
    exitAfterReward: values['exit-after-reward'],
    timeLimitMs: duration('time-limit', values['time-limit']),
  }
}
