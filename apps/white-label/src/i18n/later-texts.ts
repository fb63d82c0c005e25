import { useEffect, useState } from 'react'
import { useTexts } from '../app/app-context.ts'
import type { LanguageTag } from './languages.ts'
import type english from './later/en.json'
import { makeTexts, type TextOf, type TextValues } from './make-texts.ts'
import type { TextKey, Texts, WithoutPlural } from './texts.ts'

export type LaterKey = WithoutPlural<keyof typeof english>

export type Loaded = { readonly default: Readonly<Record<string, string>> }
type Dictionaries = Readonly<
  Record<string, () => Promise<{ readonly default: Readonly<Record<string, string>> }>>
>

/**
 * Returns a hook for texts that are loaded on first use, to keep them out of the first page. The hook returns null while
 * they load. If a language fails to load, it returns the English texts, and the next view tries that language again. It
 * throws if the English texts fail to load as well.
 *
 * @param dictionaries loaders by path; the path ends with the language, as in `/en.json`
 */
export function textsOnUse<Key extends string>(dictionaries: Dictionaries): () => TextOf<Key> | null {
  const loaded = new Map<string, TextOf<Key>>()
  const paths = Object.keys(dictionaries)

  async function load(language: LanguageTag, own: Texts['own'] = {}): Promise<TextOf<Key>> {
    const path = paths.find((one) => one.endsWith(`/${language}.json`)) ?? ''
    const dictionary = (await dictionaries[path]?.())?.default
    return makeTexts(language, { dictionary: { ...dictionary, ...own } })
  }

  return () => {
    const { language, own } = useTexts()
    const [found, setFound] = useState<{ readonly instead?: TextOf<Key>; readonly fault?: unknown }>({})
    useEffect(() => {
      let isOver = false
      const show = (next: typeof found): void => {
        if (!isOver) setFound(next)
      }
      if (!loaded.has(language)) {
        load(language, own)
          .then((texts) => {
            loaded.set(language, texts)
            return texts
          })
          .catch(() => load('en'))
          .then(
            (instead) => show({ instead }),
            (fault: unknown) => show({ fault }),
          )
      }
      return () => {
        isOver = true
      }
    }, [language, own])
    if (found.fault !== undefined) throw found.fault
    return loaded.get(language) ?? found.instead ?? null
  }
}

export const useLaterTexts = textsOnUse<LaterKey>(import.meta.glob<Loaded>('./later/*.json'))

/**
 * Returns the texts of a view that is loaded on first use: those with this prefix come with it and are empty until they
 * are there, all others are those that the app begins with.
 */
export function useViewTexts(
  prefix: 'import.' | 'log.' | 'policy.' | 'signIn.' | 'statistics.',
): (key: TextKey | LaterKey, values?: TextValues) => string {
  const { text } = useTexts()
  const later = useLaterTexts()
  return (key, values) =>
    key.startsWith(prefix) && key !== 'log.title'
      ? (later?.(key as LaterKey, values) ?? '')
      : text(key as TextKey, values)
}
