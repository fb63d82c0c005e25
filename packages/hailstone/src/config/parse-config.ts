import { dirname, resolve } from 'node:path'
import { nearestWord } from '@hailstone/runtime'
import { LOOKS_LIKE_KEY } from '../command-line.ts'
import type { OptionSpec } from '../commands.ts'
import { parseWebhookTable, type WebhookSettings } from '../webhook/webhook-settings.ts'
import { checkAddresses } from './check-address.ts'
import { configFailure } from './config-failure.ts'
import { allKeys, type ConfigCommand, keysOf } from './config-keys.ts'
import type { ConfigTable } from './read-config-file.ts'

type OptionValue = string | boolean | readonly string[]

/** Settings of a file, as options of a command. */
export type Config = {
  readonly options: Readonly<Record<string, OptionValue>>
  readonly webhook: WebhookSettings | null
}

/** Keys under which people try to write down a secret, and the key that names its file instead. */
const SECRET_KEYS: Readonly<Record<string, string>> = {
  key: 'key-file',
  'private-key': 'key-file',
  privatekey: 'key-file',
  hex: 'key-file',
  seed: 'key-file',
  mnemonic: 'key-file',
  phrase: 'key-file',
  words: 'key-file',
  keys: 'keys-file',
  password: 'password-file',
  passphrase: 'password-file',
  'health-token': 'health-token-file',
  secret: '[webhook] secret-file',
}

const PHRASE = /^(?:[a-z]{3,8} ){11,23}[a-z]{3,8}$/

/** True if a text may be a key, a phrase, a secret of webhooks, or an address with a password. */
const isSecret = (text: string): boolean =>
  LOOKS_LIKE_KEY.test(text) ||
  PHRASE.test(text.trim()) ||
  /^whsec_/.test(text) ||
  /^\w+:\/\/[^/?#]*@/.test(text)

/** A key is repeated only if it looks like one: what stands in its place may be a secret. */
const isShown = (key: string): boolean => /^[a-z][a-z-]{0,31}$/i.test(key)
const shown = (key: string): string => (isShown(key) ? `"${key}"` : 'a key')

const SECRETS = 'Secrets are never written into this file, which is copied and shown'

/** Refuses what looks like a secret, wherever it stands. Ids of tokens look like keys. */
function refuseSecret(key: string, value: unknown): void {
  const instead = Object.hasOwn(SECRET_KEYS, key.toLowerCase()) ? SECRET_KEYS[key.toLowerCase()] : undefined
  if (instead !== undefined)
    throw configFailure(`${SECRETS}: instead of "${key}" name a file with ${instead}.`)
  for (const one of [value].flat())
    if (typeof one === 'string' && key !== 'token' && isSecret(one))
      throw configFailure(`${SECRETS}: the value of ${shown(key)} looks like one. If it is real, replace it.`)
}

function unknownKey(key: string, known: Iterable<string>): never {
  if (!isShown(key))
    throw configFailure(
      'A key in the file is no setting. It is not repeated here, since it has characters that no setting has.',
    )
  const near = nearestWord(key, known)
  throw configFailure(
    `There is no setting ${shown(key)}.${near === undefined ? '' : ` Did you mean "${near}"?`}`,
  )
}

const FILE_VALUES: ReadonlySet<string> = new Set(['FILE', 'DIR'])

function optionValue(key: string, value: unknown, spec: OptionSpec, folder: string): OptionValue {
  if (spec.value === undefined) {
    if (typeof value === 'boolean') return value
    throw configFailure(`"${key}" should be true or false.`)
  }
  const isPath = FILE_VALUES.has(spec.value)
  if (spec.isMultiple) {
    const list = typeof value === 'string' ? [value] : value
    if (!Array.isArray(list) || !list.every((one) => typeof one === 'string' && one !== ''))
      throw configFailure(`"${key}" should be a text or a list of texts.`)
    checkAddresses(key, list)
    return list
  }
  const text = Number.isSafeInteger(value) && !isPath ? String(value) : value
  if (typeof text !== 'string' || text === '')
    throw configFailure(`"${key}" should be ${isPath ? 'a path' : 'a text or a whole number'}.`)
  if (spec.choices !== undefined && !spec.choices.includes(text))
    throw configFailure(`"${key}" should be one of: ${spec.choices.join(', ')}.`)
  // As seen from the file, which may be read from anywhere.
  return isPath ? resolve(folder, text) : text
}

/**
 * Turns the table of a file into options. Keys of other commands are checked as well and left out: one file may serve
 * several commands.
 *
 * @throws {CommandFailure} that names the key and no value
 */
export function parseConfig(table: ConfigTable, path: string, command: ConfigCommand): Config {
  const folder = dirname(resolve(path))
  const options: Record<string, OptionValue> = {}
  const own = keysOf(command)
  let webhook: WebhookSettings | null = null
  for (const [key, value] of Object.entries(table)) {
    if (key === 'webhook') {
      webhook = parseWebhookTable(value, { folder, refuseSecret, unknownKey })
      continue
    }
    refuseSecret(key, value)
    const found = allKeys.get(key)
    if (found === undefined) unknownKey(key, [...allKeys.keys(), 'webhook'])
    const { name, spec } = own.get(key) ?? found
    const parsed = optionValue(key, value, spec, folder)
    if (own.has(key)) options[name] = parsed
  }
  return { options, webhook }
}
