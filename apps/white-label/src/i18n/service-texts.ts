import type { LanguageTag } from './languages.ts'

type Dictionary = Readonly<Record<string, string>>

const dictionaries = import.meta.glob<{ readonly default: Dictionary }>('./service/*.json')

/** Returns the texts about mining with the screen off. Only packages that have the service carry them. */
export async function serviceTexts(language: LanguageTag): Promise<Dictionary> {
  return (await dictionaries[`./service/${language}.json`]?.())?.default ?? {}
}
