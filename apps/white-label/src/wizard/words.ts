import { firstLanguage, isOfApp, type LanguageTag, languageNames, showLanguage } from '../i18n/languages.ts'
import { makeTexts, type TextOf } from '../i18n/make-texts.ts'
import type english from './i18n/en.json'
import { make } from './make.ts'
import { keepChoice, storedChoice } from './stored.ts'

export type WordKey = keyof typeof english

const dictionaries = import.meta.glob<Readonly<Record<string, string>>>('./i18n/*.json', {
  eager: true,
  import: 'default',
})

/** The choice of a language, in the storage of this page. */
const CHOSEN = 'language'

let shown: LanguageTag = 'en'
let textOf: TextOf<WordKey> | undefined

/** Elements that stay while the language changes, with the key of their text. */
const standing: (readonly [element: Element, key: WordKey])[] = []

/** Returns a text in the language of the page. */
export const word: TextOf<WordKey> = (key, values) => textOf?.(key, values) ?? key

/** Keeps the text of an element in the language of the page. */
export function worded<Made extends Element>(element: Made, key: WordKey): Made {
  standing.push([element, key])
  element.textContent = word(key)
  return element
}

/** Returns the name of a language in the language of the page. */
export const languageName = (tag: string): string =>
  new Intl.DisplayNames([shown], { type: 'language' }).of(tag) ?? tag

/** Shows the page in a language. */
async function speak(language: LanguageTag): Promise<void> {
  textOf = await makeTexts(language, { dictionary: dictionaries[`./i18n/${language}.json`] ?? {} })
  shown = language
  showLanguage(language)
  document.title = word('title')
  for (const [element, key] of standing) element.textContent = word(key)
}

/** Shows the page in the language that was chosen before, or else in the browser's. */
export const speakFirst = (): Promise<void> =>
  speak(
    firstLanguage({
      chosen: storedChoice(CHOSEN),
      wanted: navigator.languages,
      enabled: Object.keys(languageNames),
      fallback: 'en',
    }),
  )

/** Creates the field that chooses the language. `onChanged` is called when the page has the other one. */
export function languageField(onChanged: () => void): HTMLLabelElement {
  const options = Object.entries(languageNames).map(([tag, name]) =>
    make('option', { value: tag, textContent: name, lang: tag, selected: tag === shown }),
  )
  const select = make('select', { name: 'language' }, ...options)
  select.addEventListener('change', async () => {
    const { value } = select
    if (!isOfApp(value)) return
    keepChoice(CHOSEN, value)
    await speak(value)
    onChanged()
  })
  return make('label', {}, worded(make('span'), 'language'), select)
}
