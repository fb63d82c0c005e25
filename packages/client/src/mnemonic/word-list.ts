import { assertArgument } from '@hailstone/protocol'
import { wordlist } from '@scure/bip39/wordlists/english.js'

/** The 2048 words of a language in the order of BIP-39, as `@scure/bip39/wordlists/…` has them. */
export type WordList = readonly string[]

/** The English word list of BIP-39, 2048 words in order. */
export const englishWords: WordList = wordlist

/** @throws {NodeError} `ARGUMENT_INVALID` */
export const assertWordList = (wordList: unknown): void =>
  assertArgument(
    Array.isArray(wordList) && wordList.length === englishWords.length,
    'wordList',
    'a list of 2048 words',
    wordList,
  )

/** A phrase as people type it: any case, any blanks, letters composed in any way (BIP-39 asks for NFKD). */
export function wordsOf(text: string): readonly string[] {
  const words = text.normalize('NFKD').toLowerCase().split(/\s+/)
  forgetLastMatch()
  return words.filter((word) => word !== '')
}

/** `RegExp.input` keeps the last text that matched, for everybody in the program to read. */
const forgetLastMatch = (): void => void /(?:)/.test('')
