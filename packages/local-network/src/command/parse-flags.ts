import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type KeptPlace, keptPlaceOf, placeFlags } from '@hailstone/database'
import { isTokenId, NodeError } from '@hailstone/protocol'
import { canParseUrl } from '@hailstone/runtime'
import { readCommandLine } from '@hailstone/runtime/node'
import type { LocalNetworkOptions } from '../serve.ts'
import { hasPassword, postgresAddress } from '../store/index.ts'
import { readDuration } from './read-duration.ts'

export const HELP = `hailstone-network – a whole proof-of-activity network on this machine

  --port N             port of the HTTP interface            [4410]
  --gateway-port N     port of the proof-of-activity gateway [4411]
  --boot-node PORT     play a boot node too, which names this gateway
  --host HOST          address to listen on                  [127.0.0.1]
  --block-time TIME    for example 2s, 500ms, 1m             [15s]
  --data DIR           where the chain is kept between runs  [.hailstone/network]
  --database URL       keep it on a PostgreSQL server instead, postgres://…; several processes may share one.
                       Of several hosts (postgres://a,b/name) the one that takes writes is used
  --database-file FILE the same, with the URL read from a file or from HAILSTONE_DATABASE: arguments can be
                       read by everybody on this machine
  --read-database URL  a copy of that server, such as a standby, that answers reads while it is as far as this process;
                       or HAILSTONE_READ_DATABASE
  --require-replica    close nothing and take nothing while that server has no synchronous standby
  --advertise HOST     how the others reach this process     [the host]
  --memory             keep nothing
  --reset              throw the kept chain away and begin a new one
  --dump FILE          at the end, write the whole chain into a file
  --load FILE          begin with such a file; in memory, in a new folder, or with --reset
  --fork URL           begin with balances and tokens of another network, read once from its API
  --account ADDRESS    an account that --fork copies; can be given again
  --population         begin with 90 days of 400 miners that are played first, in a minute or two; a new chain
  --seed TEXT          same seed, same accounts and tokens   [hailstone]
  --native-token ID    64 hex digits; some networks have 63 zeros and a 1 [64 zeros]
  --automine           close blocks at once for each payment that arrives, beside those of the block time
  --no-keep-alive      no payments of the network's own while it is idle
  --no-fallback-miner  nothing is mined unless a miner is connected
  --strict             low-S signatures alone, and hails that prove their key
  --newer-data         take + and = in the data of payments, as newer nodes do
  --app-version TEXT   oldest version of an app that /ver allows, such as 1.2.0
  --allow-host NAME    answer requests for this name too; can be given again
  --allow-origin URL   let pages of this origin mine here too; can be given again
  --max-miners N       connections of the gateway, as the open files allow [12000]
  --control            lets programs on this machine move time, chain and money
  --faults FILE        trouble to make from the start, see the README
  --help               this text; after a command, that of the command
  --version            print the version

Port 0 takes any free port.

hailstone-network openapi [FILE]          the OpenAPI document of the HTTP interface
hailstone-network token create|mint|burn  tokens on a running network; --help tells more`

/** Parsed command. */
export type Order =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'start'
      readonly options: LocalNetworkOptions
      /** A fault script, not read yet. */
      readonly faultsFile: string | undefined
      /** True if the network begins with a population, which is played before it starts. */
      readonly population: boolean
      /** Takes the chain at the end. */
      readonly dumpFile: string | undefined
      /** Sentences for whoever typed the command. */
      readonly warnings: readonly string[]
    }

const refused = (path: string, expected: string, found: string): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path, expected, found })

const FOLDER = '.hailstone/network'

