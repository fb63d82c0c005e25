import type { BrandFiles } from '../checks/check-context.ts'

/** A Markdown file of a brand: one screen in one language. */
export type ScreenFile = {
  /** Name of the screen, which its texts in other languages share. */
  readonly name: string
  readonly language: string
  /** Path in the folder of the brand. */
  readonly path: string
}

/** Folder of the screens. */
export const SCREEN_FOLDER = 'screens/'

const filePattern = /^screens\/([a-z0-9][a-z0-9-]{0,30})\.([A-Za-z-]{2,12})\.md$/

/** Returns the screens of a brand, ordered by name and language. */
export const screenFiles = (files: BrandFiles): readonly ScreenFile[] =>
  [...files.keys()].sort().flatMap((path) => {
    const [, name, language] = filePattern.exec(path) ?? []
    return name === undefined || language === undefined ? [] : [{ name, language, path }]
  })
