import type { StringCatalogue } from './string-catalogue.ts'

const forms = ['zero', 'one', 'two', 'few', 'many', 'other'] as const
const plural = new RegExp(`_(?:${forms.join('|')})$`)

/**
 * Returns the plural forms of a language. One without rules in this engine has those of English: the engine itself would
 * take those of the machine's language.
 */
function formsOf(language: string): readonly (typeof forms)[number][] {
  if (Intl.PluralRules.supportedLocalesOf(language).length === 0) return ['one', 'other']
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  return forms.filter((form) => pluralCategories.includes(form))
}

/** Largest number that is tried for a plural form: the forms of all languages repeat before it. */
const TRIED = 200

/** True if a key ends in a plural form for one number alone, which may then be spelt as a word. */
export function isForOneNumber(key: string, language: string): boolean {
  if (!plural.test(key)) return false
  const form = key.slice(key.lastIndexOf('_') + 1)
  const rules = new Intl.PluralRules(language)
  return (
    Array.from({ length: TRIED }, (_, number) => number).filter((one) => rules.select(one) === form).length <=
    1
  )
}

/**
 * Returns the texts that a language needs, in English: those of the catalogue, with the plural forms that the language
 * has in place of the English ones.
 *
 * @param language BCP 47 tag
 */
export function textsFor(language: string, catalogue: StringCatalogue): ReadonlyMap<string, string> {
  const pluralCategories = formsOf(language)
  const texts = new Map<string, string>()
  for (const [key, text] of Object.entries(catalogue)) {
    if (!plural.test(key)) {
      texts.set(key, text)
      continue
    }
    const stem = key.replace(plural, '')
    for (const form of pluralCategories) {
      const own = `${stem}_${form}`
      const english = Object.hasOwn(catalogue, own) ? catalogue[own] : catalogue[`${stem}_other`]
      texts.set(own, english ?? text)
    }
  }
  return texts
}

/**
 * True for a text of three words or more that is the English one: such a text was not translated yet. False in the
 * variants of English.
 */
export const isEnglish = (text: string, english: string | undefined, language: string): boolean =>
  text === english &&
  new Intl.Locale(language).language !== 'en' &&
  /\p{L}+ \p{L}+ \p{L}+/u.test(text.replace(/\{\{\w+\}\}/g, ''))
