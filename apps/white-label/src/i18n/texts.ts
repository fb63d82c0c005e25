import i18next, { type i18n } from 'i18next'
import type english from './en.json'
import type { LanguageTag } from './languages.ts'

/** Keys of the texts; plural forms by their key without the ending. */
export type TextKey = WithoutPlural<keyof typeof english>
type WithoutPlural<K> = K extends `${infer Stem}_${'one' | 'other'}` ? Stem : K

/** Values for the `{{names}}` in a text. `count` also selects the plural form. */
export type TextValues = Readonly<Record<string, string | number>>

export type Texts = {
  readonly language: LanguageTag
  readonly text: (key: TextKey, values?: TextValues) => string
}

type Dictionary = Readonly<Record<string, string>>

const dictionaries = import.meta.glob<{ readonly default: Dictionary }>('./*.json')

async function dictionaryOf(language: LanguageTag): Promise<Dictionary> {
  const load = dictionaries[`./${language}.json`]
  return load === undefined ? {} : (await load()).default
}

export type TextSource = {
  /** Returns the brand's own texts of a language; empty if it has none. */
  readonly overrides: (language: LanguageTag) => Promise<Dictionary>
  /** Values available in every text, such as the name of the app. */
  readonly values: TextValues
}

/** Loads one language. Texts of the brand override those of the app. */
export async function loadTexts(language: LanguageTag, { overrides, values }: TextSource): Promise<Texts> {
  const [own, brand] = await Promise.all([dictionaryOf(language), overrides(language)])
  const instance: i18n = i18next.createInstance()
  await instance.init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: { ...own, ...brand } } },
    keySeparator: false,
    nsSeparator: false,
    // Texts are rendered as text, never as markup.
    interpolation: { escapeValue: false, defaultVariables: values },
  })
  return { language, text: (key, given) => instance.t(key as string, { ...given }) }
}
