import { Command, CommanderError, Option } from 'commander'
import { type CommandName, type CommandSpec, commands, type OptionSpec } from './commands.ts'
import { UsageError } from './usage-error.ts'

type OptionsOf<C extends CommandName> = (typeof commands)[C]['options']
type ValueOf<O> = O extends { readonly isMultiple: true }
  ? readonly string[]
  : O extends { readonly value: string }
    ? string
    : boolean
type ArgumentOf<C extends CommandName> = (typeof commands)[C] extends { readonly argument: infer A }
  ? A extends `<${string}`
    ? { readonly argument: string }
    : { readonly argument?: string | undefined }
  : unknown

/** Arguments of a command: its options by name, and the word after its name if it takes one. */
export type Given<C extends CommandName> = {
  readonly [Name in keyof OptionsOf<C>]?: ValueOf<OptionsOf<C>[Name]> | undefined
} & ArgumentOf<C>

/** A command line that was read, or a text that it asks for: help or the version. */
export type Order =
  | { readonly [C in CommandName]: { readonly command: C; readonly given: Given<C> } }[CommandName]
  | { readonly command: 'text'; readonly text: string }

/** Names under which people try to hand over a secret. */
const SECRET_OPTION =
  /^--?(?:private-?key|key|secret|seed|mnemonic|phrase|words|pass(?:word|phrase)?|pw|hex)(?:=|$)/i
/** A private key as it is written: 64 hex digits, or 66 with two zeros. Token ids look the same, addresses do not. */
export const LOOKS_LIKE_KEY = /^(?:00)?[0-9a-f]{64}$/i
const HASH_OPTIONS = new Set(['--token', '--idempotency-key', '--memo'])
/** Commands whose argument is a hash or a token id. */
const HASH_COMMANDS = new Set(['tx', 'token', 'block'])

const SECRET_ON_COMMAND_LINE =
  'A secret is never given on the command line: every program on this machine can read it there, and your shell has kept it. ' +
  'Use --key-file or --key-stdin. If it was a real key, move its coins to a new one.'

/** Refuses what looks like a secret. The message never repeats it. */
function refuseSecrets(args: readonly string[]): void {
  const takesHash = HASH_COMMANDS.has(args[0] ?? '')
  args.forEach((argument, at) => {
    const isHash =
      HASH_OPTIONS.has(args[at - 1] ?? '') ||
      /^--(?:token|idempotency-key|memo)=/.test(argument) ||
      (takesHash && !argument.startsWith('-'))
    const value = argument.replace(/^--[a-z-]+=/, '')
    if (SECRET_OPTION.test(argument) || (!isHash && LOOKS_LIKE_KEY.test(value))) {
      throw new UsageError(SECRET_ON_COMMAND_LINE)
    }
  })
}

/** `keyFile` as it stands on the command line: `--key-file`. */
export const flagOf = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

function optionOf(name: string, { value, isMultiple, choices, about }: OptionSpec): Option {
  const placeholder = value === undefined ? '' : ` <${value}>`
  const option = new Option(`${flagOf(name)}${placeholder}`, about)
  if (choices !== undefined) option.choices(choices)
  // Not a variadic option: that would swallow the words after it.
  if (isMultiple) option.argParser((one: string, before: readonly string[] = []) => [...before, one])
  return option
}

const GROUP_ABOUT: Readonly<Record<string, string>> = {
  wallet: 'Creates, imports, shows and exports keys',
  config: 'Looks at configuration files',
  watch: 'Follows a balance or the rewards of an account',
}

const FOOTER = `
Environment: HAILSTONE_NETWORK, HAILSTONE_API, HAILSTONE_GATEWAY, HAILSTONE_BOOT_NODE,
  HAILSTONE_DATA, HAILSTONE_HEALTH_LISTEN, HAILSTONE_HEALTH_TOKEN_FILE, NO_COLOR.
Keys and passwords are never taken from the command line, where other programs can read them.
Exit codes: EXIT-CODES.md of this package. More about a command: hailstone help COMMAND.`

/**
 * Builds the parser of every command from its declaration.
 *
 * @param onOrder called with the command that was read
 * @param write receives the text of help and version
 */
