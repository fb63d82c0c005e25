import type { StringCatalogue } from './string-catalogue.ts'

const forms = ['zero', 'one', 'two', 'few', 'many', 'other'] as const
const plural = new RegExp(`_(?:${forms.join('|')})$`)

/**
 * Returns the texts that a language needs, in English: those of the catalogue, with the plural forms that the language
 * has in place of the English ones.
 *
 * @param language BCP 47 tag
 */
export function textsFor(language: string, catalogue: StringCatalogue): ReadonlyMap<string, string> {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  const texts = new Map<string, string>()
  for (const [key, text] of Object.entries(catalogue)) {
    if (!plural.test(key)) {
      texts.set(key, text)
      continue
    }
    const stem = key.replace(plural, '')
    for (const form of forms.filter((one) => pluralCategories.includes(one))) {
      const own = `${stem}_${form}`
      const english = Object.hasOwn(catalogue, own) ? catalogue[own] : catalogue[`${stem}_other`]
      texts.set(own, english ?? text)
    }
  }
  return texts
}

/** True for a text of three words or more that is the English one: such a text was not translated yet. */
export const isEnglish = (text: string, english: string | undefined): boolean =>
  text === english && /\p{L}+ \p{L}+ \p{L}+/u.test(text.replace(/\{\{\w+\}\}/g, ''))
