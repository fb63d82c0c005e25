import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError } from './usage-error.ts'

type Options = NonNullable<ParseArgsConfig['options']>

const network = {
  network: { type: 'string' },
  api: { type: 'string', multiple: true },
  gateway: { type: 'string', multiple: true },
  'allow-insecure': { type: 'boolean' },
} as const satisfies Options

const key = {
  'key-file': { type: 'string' },
  'key-stdin': { type: 'boolean' },
  'password-file': { type: 'string' },
} as const satisfies Options

const everywhere = {
  json: { type: 'boolean' },
  data: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies Options

const mining = {
  token: { type: 'string' },
  agent: { type: 'string' },
} as const satisfies Options

const newKey = {
  out: { type: 'string' },
  plain: { type: 'boolean' },
  'password-file': { type: 'string' },
} as const satisfies Options

/** Every command with its options; what a command does not list, it refuses. */
const commandOptions = {
  mine: {
    ...everywhere,
    ...network,
    ...key,
    ...mining,
    'block-time': { type: 'string' },
    'on-duplicate-key': { type: 'string' },
    'health-port': { type: 'string' },
    supervise: { type: 'boolean' },
  },
  fleet: {
    ...everywhere,
    ...network,
    ...mining,
    'keys-file': { type: 'string' },
    threads: { type: 'string' },
    'block-time': { type: 'string' },
    'on-duplicate-key': { type: 'string' },
    'health-port': { type: 'string' },
  },
  status: { ...everywhere, 'health-port': { type: 'string' } },
  doctor: {
    ...everywhere,
    ...network,
    ...key,
    ...mining,
    address: { type: 'string' },
    strict: { type: 'boolean' },
  },
  'wallet new': { ...everywhere, ...newKey },
  'wallet import': { ...everywhere, ...newKey },
  'wallet show': { ...everywhere, 'key-file': { type: 'string' } },
  'wallet export': { ...everywhere, ...key, out: { type: 'string' }, reveal: { type: 'boolean' } },
  send: {
    ...everywhere,
    ...network,
    ...key,
    to: { type: 'string' },
    amount: { type: 'string' },
    token: { type: 'string' },
    memo: { type: 'string' },
    'max-fee': { type: 'string' },
    yes: { type: 'boolean' },
    resume: { type: 'boolean' },
    'idempotency-key': { type: 'string' },
    'accept-lost': { type: 'boolean' },
  },
  'watch balance': {
    ...everywhere,
    ...network,
    ...key,
    address: { type: 'string' },
    token: { type: 'string' },
  },
  'watch rewards': {
    ...everywhere,
    ...network,
    ...key,
    address: { type: 'string' },
    from: { type: 'string' },
  },
  bridge: {
    ...everywhere,
    listen: { type: 'string' },
    upstream: { type: 'string', multiple: true },
    origin: { type: 'string', multiple: true },
    'tls-cert': { type: 'string' },
    'tls-key': { type: 'string' },
    'behind-proxy': { type: 'boolean' },
    'max-sessions': { type: 'string' },
    'max-per-address': { type: 'string' },
    'health-port': { type: 'string' },
  },
  help: { ...everywhere },
} as const satisfies Record<string, Options>

type CommandName = keyof typeof commandOptions

type OptionsOf<C extends CommandName> = (typeof commandOptions)[C]
type ValueOf<O> = O extends { readonly multiple: true }
  ? readonly string[]
  : O extends { readonly type: 'boolean' }
    ? boolean
    : string

/** What was given to a command, by option. */
export type Given<C extends CommandName> = {
  readonly [Name in keyof OptionsOf<C>]?: ValueOf<OptionsOf<C>[Name]> | undefined
}

/** A command as it was typed. */
export type Order = {
  readonly [C in CommandName]: { readonly command: C; readonly given: Given<C> }
}[CommandName]

/** Names under which people try to hand over a secret. */
const SECRET_OPTION =
  /^--?(?:private-?key|key|secret|seed|mnemonic|phrase|words|pass(?:word|phrase)?|pw|hex)(?:=|$)/i
/** A private key as it is written: 64 hex digits, or 66 with two zeros. Token ids look the same, addresses do not. */
const LOOKS_LIKE_KEY = /^(?:00)?[0-9a-f]{64}$/i
const HASH_OPTIONS = new Set(['--token', '--idempotency-key', '--memo'])

const SECRET_ON_COMMAND_LINE =
  'A secret is never given on the command line: every program on this machine can read it there, and your shell has kept it. ' +
  'Use --key-file or --key-stdin. If it was a real key, move its coins to a new one.'

/** Never repeats what stands there. */
function refuseSecrets(args: readonly string[]): void {
  args.forEach((argument, at) => {
    const isHash = HASH_OPTIONS.has(args[at - 1] ?? '') || /^--(?:token|idempotency-key|memo)=/.test(argument)
    const value = argument.replace(/^--[a-z-]+=/, '')
    if (SECRET_OPTION.test(argument) || (!isHash && LOOKS_LIKE_KEY.test(value))) {
      throw new UsageError(SECRET_ON_COMMAND_LINE)
    }
  })
}

const GROUPS = new Set(['wallet', 'watch'])

function commandOf(args: readonly string[]): { readonly name: string; readonly rest: readonly string[] } {
  const [first = 'help', second = '', ...others] = args
  if (first === '--help' || first === '-h') return { name: 'help', rest: [] }
  if (GROUPS.has(first)) return { name: `${first} ${second}`, rest: others }
  return { name: first, rest: args.slice(1) }
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(commandOptions, name)

/** Only what looks like an option is named; anything else may be a secret. */
function describeFault(error: unknown): string {
  const name = /'(?:-\w, )?(--[a-z-]{2,30})/.exec(error instanceof Error ? error.message : '')?.[1]
  const code = (error as { readonly code?: string }).code
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
    return 'Something stands there that belongs to no option.'
  if (name === undefined) return 'An option cannot be read.'
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `This command has no option ${name}.`
  return `The option ${name} is used wrongly.`
}

/**
 * Reads a command line.
 *
 * @throws {UsageError} which never repeats a value
 */
export function parseCommandLine(args: readonly string[]): Order {
  refuseSecrets(args)
  const { name, rest } = commandOf(args)
  if (!isCommand(name)) throw new UsageError('There is no such command; `hailstone help` lists them.')
  try {
    const { values } = parseArgs({ args: [...rest], options: commandOptions[name], strict: true })
    return { command: name, given: values } as Order
  } catch (error) {
    throw new UsageError(describeFault(error))
  }
}
