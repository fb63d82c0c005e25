import i18next, { type i18n } from 'i18next'
import type { LanguageTag } from './languages.ts'

/** Values for the `{{names}}` in a text. `count` also selects the plural form. */
export type TextValues = Readonly<Record<string, string | number>>

/** Returns the text of a key, with its values. */
export type TextOf<Key extends string> = (key: Key, values?: TextValues) => string

/** Makes the texts of one language from its dictionary. `values` are available in every text. */
export async function makeTexts<Key extends string>(
  language: LanguageTag,
  {
    dictionary,
    values = {},
  }: { readonly dictionary: Readonly<Record<string, string>>; readonly values?: TextValues },
): Promise<TextOf<Key>> {
  const instance: i18n = i18next.createInstance()
  await instance.init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: dictionary } },
    keySeparator: false,
    nsSeparator: false,
    // Texts are rendered as text, never as markup.
    interpolation: { escapeValue: false, defaultVariables: values },
  })
  // A browser may count in another way than the check of the texts did.
  return (key, given) => instance.t(given?.count === undefined ? key : [key, `${key}_other`], { ...given })
}
