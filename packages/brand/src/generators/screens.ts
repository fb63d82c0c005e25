import type { BrandFiles } from '../checks/check-context.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import type { RuntimeBrand } from '../runtime/runtime-brand.ts'
import { readScreenText, type ScreenText } from '../screens/read-screen-text.ts'
import { type ScreenFile, screenFiles } from '../screens/screen-files.ts'

type PublishedText = ScreenFile & Omit<ScreenText, 'title'> & { readonly title: string }

/** Returns the screens that have a title. A text in a language that nobody can choose is left out where another is. */
function publishedTexts({ i18n }: ResolvedBrand, files: BrandFiles): readonly PublishedText[] {
  const all = screenFiles(files)
  const isOffered = ({ language }: ScreenFile): boolean => i18n.enabled.includes(language)
  return all
    .filter((file) => isOffered(file) || !all.some((other) => other.name === file.name && isOffered(other)))
    .flatMap((file) => {
      const { title, ...text } = readScreenText(new TextDecoder().decode(files.get(file.path)))
      return title === null || title === '' ? [] : [{ ...file, ...text, title }]
    })
}

/** Returns the names of the screens with their titles by language, in the order of the menu. */
export function listedScreens(brand: ResolvedBrand, files: BrandFiles): RuntimeBrand['screens'] {
  const texts = publishedTexts(brand, files)
  return [...new Set(texts.map(({ name }) => name))].map((name) => ({
    name,
    titles: texts.filter((text) => text.name === name).map(({ language, title }) => ({ language, title })),
  }))
}

/** Returns a screen as the app reads it. Without indentation, which would be most of it. */
export const printedScreen = ({ title, blocks }: Pick<ScreenText, 'title' | 'blocks'>): string =>
  JSON.stringify({ title, blocks })

/** Returns the screens as the app reads them, by served path. */
export const printedScreens = (
  brand: ResolvedBrand,
  files: BrandFiles,
): readonly (readonly [path: string, text: string])[] =>
  publishedTexts(brand, files).map((screen) => [
    `brand/screens/${screen.name}.${screen.language}.json`,
    printedScreen(screen),
  ])
