import { basename } from 'node:path'
import { type NetworkPreset, networkPresets } from '../layers/network-presets.ts'
import { patterns } from '../schema/leaves.ts'
import { isLookName, type LookName, lookNames, looks } from '../theme/looks.ts'
import type { CommandIo } from './command-io.ts'
import { type CommandWords, UsageError } from './command-options.ts'

/** Answers from which a brand is created. */
export type NewAnswers = {
  readonly name: string
  readonly id: string
  readonly tokenHash: string
  readonly primary: string
  readonly look?: LookName | undefined
  readonly network: string
  readonly ticker?: string | undefined
  readonly decimals?: string | undefined
  readonly api?: string | undefined
  readonly gateway?: string | undefined
  readonly logo?: string | undefined
  readonly icon?: string | undefined
}

type Question = {
  readonly text: string
  readonly option: string
  readonly given: string | undefined
  readonly fallback?: string | undefined
  /** Words that are shown in place of the fallback. */
  readonly meaning?: string | undefined
  /** Returns what is wrong with an answer, or null. */
  readonly fault: (answer: string) => string | null
}

const matches = (pattern: RegExp, wanted: string) => (answer: string) =>
  pattern.test(answer) ? null : `It should be ${wanted}.`

/** Derives an id from a name: letters, digits, and hyphens for the rest. */
export const idFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 31)
    .replace(/-+$/, '')

const networks = ['mainnet', 'testnet', 'devnet', 'custom']

/** Returns the coin of a network, with which an app can be tried before there is a token. */
const nativeTokenOf = (network: string): string | undefined =>
  (networkPresets as Readonly<Record<string, NetworkPreset>>)[network]?.nativeToken

/** Reads the options and prompts for missing ones on an interactive terminal. @throws {UsageError} */
export async function newAnswers({ values, positionals }: CommandWords, io: CommandIo): Promise<NewAnswers> {
  const name = await answer(io, {
    text: 'Name of the app',
    option: 'name',
    given: values.name,
    fault: (text) => (text.length >= 1 && text.length <= 30 ? null : 'It should have 1 to 30 characters.'),
  })
  const idFault = matches(patterns.id, 'a letter, then letters, digits and hyphens, 2 to 31 in all')
  const derived = idFrom(name)
  // The id names the folder. Where a folder is named, nobody has to think about it.
  const settled = positionals
    .flatMap((folder) => [derived, idFrom(basename(folder)), 'my-brand'])
    .find((one) => idFault(one) === null)
  const id = await answer(io, {
    text: 'Id, for folders and storage',
    option: 'id',
    given: values.id ?? settled,
    fallback: derived,
    fault: idFault,
  })
  const network = await answer(io, {
    text: `Network (${networks.join(', ')}; devnet is on this machine)`,
    option: 'network',
    given: values.network,
    fallback: 'devnet',
    fault: (text) => (networks.includes(text) ? null : `It should be one of ${networks.join(', ')}.`),
  })
  const tokenHash = await answer(io, {
    text: 'Token hash, 64 hex digits',
    option: 'token',
    given: values.token,
    fallback: nativeTokenOf(network),
    meaning: 'the coin of the network',
    fault: matches(patterns.tokenId, '64 lower-case hex digits'),
  })
  const { look } = values
  if (look !== undefined && !isLookName(look))
    throw new UsageError(`--look should be one of ${lookNames.join(', ')}; found "${look}".`)
  const primary = await answer(io, {
    text: 'Main colour',
    option: 'primary',
    given: values.primary ?? (look === undefined ? undefined : looks[look].primary),
    fallback: '#3a6ea5',
    fault: matches(patterns.colour, 'six hex digits after #, as #3a6ea5'),
  })
  const { ticker, decimals, api, gateway, logo, icon } = values
  return { name, id, tokenHash, primary, look, network, ticker, decimals, api, gateway, logo, icon }
}

async function answer(io: CommandIo, question: Question): Promise<string> {
  const { text, option, given, fallback, meaning = fallback, fault } = question
  if (given !== undefined) {
    const wrong = fault(given)
    if (wrong !== null) throw new UsageError(`--${option}: ${wrong}`)
    return given
  }
  if (io.ask === undefined) {
    if (fallback !== undefined && fault(fallback) === null) return fallback
    throw new UsageError(`--${option} is missing, and there is no terminal to prompt for it.`)
  }
  const suffix = fallback === undefined ? '' : ` [${meaning}]`
  const typed = (await io.ask(`${text}${suffix}: `)).trim() || (fallback ?? '')
  const wrong = fault(typed)
  if (wrong === null) return typed
  io.complain(wrong)
  return answer(io, question)
}
