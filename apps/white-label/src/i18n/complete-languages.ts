import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Dictionary, dictionaryFaults } from './dictionary-faults.ts'
import { languageNames } from './languages.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** A language's texts as they lie beside this file. @throws {Error} when there are none */
export async function readDictionary(language: string, from = folder): Promise<Dictionary> {
  const text = await readFile(`${from}/${language}.json`, 'utf8').catch(() => {
    throw new Error(`There is no dictionary for ${language}: add src/i18n/${language}.json.`)
  })
  return JSON.parse(text) as Dictionary
}

/**
 * Refuses to go on with a language that misses a text, so that no build can show a key or an empty place.
 *
 * @throws {Error} with one line for each fault
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
