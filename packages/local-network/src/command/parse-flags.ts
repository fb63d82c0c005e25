import { parseArgs } from 'node:util'
import { NodeError } from '@hailstone/protocol'
import type { LocalNetworkOptions } from '../serve.ts'
import { postgresAddress } from '../store/index.ts'
import { unreadableFlags } from './unreadable-flags.ts'

export const HELP = `hailstone-network – a whole proof-of-activity network on this machine

  --port N             port of the HTTP interface            [4410]
  --gateway-port N     port of the proof-of-activity gateway [4411]
  --host HOST          address to listen on                  [127.0.0.1]
  --block-time TIME    for example 2s, 500ms, 1m             [15s]
  --data DIR           where the chain is kept between runs  [.hailstone/network]
  --database URL       keep it on a PostgreSQL server instead, postgres://…; several processes may share one
  --advertise HOST     how the others reach this process     [the host]
  --memory             keep nothing
  --reset              throw the kept chain away and begin a new one
  --seed TEXT          same seed, same accounts and tokens   [hailstone]
  --no-keep-alive      no payments of the network's own while it is idle
  --no-house-miner     nothing is mined unless a miner is connected
  --strict             low-S signatures alone, and hails that prove their key
  --allow-host NAME    answer requests for this name too; can be given again
  --control            lets programs on this machine move time, chain and money
  --faults FILE        trouble to make from the start, see the README
  --help               this text

Port 0 takes any free port.

hailstone-network openapi [FILE]          the OpenAPI document of the HTTP interface
hailstone-network token create|mint|burn  tokens on a running network; --help tells more`

/** What the command was asked to do. */
export type Order =
  | { readonly kind: 'help' }
  | {
      readonly kind: 'start'
      readonly options: LocalNetworkOptions
      /** A fault script, not read yet. */
      readonly faultsFile: string | undefined
    }

const refused = (path: string, expected: string, found: string): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path, expected, found })

const flags = {
  port: { type: 'string', default: '4410' },
  'gateway-port': { type: 'string', default: '4411' },
  host: { type: 'string', default: '127.0.0.1' },
  'block-time': { type: 'string', default: '15s' },
  data: { type: 'string', default: '.hailstone/network' },
  database: { type: 'string' },
  advertise: { type: 'string' },
  memory: { type: 'boolean', default: false },
  reset: { type: 'boolean', default: false },
  seed: { type: 'string' },
  'no-keep-alive': { type: 'boolean', default: false },
  'no-house-miner': { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
  'allow-host': { type: 'string', multiple: true, default: [] as string[] },
  control: { type: 'boolean', default: false },
  faults: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags }).values
  } catch (error) {
    throw unreadableFlags(error)
  }
}

function port(flag: string, text: string): number {
  const number = Number(text)
  if (!/^\d{1,5}$/.test(text) || number > 65_535) throw refused(flag, 'a port from 0 to 65535', `"${text}"`)
  return number
}

const unitsMs = { ms: 1, s: 1000, m: 60_000 } as const

function durationMs(flag: string, text: string): number {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? []
  const ms = Number(digits) * unitsMs[unit as keyof typeof unitsMs]
  if (!(ms >= 100 && ms <= 3_600_000))
    throw refused(flag, 'a time from 100ms to 60m, such as 2s', `"${text}"`)
  return ms
}

function notEmpty(flag: string, text: string): string {
  if (text.trim() === '') throw refused(flag, 'a text that is not empty', '""')
  return text
}

const folderOf = (given: {
  memory: boolean
  data: string
  database?: string | undefined
}): string | undefined =>
  given.memory || given.database !== undefined ? undefined : notEmpty('--data', given.data)

function assertOnePlace({ memory, database }: { memory: boolean; database?: string | undefined }): void {
  if (memory && database !== undefined)
    throw refused('--memory', 'used without --database, which keeps everything', 'both')
}

function databaseOf(url: string): string {
  postgresAddress(url)
  return url
}

/** @throws {NodeError} `CONFIGURATION_INVALID`, which names the flag */
export function parseFlags(args: readonly string[]): Order {
  const given = read(args)
  if (given.help) return { kind: 'help' }
  assertOnePlace(given)
  return {
    kind: 'start',
    faultsFile: given.faults === undefined ? undefined : notEmpty('--faults', given.faults),
    options: {
      host: notEmpty('--host', given.host),
      apiPort: port('--port', given.port),
      gatewayPort: port('--gateway-port', given['gateway-port']),
      blockTimeMs: durationMs('--block-time', given['block-time']),
      dataDirectory: folderOf(given),
      database: given.database === undefined ? undefined : databaseOf(given.database),
      advertise: given.advertise === undefined ? undefined : notEmpty('--advertise', given.advertise),
      seed: given.seed === undefined ? undefined : notEmpty('--seed', given.seed),
      reset: given.reset,
      keepAlive: !given['no-keep-alive'],
      houseMiner: !given['no-house-miner'],
      control: given.control,
      mode: given.strict ? 'strict' : 'public',
      allowHosts: given['allow-host'].map((name) => notEmpty('--allow-host', name)),
    },
  }
}
