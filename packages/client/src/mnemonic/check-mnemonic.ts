import { assertArgument } from '@hailstone/protocol'
import { validateMnemonic } from '@scure/bip39'
import { assertNames } from '../assert-names.ts'
import { nearestWord } from './nearest-word.ts'
import { assertWordList, englishWords, type WordList, wordsOf } from './word-list.ts'

/** Options of {@link checkMnemonic}. */
export type CheckMnemonicOptions = {
  /** @default English */
  readonly wordList?: WordList | undefined
}

/** A word of a recovery phrase that is not in the word list, with a proposal. */
export type WrongWord = {
  /** Counted from 1. */
  readonly position: number
  /** The word that is not in the list. */
  readonly word: string
  /** The word of the list that was most likely meant. */
  readonly nearest: string
}

/** Problem found in a recovery phrase, for the person who types it. Never log it: it contains words of the phrase. */
export type MnemonicCheck =
  | { readonly ok: true }
  | { readonly ok: false; readonly problem: 'count'; readonly count: number }
  | { readonly ok: false; readonly problem: 'words'; readonly wrong: readonly WrongWord[] }
  /** Every word is in the list, but they do not belong together: one is another, or two are exchanged. */
  | { readonly ok: false; readonly problem: 'checksum' }

/**
 * Looks at a recovery phrase while it is typed: number of words, each word, and whether they belong together.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`, which repeats nothing of the phrase
 */
export function checkMnemonic(text: string, options: CheckMnemonicOptions = {}): MnemonicCheck {
  assertNames('of checkMnemonic', options, ['wordList'])
  const { wordList = englishWords } = Object(options) as CheckMnemonicOptions
  // A list of words would be a phrase, too: what was found is not repeated.
  assertArgument(typeof text === 'string', 'text', 'a recovery phrase as one text', {})
  assertWordList(wordList)
  const words = wordsOf(text)
  const known = new Set(wordList.map((word) => word.normalize('NFKD')))
  const wrong = words.flatMap((word, index) =>
    known.has(word) ? [] : [{ position: index + 1, word, nearest: nearestWord(word, wordList) }],
  )
  if (words.length !== 12 && words.length !== 24) return { ok: false, problem: 'count', count: words.length }
  if (wrong.length > 0) return { ok: false, problem: 'words', wrong }
  if (!validateMnemonic(words.join(' '), [...wordList])) return { ok: false, problem: 'checksum' }
  return { ok: true }
}
