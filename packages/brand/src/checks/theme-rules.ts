import { type Finding, finding } from '../findings/finding.ts'
import type { ResolvedFont } from '../layers/resolved-brand.ts'
import { type ContrastGap, deriveTheme, isBright } from '../theme/derive-theme.ts'
import { colourDistance } from '../theme/oklch.ts'
import type { BrandFiles, CheckContext, Rule } from './check-context.ts'

const WOFF2 = [0x77, 0x4f, 0x46, 0x32] as const
/** Size in bytes up to which a font file is accepted. */
export const MAX_FONT_BYTES = 150_000
/** Colour distance below which two colours look the same. */
const SAME_COLOUR = 0.03

/** Rules for contrast and fonts. */
export const themeRules: Rule = (context) => [
  ...contrastFindings(context),
  ...accentFindings(context),
  ...fontFindings(context),
]

function contrastFindings({ brand }: CheckContext): readonly Finding[] {
  const { contrast } = brand.theme
  if (contrast === 'fix') return []
  const severity = contrast === 'warn' ? 'warning' : 'error'
  const { gaps } = deriveTheme(brand.theme)
  // One finding per path and mode. Otherwise one mode would hide the other.
  return gaps.map((gap) =>
    finding('contrast-too-low', { path: pathOf(gap, gaps), ...contrastFacts(gap), severity }),
  )
}

const pathOf = ({ path, proposalPath, mode }: ContrastGap, gaps: readonly ContrastGap[]): string =>
  mode === 'dark' && gaps.some((other) => other.path === path && other.mode === 'light') ? proposalPath : path

const contrastFacts = ({ path, mode, colour, ratio, required, proposal, proposalPath }: ContrastGap) => ({
  expected: `contrast of ${required}:1 to the grounds of the ${mode} mode`,
  found: `${colour} with ${(Math.floor(ratio * 100) / 100).toFixed(2)}:1 in the ${mode} mode`,
  proposal: { path: proposalPath, value: proposal },
  fix:
    path === 'theme.primary' && isBright(colour)
      ? `Set theme.contrast to "fix": ${colour} stays the ground of buttons, with dark text. Or set ${proposalPath} to "${proposal}", the nearest colour that passes there.`
      : `Set ${proposalPath} to "${proposal}", the nearest colour that passes there, or theme.contrast to "fix".`,
})

function accentFindings({ brand }: CheckContext): readonly Finding[] {
  const { primary, accent } = brand.theme
  if (accent === null || colourDistance(primary, accent) >= SAME_COLOUR) return []
  return [finding('accent-like-primary', { path: 'theme.accent', found: accent })]
}

function fontFindings({ brand, files }: CheckContext): readonly Finding[] {
  const { font, headings } = brand.theme
  const isOne = JSON.stringify(font) === JSON.stringify(headings)
  return [
    ...filesFindings(font, 'theme.font', files),
    ...(isOne ? [] : filesFindings(headings, 'theme.headings', files)),
  ]
}

function filesFindings(font: ResolvedFont, setting: string, files: BrandFiles): readonly Finding[] {
  if (font.kind !== 'own') return []
  return font.files.flatMap((file, index) => {
    const path = `${setting}.files[${index}]`
    const bytes = files.get(file)
    if (bytes === undefined) return [finding('font-missing', { path, found: `no file ${file}` })]
    if (WOFF2.some((byte, at) => bytes[at] !== byte)) {
      return [finding('font-not-woff2', { path, found: 'another kind of file' })]
    }
    if (bytes.length <= MAX_FONT_BYTES) return []
    return [finding('font-too-large', { path, found: `${bytes.length} bytes` })]
  })
}