const flags = {
  port: { type: 'string', default: '4410' },
  'gateway-port': { type: 'string', default: '4411' },
  'boot-node': { type: 'string' },
  host: { type: 'string', default: '127.0.0.1' },
  'block-time': { type: 'string', default: '15s' },
  ...placeFlags,
  'read-database': { type: 'string' },
  'require-replica': { type: 'boolean', default: false },
  advertise: { type: 'string' },
  memory: { type: 'boolean', default: false },
  reset: { type: 'boolean', default: false },
  dump: { type: 'string' },
  load: { type: 'string' },
  fork: { type: 'string' },
  account: { type: 'string', multiple: true, default: [] as string[] },
  population: { type: 'boolean', default: false },
  seed: { type: 'string' },
  'native-token': { type: 'string' },
  automine: { type: 'boolean', default: false },
  'no-keep-alive': { type: 'boolean', default: false },
  'no-fallback-miner': { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
  'newer-data': { type: 'boolean', default: false },
  'app-version': { type: 'string' },
  'allow-host': { type: 'string', multiple: true, default: [] as string[] },
  'allow-origin': { type: 'string', multiple: true, default: [] as string[] },
  'max-miners': { type: 'string' },
  control: { type: 'boolean', default: false },
  faults: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'V', default: false },
} as const

const read = (args: readonly string[]) => readCommandLine({ args: [...args], options: flags }).values

function port(flag: string, text: string): number {
  const number = Number(text)
  if (!/^\d{1,5}$/.test(text) || number > 65_535) throw refused(flag, 'a port from 0 to 65535', `"${text}"`)
  return number
}

function ofForm(flag: string, text: string, form: RegExp, expected: string): string {
  if (!form.test(text)) throw refused(flag, expected, `"${text}"`)
  return text
}

const notEmpty = (flag: string, text: string): string => ofForm(flag, text, /\S/, 'a text that is not empty')

const count = (text: string): number =>
  Number(ofForm('--max-miners', text, /^[1-9]\d{0,6}$/, 'a number from 1 to 9999999'))

function durationMs(flag: string, text: string): number {
  const ms = readDuration(text)
  if (!(ms >= 100 && ms <= 3_600_000))
    throw refused(flag, 'a time from 100ms to 60m, such as 2s', `"${text}"`)
  return ms
}

