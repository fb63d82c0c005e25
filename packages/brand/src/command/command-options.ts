import { parseArgs } from 'node:util'
import { nearestWord } from '@hailstone/runtime'
import { CommandLineError } from '@hailstone/runtime/node'
import { type Target, targets } from '../checks/check-context.ts'
import type { EnvironmentName } from '../define-brand.ts'
import { type HostName, hostNames } from '../hosts/host-rules.ts'
import { parsePath } from '../layers/path.ts'
import { environmentNames } from '../schema/layer-schema.ts'

const options = {
  env: { type: 'string' },
  target: { type: 'string' },
  set: { type: 'string', multiple: true },
  online: { type: 'boolean' },
  json: { type: 'boolean' },
  check: { type: 'boolean' },
  from: { type: 'string' },
  to: { type: 'string' },
  yes: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  out: { type: 'string' },
  host: { type: 'string' },
  deployed: { type: 'string' },
  only: { type: 'string', multiple: true },
  dir: { type: 'string' },
  id: { type: 'string' },
  name: { type: 'string' },
  token: { type: 'string' },
  ticker: { type: 'string' },
  decimals: { type: 'string' },
  look: { type: 'string' },
  primary: { type: 'string' },
  network: { type: 'string' },
  api: { type: 'string' },
  gateway: { type: 'string' },
  logo: { type: 'string' },
  icon: { type: 'string' },
  verify: { type: 'string' },
  'sign-key': { type: 'string' },
  'public-key': { type: 'string' },
  phone: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

type OptionName = keyof typeof options

const everywhere = ['env', 'target', 'set', 'help'] as const
const network = ['online', 'api', 'gateway'] as const

/** Every command with the options it takes; it refuses the others. */
export const commandOptions = {
  new: [
    ...everywhere,
    ...(['dir', 'id', 'name', 'token', 'ticker', 'decimals', 'look', 'primary', 'network'] as const),
    ...(['api', 'gateway', 'logo', 'icon'] as const),
  ],
  check: [...everywhere, ...network, 'deployed', 'host', 'json'],
  assets: [...everywhere, 'out', 'only'],
  language: ['help'],
  diff: everywhere,
  promote: ['from', 'to', 'target', 'set', 'online', 'yes', 'dry-run', 'help'],
  upgrade: ['check', 'help'],
  preview: [...everywhere, ...network, 'phone'],
  build: [...everywhere, ...network, 'out', 'host', 'sign-key', 'verify', 'public-key', 'json'],
  doctor: everywhere,
} as const satisfies Record<string, readonly OptionName[]>

export type CommandName = keyof typeof commandOptions

/** Parsed arguments of a command. */
export type CommandWords = {
  readonly values: {
    readonly [K in OptionName]?: (typeof options)[K]['type'] extends 'boolean'
      ? boolean
      : (typeof options)[K] extends { multiple: true }
        ? readonly string[]
        : string
  }
  readonly positionals: readonly string[]
  readonly environment: EnvironmentName
  readonly target: Target
  readonly host: HostName
  readonly flags: Readonly<Record<string, unknown>>
}

/** Invalid arguments; the message is shown to the person. */
export class UsageError extends CommandLineError {}

/** @throws {UsageError} for options that the command does not have, and invalid values */
export function readWords(command: CommandName, words: readonly string[]): CommandWords {
  const { values, positionals } = parsed(command, words)
  return {
    values: values as CommandWords['values'],
    positionals,
    environment: choice('env', values.env ?? 'dev', environmentNames),
    target: choice('target', values.target ?? 'web', targets),
    host: choice('host', values.host ?? 'static', hostNames),
    flags: withNetwork(command, values, readSettings(values.set ?? [])),
  }
}

function parsed(command: CommandName, words: readonly string[]) {
  const names: readonly OptionName[] = commandOptions[command]
  const { values, positionals, tokens } = parsedAs(command, names, words)
  for (const token of tokens) {
    if (token.kind === 'option' && !names.some((name) => name === token.name))
      throw unknownOption(command, token.name, names)
  }
  return { values, positionals }
}

function parsedAs(command: CommandName, names: readonly OptionName[], words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true, tokens: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const unknown = /^Unknown option '--([\w-]+)'/.exec(error.message)?.[1]
    throw unknown === undefined ? new UsageError(error.message) : unknownOption(command, unknown, names)
  }
}

function unknownOption(command: CommandName, name: string, names: readonly OptionName[]): UsageError {
  const near = nearestWord(name, names)
  const takers = Object.entries(commandOptions).filter(([, taken]) => taken.some((one) => one === name))
  const whose = takers.length === 0 ? '' : ` It belongs to ${takers.map(([taker]) => taker).join(' and ')}.`
  const hint = near === undefined ? whose : ` Did you mean --${near}?`
  return new UsageError(`hailstone-brand ${command} has no option --${name}.${hint}`)
}

function choice<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value)
  if (found === undefined)
    throw new UsageError(`--${name} should be one of ${allowed.join(', ')}; found "${value}".`)
  return found
}

const dangerous: readonly PropertyKey[] = ['__proto__', 'constructor', 'prototype']

/** Parses `--set a.b=value`: as JSON if possible, else as text. */
function readSettings(settings: readonly string[]): Readonly<Record<string, unknown>> {
  const layer: Record<string, unknown> = {}
  for (const setting of settings) {
    const split = setting.indexOf('=')
    const path = parsePath(setting.slice(0, Math.max(0, split)))
    const isPath =
      path.length > 0 && path.every((part) => typeof part === 'string' && !dangerous.includes(part))
    if (split < 1 || !isPath)
      throw new UsageError(`--set should be a path and a value, as theme.mode=dark; found "${setting}".`)
    place(layer, path, jsonOrText(setting.slice(split + 1)))
  }
  return layer
}

function place(layer: Record<string, unknown>, path: readonly PropertyKey[], value: unknown): void {
  const [first, ...rest] = path.map(String)
  if (first === undefined) return
  if (rest.length === 0) {
    layer[first] = value
    return
  }
  const inner = layer[first]
  const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
  layer[first] = next
  place(next, rest, value)
}

/** Puts `--api` and `--gateway` above the brand, such as the ports a local network took; `--set` wins over both. */
function withNetwork(
  command: CommandName,
  { api, gateway }: { readonly api?: string | undefined; readonly gateway?: string | undefined },
  layer: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (command === 'new' || (api === undefined && gateway === undefined)) return layer
  const set = layer.network
  const chosen = {
    ...(api === undefined ? {} : { api }),
    ...(gateway === undefined ? {} : { poa: [gateway] }),
  }
  if (set === undefined) return { ...layer, network: chosen }
  const isObject = typeof set === 'object' && set !== null && !Array.isArray(set)
  return isObject ? { ...layer, network: { ...chosen, ...set } } : layer
}

/** Parses only what JSON marks as such: a token id of digits must not become a number. */
function jsonOrText(text: string): unknown {
  if (!/^(?:true|false|null|-?\d{1,9}|[[{"].*)$/s.test(text)) return text
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
