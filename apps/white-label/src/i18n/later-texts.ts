import { useEffect, useState } from 'react'
import { useTexts } from '../app/app-context.ts'
import type english from './later/en.json'
import { makeTexts, type TextOf } from './make-texts.ts'
import type { WithoutPlural } from './texts.ts'

export type LaterKey = WithoutPlural<keyof typeof english>

type LaterTexts = TextOf<LaterKey>

const dictionaries = import.meta.glob<{ readonly default: Readonly<Record<string, string>> }>(
  './later/*.json',
)
const loaded = new Map<string, LaterTexts>()

/**
 * Returns the texts of views that are loaded on first use, so that the first page does not carry them. Null until those
 * of the current language are there.
 */
export function useLaterTexts(): LaterTexts | null {
  const { language } = useTexts()
  const [, setLoaded] = useState('')
  useEffect(() => {
    let isOver = false
    async function load(): Promise<void> {
      const dictionary = (await dictionaries[`./later/${language}.json`]?.())?.default ?? {}
      loaded.set(language, await makeTexts(language, { dictionary }))
      if (!isOver) setLoaded(language)
    }
    if (!loaded.has(language)) load().catch(() => undefined)
    return () => {
      isOver = true
    }
  }, [language])
  return loaded.get(language) ?? null
}