const hostName = (text: string): string =>
  ofForm('--allow-host', text, /^[^\s/?#@]+$/, 'a name or an address alone, or *')

/** An origin as browsers send it: with another spelling no page would be allowed. */
const origin = (text: string): string =>
  ofForm(
    ...(['--allow-origin', text, /^(?:\*|null|[a-z][a-z\d+.-]*:\/\/[^\s/?#@A-Z]+)$/] as const),
    'an origin in lower case without a path, such as https://app.example, or *',
  )

function databaseUrl(text: string): string {
  postgresAddress(text)
  return text
}

const OPEN_READ_PASSWORD =
  'Everybody on this machine can read the password in --read-database, in the list of processes. Put the URL into HAILSTONE_READ_DATABASE.'

/** Returns the address of a copy for reads, and warnings about its password. */
function readDatabaseOf(
  given: ReturnType<typeof read>,
  environment: Readonly<Record<string, string | undefined>>,
  { database }: KeptPlace,
): { readonly url: string | undefined; readonly warnings: readonly string[] } {
  const flag = given['read-database']
  const url = flag ?? (environment.HAILSTONE_READ_DATABASE || undefined)
  if (url === undefined) return { url, warnings: [] }
  const name = flag === undefined ? 'HAILSTONE_READ_DATABASE' : '--read-database'
  if (database === undefined) throw refused(name, 'used with a database on a server', 'none')
  const isOpen = hasPassword(databaseUrl(url)) && flag !== undefined
  return { url, warnings: isOpen ? [OPEN_READ_PASSWORD] : [] }
}

function replicaRequired(given: ReturnType<typeof read>, { database }: KeptPlace): boolean {
  if (given['require-replica'] && database === undefined)
    throw refused('--require-replica', 'used with a database on a server', 'none')
  return given['require-replica']
}

/** True for a folder, false for anything else, undefined if there is nothing. */
const isFolder = (path: string): boolean | undefined =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory()

function fileToWrite(text: string): string {
  const path = resolve(notEmpty('--dump', text))
  if (isFolder(dirname(path)) !== true || isFolder(path) === true)
    throw refused('--dump', 'a file in a folder that is there', text)
  return path
}

function fileToRead(text: string): string {
  if (isFolder(text) !== false) throw refused('--load', 'a file that --dump wrote', `"${text}"`)
  return text
}

/** Returns the accounts of another network to begin with, if one is named. */
function forkOf({ fork, account }: ReturnType<typeof read>): LocalNetworkOptions['fork'] {
  if (fork === undefined && account.length > 0)
    throw refused('--account', 'used with --fork', account.join(', '))
  if (fork === undefined) return undefined
  if (!canParseUrl(fork)) throw refused('--fork', 'the URL of an API', `"${fork}"`)
  if (account.length === 0) throw refused('--fork', 'used with one --account or more', 'none')
  return { apiUrl: fork, accounts: account }
}

function checkPopulation(
  { population, load, fork, ...given }: ReturnType<typeof read>,
  { database }: KeptPlace,
): void {
  if (!population) return
  const others = { load, fork, database, 'native-token': given['native-token'] }
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? []
  if (other !== undefined) throw refused('--population', `used without --${other}`, 'both')
}

function tokenId(text: string): string {
  if (!isTokenId(text)) throw refused('--native-token', '64 hex digits, lower case', `"${text}"`)
  return text
}

/**
 * @throws {CommandLineError} for a flag that does not exist
 * @throws {NodeError} `CONFIGURATION_INVALID`, which names the flag
 */
export function parseFlags(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
): Order {
  const given = read(args)
  if (given.help || given.version) return { kind: given.help ? 'help' : 'version' }
  const bootNode = given['boot-node']
  const place = keptPlaceOf(given, environment, { isMemory: given.memory })
  checkPopulation(given, place)
  if (given.advertise !== undefined && place.database === undefined)
    throw refused('--advertise', 'used with a database, which several processes share', 'none')
  if (given.memory && given.reset)
    throw refused('--reset', 'used without --memory, which keeps nothing', 'both')
  const readDatabase = readDatabaseOf(given, environment, place)
  return {
    kind: 'start',
    warnings: [...place.warnings, ...readDatabase.warnings],
    dumpFile: given.dump === undefined ? undefined : fileToWrite(given.dump),
    population: given.population,
    faultsFile: given.faults === undefined ? undefined : notEmpty('--faults', given.faults),
    options: {
      host: notEmpty('--host', given.host),
      apiPort: port('--port', given.port),
      gatewayPort: port('--gateway-port', given['gateway-port']),
      ...(bootNode === undefined ? {} : { bootNode: { port: port('--boot-node', bootNode) } }),
      blockTimeMs: durationMs('--block-time', given['block-time']),
      dataDirectory: given.memory || place.database !== undefined ? undefined : (place.folder ?? FOLDER),
      database: place.database,
      readDatabase: readDatabase.url,
      requireReplica: replicaRequired(given, place),
      advertise: given.advertise === undefined ? undefined : notEmpty('--advertise', given.advertise),
      seed: given.seed === undefined ? undefined : notEmpty('--seed', given.seed),
      nativeTokenId: given['native-token'] === undefined ? undefined : tokenId(given['native-token']),
      reset: given.reset,
      load: given.load === undefined ? undefined : fileToRead(given.load),
      fork: forkOf(given),
      automine: given.automine,
      keepAlive: !given['no-keep-alive'],
      fallbackMiner: !given['no-fallback-miner'],
      control: given.control,
      mode: given.strict ? 'strict' : 'public',
      newerData: given['newer-data'],
      ...(given['app-version'] === undefined
        ? {}
        : { appVersion: { minimum: notEmpty('--app-version', given['app-version']) } }),
      allowHosts: given['allow-host'].map(hostName),
      allowOrigins: given['allow-origin'].map(origin),
      ...(given['max-miners'] === undefined ? {} : { gateway: { maxMiners: count(given['max-miners']) } }),
    },
  }
}
