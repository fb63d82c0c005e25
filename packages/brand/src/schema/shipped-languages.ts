/** Languages of the app shell, as BCP 47 tags. Arabic is written from right to left. */
export const shippedLanguages = [
  'en',
  'ar',
  'de',
  'es',
  'fr',
  'hi',
  'id',
  'it',
  'ja',
  'ko',
  'pt',
  'ru',
  'tr',
  'zh',
] as const

/** Language tag of texts that come with the app. */
export type ShippedLanguage = (typeof shippedLanguages)[number]

/** True if the app ships texts in this language. */
export const isShippedLanguage = (tag: string): tag is ShippedLanguage =>
  (shippedLanguages as readonly string[]).includes(tag)

/** Returns a tag as browsers write it: `he-IL` for `iw-IL`. Texts under another spelling would not be found. */
export const canonicalTag = (tag: string): string => Intl.getCanonicalLocales(tag)[0] ?? tag
