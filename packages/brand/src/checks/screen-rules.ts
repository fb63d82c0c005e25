import { nearestWord } from '@hailstone/runtime'
import { type Finding, finding, shown } from '../findings/finding.ts'
import { printedScreen } from '../generators/screens.ts'
import { LARGEST_SCREEN } from '../runtime/read-screen.ts'
import { isShippedLanguage, shippedLanguages } from '../schema/shipped-languages.ts'
import { blockText, readScreenText, type ScreenText } from '../screens/read-screen-text.ts'
import { SCREEN_FOLDER, type ScreenFile, screenFiles } from '../screens/screen-files.ts'
import type { BrandFiles, CheckContext, Rule } from './check-context.ts'
import { secretFindings } from './secret-rules.ts'
import { textFindings } from './text-rules.ts'
import { urlFindings } from './url-rules.ts'

const MAX_SCREENS = 12
const LARGEST_BYTES = 40_000
/** Longest title in characters: it is a row of the menu. */
const TITLE_CHARACTERS = 40

/** Rules for screens from Markdown: names, languages, sizes, form, words and addresses. */
export const screenRules: Rule = (context) => {
  const { files } = context
  const screens = screenFiles(files)
  return [
    ...nameFindings(files, screens),
    ...languageFindings(context, screens),
    ...screens.flatMap(({ path }) => contentFindings(path, context)),
  ]
}

function nameFindings(files: BrandFiles, screens: readonly ScreenFile[]): readonly Finding[] {
  const malformed = [...files.keys()]
    .filter((path) => path.startsWith(SCREEN_FOLDER) && !screens.some((screen) => screen.path === path))
    .map((path) => finding('screen-name-malformed', { path, found: shown(path) }))
  const count = new Set(screens.map(({ name }) => name)).size
  const many =
    count > MAX_SCREENS ? [finding('screens-too-many', { path: SCREEN_FOLDER, found: String(count) })] : []
  return [...malformed, ...many]
}

function languageFindings({ brand }: CheckContext, screens: readonly ScreenFile[]): readonly Finding[] {
  const unused = screens
    .filter(({ language }) => !brand.i18n.enabled.includes(language))
    .map(({ language, path }) => {
      const near = isShippedLanguage(language) ? undefined : nearestWord(language, shippedLanguages)
      const fix = near === undefined ? undefined : `Did you mean "${near}"?`
      return finding('language-file-unused', { path, found: shown(language), fix })
    })
  const missing = [...new Set(screens.map(({ name }) => name))]
    .map((name) => `${SCREEN_FOLDER}${name}.${brand.i18n.default}.md`)
    .filter((path) => !screens.some((screen) => screen.path === path))
    .map((path) => finding('screen-default-missing', { path, found: 'no such file' }))
  return [...unused, ...missing]
}

function contentFindings(path: string, { files }: CheckContext): readonly Finding[] {
  const bytes = files.get(path) ?? new Uint8Array()
  if (bytes.length > LARGEST_BYTES)
    return [finding('screen-too-large', { path, found: `${bytes.length} bytes` })]
  const text = new TextDecoder().decode(bytes)
  if (text.includes('\uFFFD'))
    return [finding('screen-form-refused', { path, found: 'bytes that are not UTF-8' })]
  const screen = readScreenText(text)
  const at = (line: number): string => `${path}:${line}`
  const faults = screen.faults.flatMap(({ line, kind, found }) =>
    kind === 'form'
      ? [finding('screen-form-refused', { path: at(line), found })]
      : urlFindings({ path: at(line), text: found, allowsPrivate: false }),
  )
  const words = screen.blocks.flatMap((block, index) =>
    wordFindings(at(screen.lines[index] ?? 1), blockText(block)),
  )
  const { length } = printedScreen(screen)
  const expected = `at most ${LARGEST_SCREEN} characters as the app reads it`
  const large =
    length > LARGEST_SCREEN ? [finding('screen-too-large', { path, expected, found: `${length}` })] : []
  return [...titleFindings(path, screen), ...faults, ...words, ...large]
}

function titleFindings(path: string, { title, blocks }: ScreenText): readonly Finding[] {
  const place = `${path}:1`
  if (title === null || title === '')
    return [finding('screen-title-missing', { path: place, found: 'nothing' })]
  const long =
    title.length > TITLE_CHARACTERS
      ? [
          finding('text-too-long', {
            path: place,
            expected: `at most ${TITLE_CHARACTERS} characters`,
            found: `${title.length}`,
          }),
        ]
      : []
  const empty = blocks.length === 0 ? [finding('text-empty', { path, found: 'a title alone' })] : []
  return [...long, ...empty, ...wordFindings(place, title)]
}

/** The rules of all texts. Blanks do not count: Markdown has many that are not shown. */
function wordFindings(path: string, text: string): readonly Finding[] {
  const findings = textFindings({ path, text: text.replace(/\n/g, ' ') })
  return [...findings.filter(({ name }) => name !== 'text-untrimmed'), ...secretFindings({ path, text })]
}
