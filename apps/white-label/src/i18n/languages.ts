/** Languages of the app by their own names. A brand enables some of them. */
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

export type LanguageTag = keyof typeof languageNames

export const isLanguageTag = (tag: string): tag is LanguageTag => Object.hasOwn(languageNames, tag)

export const directionOf = (tag: string): 'ltr' | 'rtl' => (tag === 'ar' ? 'rtl' : 'ltr')

/** Sets the language and the reading direction of the page. */
export function showLanguage(tag: LanguageTag): void {
  document.documentElement.lang = tag
  document.documentElement.dir = directionOf(tag)
}

/** Returns the initial language: chosen before, else the device's first supported one, else the brand's. */
export function firstLanguage(parameters: {
  readonly chosen: string | null
  readonly wanted: readonly string[]
  readonly enabled: readonly string[]
  readonly fallback: string
}): LanguageTag {
  const { chosen, wanted, enabled, fallback } = parameters
  const candidates = [chosen, ...wanted.map((tag) => tag.split('-')[0] ?? ''), fallback, 'en']
  const found = candidates.find((tag) => tag !== null && enabled.includes(tag) && isLanguageTag(tag))
  return found !== undefined && found !== null && isLanguageTag(found) ? found : 'en'
}
