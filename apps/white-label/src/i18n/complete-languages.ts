import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Dictionary, dictionaryFaults } from './dictionary-faults.ts'
import { languageNames } from './languages.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** Folders of texts: those of the first page, of views that are loaded on first use, of payouts, and of packages with a service. */
export const dictionaryFolders: readonly string[] = [
  folder,
  ...['later', 'payout', 'service'].map((name) => fileURLToPath(new URL(name, import.meta.url))),
]

/** Reads the texts of one language. @throws {Error} if the file is missing */
export async function readDictionary(language: string, from = folder): Promise<Dictionary> {
  const text = await readFile(`${from}/${language}.json`, 'utf8').catch(() => {
    throw new Error(`There is no dictionary for ${language}: add ${language}.json to the others.`)
  })
  return JSON.parse(text) as Dictionary
}

/**
 * Verifies that every language has all texts, so that no build can show a key or an empty place.
 *
 * @throws {Error} with one line per fault
 */
export async function requireCompleteLanguages(from = folder): Promise<void> {
  const original = await readDictionary('en', from)
  const found = await Promise.all(
    Object.keys(languageNames).map(async (language) =>
      dictionaryFaults(language, { dictionary: await readDictionary(language, from), original }),
    ),
  )
  const faults = found.flat()
  if (faults.length > 0) throw new Error(`Dictionaries are not complete:\n${faults.join('\n')}`)
}
