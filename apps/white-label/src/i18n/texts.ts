import i18next, { type i18n } from 'i18next'
import type english from './en.json'
import type { LanguageTag } from './languages.ts'

/** Keys of the catalogue; plural forms by the key without their ending. */
export type TextKey = WithoutPlural<keyof typeof english>
type WithoutPlural<K> = K extends `${infer Stem}_${'one' | 'other'}` ? Stem : K

/** Values for the `{{names}}` of a text. `count` also chooses the plural form. */
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
  /** Words of the brand in a language; empty when it has none. */
  readonly overrides: (language: LanguageTag) => Promise<Dictionary>
  /** Values that many texts use, such as the name of the app. */
  readonly values: TextValues
}

/** Loads one language: the app's own words under those of the brand. */
export async function loadTexts(language: LanguageTag, { overrides, values }: TextSource): Promise<Texts> {
  const [own, brand] = await Promise.all([dictionaryOf(language), overrides(language)])
  const instance: i18n = i18next.createInstance()
  await instance.init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: { ...own, ...brand } } },
    keySeparator: false,
    nsSeparator: false,
    // What is drawn is text and never markup.
    interpolation: { escapeValue: false, defaultVariables: values },
  })
  return { language, text: (key, given) => instance.t(key as string, { ...given }) }
}
