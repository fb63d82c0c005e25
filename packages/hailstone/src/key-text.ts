import { type Wallet, walletFromPrivateKey } from '@hailstone/client'
import { keystoreError, NodeError } from '@hailstone/protocol'
import { hiddenIn, writtenLines } from '@hailstone/runtime/node'

/** Files of keystores are JSON, files of keys are one line of hex. */
export const isKeystoreText = (text: string): boolean => text.trimStart().startsWith('{')

/** Lines of a written text that are neither empty nor notes. */
const tellingLines = (text: string): readonly string[] =>
  writtenLines(text).filter((line) => !line.startsWith('#'))

const refusedKey = (reason: string): NodeError => new NodeError('PRIVATE_KEY_MALFORMED', { reason })

const isHexKey = (text: string): boolean =>
  text.length === 64 && [...text].every((digit) => '0123456789abcdefABCDEF'.includes(digit))

/**
 * Refuses a text that is no line of hex by saying what it is.
 *
 * @throws {NodeError} `PRIVATE_KEY_MALFORMED`
 */
function assertKeyForm(key: string): void {
  if (isKeystoreText(key)) throw refusedKey('this is a keystore; here a key is one line of 64 hex digits')
  const hidden = hiddenIn(key)
  if (hidden !== null) throw refusedKey(`it has a character that nobody sees (${hidden})`)
}

/**
 * The key in a text that a person wrote: its first line that is neither empty nor begins with `#`.
 *
 * @throws {NodeError} `PRIVATE_KEY_MALFORMED`, also for a text with several keys
 */
export function keyIn(text: string): string {
  const [key = '', ...rest] = tellingLines(text)
  assertKeyForm(key)
  if (rest.some((line) => isHexKey(line) && line !== key))
    throw refusedKey('the text holds several keys, and one is needed; `hailstone fleet` takes many')
  return key
}

/** A word of a recovery phrase is far shorter than a key. */
const LONGEST_WORD = 32

/** The words of a text that is a recovery phrase, of one or more lines, with one space between them; null for others. */
export function phraseIn(text: string): string | null {
  const words = tellingLines(text).flatMap((line) => line.split(' ').filter((word) => word !== ''))
  return words.length < 2 || words.some((word) => word.length > LONGEST_WORD) ? null : words.join(' ')
}

/** Opens the wallet of the key in a text that a person wrote. */
export const walletOfKeyText = (text: string, options?: Parameters<typeof walletFromPrivateKey>[1]): Wallet =>
  walletFromPrivateKey(keyIn(text), options)

function isOfEthereum(text: string): boolean {
  try {
    const { version, crypto, Crypto } = JSON.parse(text.trim()) as Record<string, unknown>
    return version === 3 && (crypto ?? Crypto) !== undefined
  } catch {
    return false
  }
}

/**
 * Refuses a keystore of another kind of program by saying what it is.
 *
 * @throws {NodeError} `KEYSTORE_MALFORMED`
 */
export function assertKeystoreForm(text: string): void {
  if (isOfEthereum(text))
    throw keystoreError('KEYSTORE_MALFORMED', {
      reason:
        'it is a keystore of Ethereum (version 3), which this program does not open; `hailstone wallet import` takes the key in it as 64 hex digits',
    })
}
