import { readFile } from 'node:fs/promises'
import { createGenesis, type DevelopmentAccount } from '@hailstone/ledger'
import {
  type Address,
  addressOf,
  isPrivateKey,
  NodeError,
  type PrivateKey,
  parsePrivateKey,
} from '@hailstone/protocol'
import { hiddenIn, writtenLines, writtenText } from '@hailstone/runtime/node'
import { reasonOf } from '../../logger.ts'

/** Source of the signing key; never the command line itself, which other users can read. */
export type KeySource =
  | { readonly kind: 'account'; readonly name: string; readonly seed: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'stdin' }

export type SigningKey = { readonly address: Address; readonly privateKey: PrivateKey }

const refused = (path: string, expected: string, found: string, cause?: unknown): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path, expected, found }, { cause })

/** The key is the first line that is neither empty nor a note, and the only key of the text. */
function keyOf(bytes: Uint8Array): SigningKey {
  const malformed = (reason: string): NodeError => new NodeError('PRIVATE_KEY_MALFORMED', { reason })
  const [line = '', ...rest] = writtenLines(writtenText(bytes)).filter((text) => !text.startsWith('#'))
  if (line.startsWith('{')) throw malformed('this is a keystore; here a key is one line of 64 hex digits')
  const hidden = hiddenIn(line)
  if (hidden !== null) throw malformed(`it has a character that nobody sees (${hidden})`)
  const privateKey = parsePrivateKey(line)
  if (rest.some((text) => isPrivateKey(text.toLowerCase()) && text.toLowerCase() !== privateKey))
    throw malformed('the text holds several keys, and one is needed')
  return { address: addressOf(privateKey), privateKey }
}

const spelt = (name: string): string => name.toLowerCase().replaceAll('-', ' ')

/**
 * A development account, `developer 1` or `developer-1`.
 *
 * @param network.genesis what the network that is asked says; another seed has other accounts
 */
function developmentKey(
  { name, seed }: Extract<KeySource, { kind: 'account' }>,
  genesis: Address,
): DevelopmentAccount {
  const { accounts } = createGenesis({ seed, time: 0 })
  if (accounts.genesis.address !== genesis)
    throw refused('--seed', 'the seed this network began with', `"${seed}"`)
  const all: readonly DevelopmentAccount[] = Object.values(accounts).flat()
  const account = all.find((one) => spelt(one.name) === spelt(name))
  if (account === undefined)
    throw refused('--as', `one of ${all.map((one) => one.name).join(', ')}`, `"${name}"`)
  return account
}

async function readAll(stream: AsyncIterable<Buffer | string>): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/**
 * Reads the key that signs.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `PRIVATE_KEY_MALFORMED`
 */
export async function readKey(
  source: KeySource,
  genesis: Address,
  stdin: AsyncIterable<Buffer | string>,
): Promise<SigningKey> {
  if (source.kind === 'account') return developmentKey(source, genesis)
  if (source.kind === 'stdin') return keyOf(await readAll(stdin))
  try {
    return keyOf(await readFile(source.path))
  } catch (error) {
    if (error instanceof NodeError) throw error
    throw refused('--key-file', 'a file that can be read', reasonOf(error), error)
  }
}
