import { nearestWord } from '@hailstone/runtime'
import { patterns } from './leaves.ts'
import { canonicalTag, shippedLanguages } from './shipped-languages.ts'

/** Tags of the app by their names, in English and in the language itself. */
const tagsByName: ReadonlyMap<string, string> = new Map(
  shippedLanguages.flatMap((tag) =>
    ['en', tag].flatMap((language) => {
      const name = new Intl.DisplayNames([language], { type: 'language' }).of(tag)
      return name === undefined ? [] : [[name.toLowerCase(), tag] as const]
    }),
  ),
)

/** Returns the advice for a language that the app lacks, or for a text that is no tag; undefined if nothing is near. */
export function languageFix(text: string): string | undefined {
  if (!patterns.language.test(text)) {
    const meant = spelt(text) ?? tagsByName.get(nearestWord(text.trim(), tagsByName.keys()) ?? '')
    return meant === undefined ? undefined : `Did you mean "${meant}"?`
  }
  const canonical = canonicalTag(text)
  if (canonical !== text) return `Did you mean "${canonical}"?`
  return `Choose a language of the app, or begin the file with \`hailstone-brand language ${text}\`.`
}

/** Returns the tag of a text that differs from one in case and separators alone. */
function spelt(text: string): string | undefined {
  try {
    const tag = canonicalTag(text.trim().replaceAll('_', '-'))
    return patterns.language.test(tag) ? tag : undefined
  } catch {
    return undefined
  }
}
