import { nearestWord } from './nearest-word.ts'

/** Shorter names resemble too many. */
const SHORTEST_NAME = 5

/** A setting that would be ignored, and the one that was probably meant. */
export type MisspeltName = { readonly found: string; readonly meant: string }

/**
 * Returns the first property of `settings` that is not in `names` but resembles one of them, such as `apiURL` for
 * `apiUrl`. Other unknown properties are accepted: they may belong to the program.
 */
export function misspeltName(
  settings: object,
  names: Readonly<Record<string, unknown>>,
): MisspeltName | undefined {
  for (const found of Object.keys(settings)) {
    if (Object.hasOwn(names, found) || found.length < SHORTEST_NAME) continue
    const meant = nearestWord(found, Object.keys(names))
    if (meant !== undefined) return { found, meant }
  }
  return undefined
}
