import type { ContentsEntry } from './page-data.ts'

export type Searchable = Pick<ContentsEntry, 'id' | 'method' | 'path' | 'summary' | 'words'>

/** Each word has to occur; those that the path or the summary has come before those of a member alone. */
export function searchEntries<T extends Searchable>(entries: readonly T[], text: string): readonly T[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const rank = ({ method, path, summary, words: names }: T): number => {
    const title = `${method} ${path} ${summary}`.toLowerCase()
    const all = `${title} ${names}`.toLowerCase()
    if (!words.every((word) => all.includes(word))) return 0
    const isName = path.toLowerCase().endsWith(`/${words.join('_')}`)
    return isName ? 3 : words.every((word) => title.includes(word)) ? 2 : 1
  }
  return entries
    .map((entry) => ({ entry, rank: rank(entry) }))
    .filter((found) => found.rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ entry }) => entry)
}
