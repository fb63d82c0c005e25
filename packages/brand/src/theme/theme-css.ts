import { colourTokens, type Palette, type Theme, type ThemeFont } from './theme-tokens.ts'

const stacks = {
  system: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  rounded: 'ui-rounded, "SF Pro Rounded", "Nunito", "Varela Round", system-ui, sans-serif',
  serif: 'ui-serif, "Iowan Old Style", Georgia, "Noto Serif", serif',
  mono: 'ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", monospace',
} as const

/** The `font-family` of a theme. A brand's family contains letters, digits, blanks and hyphens only. */
const fontStack = ({ kind, family }: ThemeFont): string =>
  kind === 'own' && family !== null
    ? `"${family}", ${stacks.system}`
    : stacks[kind === 'own' ? 'system' : kind]

/** Custom properties that do not change with the mode. */
export const lengthProperties = ({
  radius,
  buttonRadius,
  densityPercent,
  ground,
  font,
  headings,
}: Theme): Readonly<Record<`--${string}`, string>> => ({
  '--radius-small': `${radius.small}px`,
  '--radius-medium': `${radius.medium}px`,
  '--radius-large': `${radius.large}px`,
  '--radius-button': `${buttonRadius}px`,
  '--density': String(densityPercent / 100),
  '--ground':
    ground === 'gradient' ? 'linear-gradient(var(--color-background),var(--color-background-end))' : 'none',
  '--font-body': fontStack(font),
  '--font-headings': fontStack(headings),
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
 */
export function themeCss(theme: Theme, fontPath = '/brand/'): string {
  const light = `color-scheme:light;${declarations(colourProperties(theme.light))}`
  const dark = `color-scheme:dark;${declarations(colourProperties(theme.dark))}`
  const first = theme.mode === 'dark' ? dark : light
  const rules = [
    `:root{${declarations(lengthProperties(theme))};${first}}`,
    ...(theme.mode === 'system' ? [`@media (prefers-color-scheme:dark){:root{${dark}}}`] : []),
    `:root[data-mode="light"]{${light}}`,
    `:root[data-mode="dark"]{${dark}}`,
  ]
  return `${fontFaces(theme, fontPath)}@layer brand{${rules.join('')}}\n`
}

const fontFaces = ({ font, headings }: Theme, fontPath: string): string =>
  [font, ...(headings.family === font.family ? [] : [headings])]
    .map((one) => fontFace(one, fontPath))
    .join('')

const fontFace = ({ family, files }: ThemeFont, fontPath: string): string =>
  files
    .map((file, index) => {
      const weight = files.length === 1 ? '100 900' : String(400 + index * 200)
      const source = `url("${fontPath}${file}") format("woff2")`
      return `@font-face{font-family:"${family}";src:${source};font-weight:${weight};font-display:swap}`
    })
    .join('')
