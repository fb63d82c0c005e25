import { flagOf } from '../command-line.ts'
import { type CommandName, commands, type OptionSpec } from '../commands.ts'

/** Commands that take a configuration file. */
export const CONFIG_COMMANDS = ['mine', 'fleet', 'bridge', 'send'] as const
export type ConfigCommand = (typeof CONFIG_COMMANDS)[number]

export const isConfigCommand = (command: CommandName | 'text'): command is ConfigCommand =>
  CONFIG_COMMANDS.some((name) => name === command)

/** Options that `send` takes from a file: never the receiver, the amount or the token. */
const KEYS_OF_SEND: ReadonlySet<string> = new Set([
  ...['network', 'api', 'allowInsecure', 'requireEncryption'],
  ...['keyFile', 'passwordFile', 'maxFee', 'json', 'data'],
])

/** A receiver of payouts may stand in a file; that a person has confirmed it may not. */
const NEVER_IN_FILES: ReadonlySet<string> = new Set(['config', 'payoutConfirm'])

/** `--key-file` as a file writes it: `key-file`. */
export const keyOf = (name: string): string => flagOf(name).slice(2)

const optionsOf = (command: ConfigCommand): readonly (readonly [string, OptionSpec])[] =>
  Object.entries<OptionSpec>(commands[command].options).filter(
    ([name]) => !NEVER_IN_FILES.has(name) && (command !== 'send' || KEYS_OF_SEND.has(name)),
  )

/** Keys of a file that a command uses, with the name and the declaration of their options. */
export const keysOf = (
  command: ConfigCommand,
): ReadonlyMap<string, { readonly name: string; readonly spec: OptionSpec }> =>
  new Map(optionsOf(command).map(([name, spec]) => [keyOf(name), { name, spec }]))

/** Every key that a file may have at its top, whichever command reads it. */
export const allKeys: ReadonlyMap<string, { readonly name: string; readonly spec: OptionSpec }> = new Map(
  CONFIG_COMMANDS.flatMap((command) => [...keysOf(command)]),
)
