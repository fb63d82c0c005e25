import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** What `npm start -- …` was asked for. */
export type DemoOptions = {
  readonly apiPort: number
  readonly gatewayPort: number
  readonly samplePort: number
  readonly appPort: number
  /** Folder of the brand the white-label app is shown with; undefined: an example brand. */
  readonly brandFolder: string | undefined
  readonly blockTimeMs: number
  readonly seed: string
  readonly dataDirectory: string
  readonly reset: boolean
  readonly exitAfterReward: boolean
  readonly timeLimitMs: number
}

export const usage = `Usage: npm start -- [options]

  --block-time 5s        time between macroblocks (ms, s or m)
  --exit-after-reward    end with code 0 once a reward and a referral reward are on chain
  --time-limit 180s      with --exit-after-reward: fail after this time
  --port 4410            HTTP API and its reference
  --gateway-port 4411    proof-of-activity gateway (WebSocket)
  --sample-port 4412     sample app
  --app-port 4413        white-label app
  --brand FOLDER         brand of the white-label app (an example brand)
  --data .hailstone/demo folder that keeps the chain between runs
  --reset                forget the chain first
  --seed hailstone       same seed, same accounts and tokens
  --help`

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }

function duration(name: string, text: string): number {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? []
  const value = Number(digits) * (unitsMs[unit] ?? Number.NaN)
  if (!(value >= 100)) throw new Error(`--${name} should be a time such as 500ms, 5s or 2m; found "${text}".`)
  return value
}

function port(name: string, text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= 0 && value <= 65_535))
    throw new Error(`--${name} should be a port, 0 … 65535; found "${text}".`)
  return value
}

/** Reads the command line; a sentence is thrown for what cannot be read, null means "print the usage". */
export function readOptions(words: readonly string[]): DemoOptions | null {
  const { values } = parseArgs({
    args: [...words],
    options: {
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
      seed: { type: 'string', default: 'hailstone' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  return {
    apiPort: port('port', values.port),
    gatewayPort: port('gateway-port', values['gateway-port']),
    samplePort: port('sample-port', values['sample-port']),
    appPort: port('app-port', values['app-port']),
    brandFolder: values.brand === undefined ? undefined : resolve(values.brand),
    blockTimeMs: duration('block-time', values['block-time']),
    seed: values.seed,
    dataDirectory: values.data,
    reset: values.reset,
    exitAfterReward: values['exit-after-reward'],
    timeLimitMs: duration('time-limit', values['time-limit']),
  }
}
