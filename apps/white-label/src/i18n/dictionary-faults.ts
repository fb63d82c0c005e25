import { isForOneNumber, textsFor } from '@hailstone/brand/check'

/** Texts of one language by key; plural forms end in `_one`, `_few` and so on. */
export type Dictionary = Readonly<Record<string, string>>

const plural = /_(zero|one|two|few|many|other)$/

export const stemOf = (key: string): string => key.replace(plural, '')

const placeholders = (text: string): readonly string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).sort()

/**
 * Returns the faults of a dictionary, one sentence each: missing keys or plural forms, unused keys, empty texts,
 * unknown values. Empty if it is complete.
 */
export function dictionaryFaults(
  language: string,
  { dictionary, original }: { readonly dictionary: Dictionary; readonly original: Dictionary },
): readonly string[] {
  const wanted = new Set(textsFor(language, original).keys())
  const missing = [...wanted].filter((key) => !Object.hasOwn(dictionary, key))
  const surplus = Object.keys(dictionary).filter((key) => !wanted.has(key))
  return [
    ...missing.map((key) => `${language}: ${key} is missing`),
    ...surplus.map((key) => `${language}: ${key} is not a key of the app`),
    ...Object.entries(dictionary)
      .filter(([key]) => wanted.has(key))
      .flatMap(([key, text]) =>
        textFaults(language, key, text, original).map((fault) => `${language}: ${key} ${fault}`),
      ),
  ]
}

function textFaults(language: string, key: string, text: string, original: Dictionary): readonly string[] {
  if (text.trim() === '') return ['is empty']
  const given = placeholders(text)
  const needed = placeholders(original[key] ?? original[`${stemOf(key)}_other`] ?? '')
  const spared =
    isForOneNumber(key, language) && !given.includes('count')
      ? needed.filter((name) => name !== 'count')
      : needed
  if (given.join() === spared.join()) return []
  const list = (names: readonly string[]): string => names.join(', ') || 'nothing'
  return [`names ${list(given)} instead of ${list(needed)}`]
}