function createProgram(
  version: string,
  onOrder: (command: CommandName, given: object) => void,
  write: (text: string) => void,
): Command {
  const output = { writeOut: write, writeErr: (): void => undefined }
  const prepare = (command: Command): Command =>
    command.exitOverride().configureOutput(output).configureHelp({ helpWidth: 100 })
  const program = prepare(new Command('hailstone'))
    .description('Mines, pays and answers questions on a proof-of-activity network.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', FOOTER)
  const groups = new Map<string, Command>()
  for (const [path, spec] of Object.entries(commands) as [CommandName, CommandSpec][]) {
    const [first = '', second] = path.split(' ')
    let parent = program
    if (second !== undefined) {
      parent = groups.get(first) ?? prepare(program.command(first))
      parent.description(GROUP_ABOUT[first] ?? '').helpGroup(spec.group)
      groups.set(first, parent)
    }
    const command = prepare(parent.command(second ?? first)).description(spec.about)
    if (second === undefined) command.helpGroup(spec.group)
    command.helpOption('-h, --help', 'print help')
    if (spec.argument !== undefined) command.argument(spec.argument)
    for (const [name, option] of Object.entries(spec.options)) command.addOption(optionOf(name, option))
    command.action((...parsed: readonly unknown[]) => {
      const argument = spec.argument === undefined ? undefined : parsed[0]
      onOrder(path, { ...command.opts(), ...(argument === undefined ? {} : { argument }) })
    })
  }
  return program
}

/** Describes a fault by the names of options and commands alone: anything else may be a secret. */
function describeFault({ code, message }: CommanderError): string {
  const [, suggestion] = /\(Did you mean (?:one of )?([a-z, -]+)\?\)/.exec(message) ?? []
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
  const name = /'(?:-\w, )?(--[a-z-]{2,30})/.exec(message)?.[1]
  switch (code) {
    case 'commander.unknownCommand':
      return `There is no such command.${hint} \`hailstone help\` lists the commands.`
    case 'commander.unknownOption':
      return name === undefined ? 'An option cannot be read.' : `This command has no option ${name}.${hint}`
    case 'commander.excessArguments':
      return 'There is a word that belongs to no option.'
    case 'commander.missingArgument':
      return `${/'(.{1,30})'/.exec(message)?.[1] ?? 'A word'} is missing after the command.`
    case 'commander.optionMissingArgument':
      return `The option ${name} needs a value.`
    case 'commander.invalidArgument': {
      const [, allowed] = /Allowed choices are ([\w, -]+)/.exec(message) ?? []
      return `The option ${name} takes one of: ${allowed}.`
    }
    default:
      return 'The command line cannot be read.'
  }
}

const specs: readonly CommandSpec[] = Object.values(commands)
const flagsWhere = (isMeant: (option: OptionSpec) => boolean): ReadonlySet<string> =>
  new Set(
    specs.flatMap(({ options }) =>
      Object.entries(options).flatMap(([name, option]) => (isMeant(option) ? [flagOf(name)] : [])),
    ),
  )
const allFlags = flagsWhere(() => true)
const valueFlags = flagsWhere(({ value }) => value !== undefined)

/** Refuses an option whose value is the next option, as an empty variable of a shell leaves it. */
function refuseMissingValues(args: readonly string[]): void {
  args.forEach((argument, at) => {
    const next = args[at + 1] ?? ''
    if (valueFlags.has(argument) && allFlags.has(next))
      throw new UsageError(`The option ${argument} needs a value; the next word is the option ${next}.`)
  })
}

const TEXTS = new Set(['commander.help', 'commander.helpDisplayed', 'commander.version'])

/**
 * Reads a command line.
 *
 * @param version text of `--version`
 * @throws {UsageError} without repeating a value
 */
export function parseCommandLine(args: readonly string[], version: string): Order {
  refuseSecrets(args)
  refuseMissingValues(args)
  let order: Order | undefined
  let text = ''
  const program = createProgram(
    version,
    (command, given) => {
      order = { command, given } as Order
    },
    (more) => {
      text += more
    },
  )
  try {
    program.parse(args.length === 0 ? ['--help'] : helpArguments(program, args), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (!TEXTS.has(error.code)) throw new UsageError(describeFault(error))
    if (text === '') text = groupHelp(program, args)
  }
  return order ?? { command: 'text', text: text.trimEnd() }
}

/** Has `help blance` refused as `blance` is: by itself it would print the help of everything. */
function helpArguments({ commands }: Command, args: readonly string[]): readonly string[] {
  const [first, word = '-'] = args
  const isKnown = word === 'help' || word.startsWith('-') || commands.some((one) => one.name() === word)
  return first === 'help' && !isKnown ? args.slice(1) : args
}

/** Help of a group such as `wallet` that was named without one of its commands. */
const groupHelp = (program: Command, [first]: readonly string[]): string =>
  (program.commands.find((command) => command.name() === first) ?? program).helpInformation()
