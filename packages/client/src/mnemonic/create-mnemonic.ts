import { assertArgument } from '@hailstone/protocol'
import { entropyToMnemonic } from '@scure/bip39'
import { assertNames } from '../assert-names.ts'
import { type RandomBytes, unpredictableBytes } from '../wallet/unpredictable-bytes.ts'
import { assertWordList, englishWords, type WordList } from './word-list.ts'

/** Parameters of {@link createMnemonic}. */
export type CreateMnemonicParameters = {
  /** @default 12, which is as hard to guess as a key */
  readonly words?: 12 | 24 | undefined
  /** @default English */
  readonly wordList?: WordList | undefined
  /** Unpredictable bytes. @default the system's, through `crypto.getRandomValues` */
  readonly randomBytes?: RandomBytes | undefined
}

/**
 * Makes a new recovery phrase (BIP-39). It is a secret: whoever reads it has every account of it.
 *
 * @throws {NodeError} `RANDOMNESS_REFUSED`, `ARGUMENT_INVALID`
 */
export function createMnemonic(parameters: CreateMnemonicParameters = {}): string {
  const { words = 12, wordList = englishWords, randomBytes } = Object(parameters) as CreateMnemonicParameters
  assertNames('of createMnemonic', parameters, ['words', 'wordList', 'randomBytes'])
  assertArgument(words === 12 || words === 24, 'words', '12 or 24', words)
  assertWordList(wordList)
  const entropy = unpredictableBytes(words === 24 ? 32 : 16, randomBytes)
  const mnemonic = entropyToMnemonic(entropy, [...wordList])
  entropy.fill(0)
  return mnemonic
}
