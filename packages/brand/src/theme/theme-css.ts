import { colourTokens, type Palette, type Theme, type ThemeFont } from './theme-tokens.ts'

const stacks = {
  system: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  rounded: 'ui-rounded, "SF Pro Rounded", "Nunito", "Varela Round", system-ui, sans-serif',
  serif: 'ui-serif, "Iowan Old Style", Georgia, "Noto Serif", serif',
  mono: 'ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", monospace',
} as const

/** The `font-family` of a font. A brand's family contains letters, digits, blanks and hyphens only. */
const fontStack = ({ kind, family }: ThemeFont): string =>
  kind === 'own' && family !== null
    ? `"${family}", ${stacks.system}`
    : stacks[kind === 'own' ? 'system' : kind]

/** True if headings have files that the other texts do not have. */
const hasOwnHeadings = ({ font, headings }: Theme): boolean =>
  headings.family !== font.family || headings.files.join() !== font.files.join()

/** Returns the font of headings. Files of their own are a family of their own, though a brand may call both by one name. */
const headingsOf = (theme: Theme): ThemeFont => {
  const { font, headings } = theme
  const isShared = headings.family !== null && headings.family === font.family && hasOwnHeadings(theme)
  return isShared ? { ...headings, family: `${headings.family} headings` } : headings
}

/** Custom properties that do not change with the mode. */
export const lengthProperties = (theme: Theme): Readonly<Record<`--${string}`, string>> => ({
  '--radius-small': `${theme.radius.small}px`,
  '--radius-medium': `${theme.radius.medium}px`,
  '--radius-large': `${theme.radius.large}px`,
  '--radius-button': `${theme.buttonRadius}px`,
  '--density': String(theme.densityPercent / 100),
  '--ground':
    theme.ground === 'gradient'
      ? 'linear-gradient(var(--color-background),var(--color-background-end))'
      : 'none',
  '--font-body': fontStack(theme.font),
  '--font-headings': fontStack(headingsOf(theme)),
})

/** One custom property for each colour role. */
export const colourProperties = (palette: Palette): Readonly<Record<`--${string}`, string>> =>
  Object.fromEntries(colourTokens.map((token) => [`--color-${token}`, palette[token]]))

const declarations = (properties: Readonly<Record<string, string>>): string =>
  Object.entries(properties)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')

/**
 * Returns the theme as a style sheet in its own cascade layer. `data-mode="light|dark"` on the root overrides the
 * mode of the device.
 *
 * @param fontPath served path of the font files, ending in a slash
 * @param isVariable whether a font file has all weights. The single file of a family that does not is its regular weight,
 *   from which browsers draw bold letters. The single file of headings alone is drawn as it is
 */
export function themeCss(
  theme: Theme,
  fontPath = '/brand/',
  isVariable: (file: string) => boolean = () => true,
): string {
  const light = `color-scheme:light;${declarations(colourProperties(theme.light))}`
  const dark = `color-scheme:dark;${declarations(colourProperties(theme.dark))}`
  const first = theme.mode === 'dark' ? dark : light
  const rules = [
    `:root{${declarations(lengthProperties(theme))};${first}}`,
    ...(theme.mode === 'system' ? [`@media (prefers-color-scheme:dark){:root{${dark}}}`] : []),
    `:root[data-mode="light"]{${light}}`,
    `:root[data-mode="dark"]{${dark}}`,
  ]
  const { font } = theme
  const [fontFile = ''] = font.files
  const faces = [
    ...fontFaces(font, fontPath, isVariable(fontFile) ? '100 900' : '400'),
    ...(hasOwnHeadings(theme) ? fontFaces(headingsOf(theme), fontPath, '100 900') : []),
  ]
  return `${faces.join('')}@layer brand{${rules.join('')}}\n`
}

/** @param single weights of a file that is the only one */
const fontFaces = ({ family, files }: ThemeFont, fontPath: string, single: string): readonly string[] =>
  files.map((file, index) => {
    const weight = files.length === 1 ? single : String(400 + index * 200)
    const source = `url("${fontPath}${file}") format("woff2")`
    return `@font-face{font-family:"${family}";src:${source};font-weight:${weight};font-display:swap}`
  })
