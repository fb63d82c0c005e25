import { directionOf } from '@hailstone/brand/runtime'

/** Languages of the app by their own names. A brand enables some of them, and may bring others. */
export const languageNames = {
  en: 'English',
  ar: 'العربية',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  hi: 'हिन्दी',
  id: 'Bahasa Indonesia',
  it: 'Italiano',
  ja: '日本語',
  ko: '한국어',
  pt: 'Português',
  ru: 'Русский',
  tr: 'Türkçe',
  zh: '中文',
} as const satisfies Readonly<Record<string, string>>

/** BCP 47 tag of a language of the app or of the brand. */
export type LanguageTag = string

/** True if the app itself has the texts of a language. */
export const isOfApp = (tag: LanguageTag): tag is keyof typeof languageNames =>
  Object.hasOwn(languageNames, tag)

/** Returns the name of a language in that language, or in the one of the browser if the browser does not know it. */
export function languageName(tag: LanguageTag): string {
  if (isOfApp(tag)) return languageNames[tag]
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

/** Sets the language and the reading direction of the page. */
export function showLanguage(tag: LanguageTag): void {
  document.documentElement.lang = tag
  document.documentElement.dir = directionOf(tag)
}

/** Returns the languages that somebody with this one reads, the closest first: zh-TW, zh-Hant, zh. */
function closest(tag: string): readonly string[] {
  const parts = tag.split('-')
  const shorter = parts.map((_, cut) => parts.slice(0, parts.length - cut).join('-'))
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return [...shorter.slice(0, -1), `${language}-${script}`, ...shorter.slice(-1)]
  } catch {
    // Some browsers pass on what the system is set to, such as `c`.
    return shorter
  }
}

/**
 * Returns the initial language: chosen before, else the device's first supported one, else the brand's.
 *
 * @param parameters.enabled languages with texts
 */
export function firstLanguage(parameters: {
  readonly chosen: string | null
  readonly wanted: readonly string[]
  readonly enabled: readonly string[]
  readonly fallback: string
}): LanguageTag {
  const { chosen, wanted, enabled, fallback } = parameters
  const candidates = [chosen, ...wanted.flatMap(closest), fallback]
  return candidates.find((tag) => tag !== null && enabled.includes(tag)) ?? 'en'
}
