import type english from './en.json'
import type { LanguageTag } from './languages.ts'
import { makeTexts, type TextOf, type TextValues } from './make-texts.ts'
import type ofService from './service/en.json'

export type { TextValues } from './make-texts.ts'

/**
 * Keys of the texts; plural forms by their key without the ending. Those of the service are in the packages that have it,
 * and nowhere else.
 */
export type TextKey = WithoutPlural<keyof typeof english | keyof typeof ofService>
export type WithoutPlural<K> = K extends `${infer Stem}_${'one' | 'other'}` ? Stem : K

type Dictionary = Readonly<Record<string, string>>

export type Texts = {
  readonly language: LanguageTag
  readonly text: TextOf<TextKey>
  /** Texts of the brand, which replace those of the app. */
  readonly own: Dictionary
}

const dictionaries = import.meta.glob<{ readonly default: Dictionary }>('./*.json')

async function dictionaryOf(language: LanguageTag): Promise<Dictionary> {
  const load = dictionaries[`./${language}.json`]
  const own = load === undefined ? {} : (await load()).default
  if (!APP_HAS_SERVICE) return own
  const { serviceTexts } = await import('./service-texts.ts')
  return { ...own, ...(await serviceTexts(language)) }
}

export type TextSource = {
  /** Returns the brand's own texts of a language; empty if it has none. */
  readonly overrides: (language: LanguageTag) => Promise<Dictionary>
  /** Values available in every text, such as the name of the app. */
  readonly values: TextValues
}

/** Loads one language. Texts of the brand override those of the app. @throws what `overrides` throws */
export async function loadTexts(language: LanguageTag, { overrides, values }: TextSource): Promise<Texts> {
  const [dictionary, own] = await Promise.all([dictionaryOf(language), overrides(language)])
  return { language, own, text: await makeTexts(language, { dictionary: { ...dictionary, ...own }, values }) }
}
