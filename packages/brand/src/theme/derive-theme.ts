import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import { colourBetween, contrastRatio, minContrast, PART_CONTRAST, TEXT_CONTRAST } from './contrast.ts'
import { nearestColour } from './nearest-colour.ts'
import { readOklch, writeOklch } from './oklch.ts'
import type { ColourToken, Palette, Theme, ThemeFont, ThemeMode } from './theme-tokens.ts'

/** Settings from which a theme is derived. */
export type ThemeInputs = ResolvedBrand['theme']

/** A colour of the brand with too little contrast to its background in one mode. */
export type ContrastGap = {
  /** Path of the colour in the brand. */
  readonly path: string
  /** Path for the proposal if only this mode is to change. */
  readonly proposalPath: string
  readonly mode: ThemeMode
  readonly colour: string
  readonly ratio: number
  readonly required: number
  /** Nearest colour that passes in this mode, `#rrggbb`. */
  readonly proposal: string
}

/** A theme, and the colours of the brand that are too hard to read in it. */
export type DerivedTheme = { readonly theme: Theme; readonly gaps: readonly ContrastGap[] }

type FillName = 'primary' | 'accent' | 'success' | 'warning' | 'danger'
type Fill = { readonly name: FillName; readonly colour: string; readonly path: string | null }

const modes = ['light', 'dark'] as const
const surfaceNames = ['surface', 'surface-raised'] as const
const WHITE = '#ffffff'
const BLACK = '#000000'
/** Tint of greys. */
const GREY_CHROMA = 0.012
const defaultColours = { success: '#1a7f4b', warning: '#a66300', danger: '#c62f3b' } as const

const radii = {
  none: { small: 0, medium: 0, large: 0 },
  sm: { small: 3, medium: 6, large: 10 },
  md: { small: 6, medium: 12, large: 18 },
  lg: { small: 10, medium: 18, large: 28 },
  full: { small: 999, medium: 24, large: 36 },
} as const

/**
 * Derives every colour role of both modes from the brand's colours. Those are used exactly unless `contrast` is
 * `fix`; all others are adjusted until they pass 4.5:1 as text and 3:1 as parts.
 */
export function deriveTheme(inputs: ThemeInputs): DerivedTheme {
  const [light, dark] = modes.map((mode) => derivePalette(inputs, mode))
  if (light === undefined || dark === undefined) throw new Error('two modes')
  const theme: Theme = {
    mode: inputs.mode,
    light: light.palette,
    dark: dark.palette,
    radius: radii[inputs.radius],
    buttonRadius: { soft: radii[inputs.radius].medium, square: 0, pill: 999 }[inputs.shape],
    densityPercent: { compact: 85, regular: 100, roomy: 115 }[inputs.density],
    hero: inputs.hero,
    ground: inputs.ground,
    font: fontOf(inputs.font),
    headings: fontOf(inputs.headings),
  }
  return { theme, gaps: [...light.gaps, ...dark.gaps] }
}

const fontOf = (font: ThemeInputs['font']): ThemeFont =>
  font.kind === 'own'
    ? { kind: 'own', family: font.family, files: font.files }
    : { kind: font.kind, family: null, files: [] }

function derivePalette(
  inputs: ThemeInputs,
  mode: ThemeMode,
): { readonly palette: Palette; readonly gaps: readonly ContrastGap[] } {
  const fills = fillsOf(inputs, mode)
  const [primary = BLACK, accent = BLACK] = fills.map(({ colour }) => colour)
  const grounds = groundColours(primary, accent, inputs.ground, mode)
  const cards = surfacesFor(primary, inputs.ground, mode)
  const surfaces = [...groundSteps(grounds), ...cards]
  const isFixed = inputs.contrast === 'fix'
  const colours = fills.flatMap((fill) =>
    Object.entries(fillColours(fill, surfaces, softShade(inputs.ground, mode), isFixed)),
  )
  const palette = {
    ...grounds,
    surface: cards[0],
    'surface-raised': cards[1],
    ...neutralColours(primary, surfaces, mode),
    focus: visible(Object.fromEntries(colours).primary ?? BLACK, surfaces, PART_CONTRAST),
    ...Object.fromEntries(colours),
    ...brandGround(primary, Object.fromEntries(colours).primary ?? BLACK),
  }
  return { palette: palette as Palette, gaps: fills.flatMap((fill) => gapOf(fill, surfaces, mode)) }
}

/**
 * Returns the nearest colour that passes as a primary colour in both modes, and the colour itself if it does. Null if
 * no colour passes.
 */
export function passingPrimary(primary: string): string | null {
  const passes = (candidate: string): boolean =>
    modes.every((mode) => {
      const { background } = groundColours(candidate, candidate, 'plain', mode)
      return minContrast(candidate, [background, ...surfacesFor(candidate, 'plain', mode)]) >= PART_CONTRAST
    })
  return nearestColour(primary, passes) ?? null
}

/** The five fill colours; the path is null if the brand does not set one. */
function fillsOf(inputs: ThemeInputs, mode: ThemeMode): readonly Fill[] {
  const own = (name: 'primary' | 'accent'): Fill | null => {
    const dark = mode === 'dark' ? inputs.dark[name] : null
    if (dark !== null) return { name, colour: dark, path: `theme.dark.${name}` }
    const colour = inputs[name]
    return colour === null ? null : { name, colour, path: `theme.${name}` }
  }
  const primary = own('primary') ?? { name: 'primary', colour: inputs.primary, path: 'theme.primary' }
  const accent = own('accent') ?? { name: 'accent', colour: companionOf(primary.colour), path: null }
  const signals = (['success', 'warning', 'danger'] as const).map((name) => {
    const colour = inputs[name]
    return { name, colour: colour ?? defaultColours[name], path: colour === null ? null : `theme.${name}` }
  })
  return [primary, accent, ...signals]
}

/** Rotates the hue by a third of the circle; grey stays grey. */
function companionOf(primary: string): string {
  const { lightness, chroma, hue } = readOklch(primary)
  return writeOklch({ lightness, chroma, hue: (hue + 120) % 360 })
}

type Grey = Exclude<Neutral, 'background' | 'surface' | 'surface-raised'>
type Neutral =
  | 'background'
  | 'surface'
  | 'surface-raised'
  | 'border'
  | 'border-strong'
  | 'text'
  | 'text-muted'
  | 'disabled'
  | 'on-disabled'

const lightness: Readonly<Record<ThemeMode, Readonly<Record<Neutral, number>>>> = {
  light: {
    background: 0.98,
    surface: 1,
    'surface-raised': 1,
    border: 0.9,
    'border-strong': 0.6,
    text: 0.2,
    'text-muted': 0.5,
    disabled: 0.92,
    'on-disabled': 0.48,
  },
  dark: {
    background: 0.16,
    surface: 0.2,
    'surface-raised': 0.24,
    border: 0.32,
    'border-strong': 0.58,
    text: 0.96,
    'text-muted': 0.74,
    disabled: 0.28,
    'on-disabled': 0.76,
  },
}

type Shade = { readonly lightness: number; readonly most: number }
type Surface = (typeof surfaceNames)[number]

/** Lightness and largest chroma of what has more colour than a grey: grounds, the cards on them, and soft parts. */
const tints: Readonly<Record<ThemeMode, Readonly<Record<'ground' | Surface | 'soft', Shade>>>> = {
  light: {
    ground: { lightness: 0.945, most: 0.04 },
    surface: { lightness: 1, most: 0 },
    'surface-raised': { lightness: 1, most: 0 },
    soft: { lightness: 0.885, most: 0.07 },
  },
  dark: {
    ground: { lightness: 0.17, most: 0.065 },
    surface: { lightness: 0.225, most: 0.055 },
    'surface-raised': { lightness: 0.255, most: 0.055 },
    soft: { lightness: 0.37, most: 0.1 },
  },
}

type Ground = ThemeInputs['ground']
type Grounds = Pick<Palette, 'background' | 'background-end'>

/** The two colours of the ground; they differ in a gradient alone, which ends in a tint of the accent. */
function groundColours(primary: string, accent: string, ground: Ground, mode: ThemeMode): Grounds {
  const { lightness: light, most } =
    ground === 'plain' ? { lightness: lightness[mode].background, most: GREY_CHROMA } : tints[mode].ground
  const tinted = (colour: string): string => {
    const { hue, chroma } = readOklch(colour)
    return writeOklch({ lightness: light, chroma: Math.min(chroma, most), hue })
  }
  const background = tinted(primary)
  return { background, 'background-end': ground === 'gradient' ? tinted(accent) : background }
}

const STEPS = [0.25, 0.5, 0.75]

/** Returns the colours of a ground on which text may stand: both ends, and some between where they differ. */
export function groundSteps({ background: from, 'background-end': to }: Grounds): readonly string[] {
  if (from === to) return [from]
  return [from, ...STEPS.map((share) => colourBetween(from, to, share)), to]
}

/** Surfaces of a mode, with a tint of the primary hue. */
function surfacesFor(primary: string, ground: Ground, mode: ThemeMode): readonly string[] {
  const { hue, chroma } = readOklch(primary)
  return surfaceNames.map((name) => {
    const { lightness: light, most } =
      ground === 'plain' ? { lightness: lightness[mode][name], most: GREY_CHROMA } : tints[mode][name]
    return writeOklch({ lightness: light, chroma: Math.min(chroma, most), hue })
  })
}

/** Greys with a slight tint of the primary hue, adjusted until those with text or meaning pass on all surfaces. */
function neutralColours(
  primary: string,
  surfaces: readonly string[],
  mode: ThemeMode,
): Readonly<Record<Grey, string>> {
  const { hue, chroma } = readOklch(primary)
  const grey = (name: Neutral): string =>
    writeOklch({ lightness: lightness[mode][name], chroma: Math.min(chroma, GREY_CHROMA), hue })
  return {
    border: grey('border'),
    'border-strong': visible(grey('border-strong'), surfaces, PART_CONTRAST),
    text: visible(grey('text'), surfaces, TEXT_CONTRAST),
    'text-muted': visible(grey('text-muted'), surfaces, TEXT_CONTRAST),
    disabled: grey('disabled'),
    'on-disabled': visible(grey('on-disabled'), [grey('disabled')], TEXT_CONTRAST),
  }
}

/** Returns the nearest colour with enough contrast to all backgrounds; black or white if the hue cannot be kept. */
function visible(colour: string, grounds: readonly string[], least: number): string {
  return (
    nearestColour(colour, (candidate) => minContrast(candidate, grounds) >= least) ??
    readableOn(grounds[0] ?? WHITE)
  )
}

/** White if legible, else black; one of the two always is. */
const readableOn = (ground: string): string => (contrastRatio(WHITE, ground) >= TEXT_CONTRAST ? WHITE : BLACK)

function fillColours(
  { name, colour, path }: Fill,
  surfaces: readonly string[],
  shade: Shade,
  isFixed: boolean,
): Partial<Palette> {
  const fill = path === null || isFixed ? visible(colour, surfaces, PART_CONTRAST) : colour
  const front = readableOn(fill)
  const soft = softened(fill, shade)
  const named: Partial<Record<ColourToken, string>> = {
    [name]: fill,
    [`on-${name}`]: front,
    [`${name}-text`]: visible(fill, surfaces, TEXT_CONTRAST),
  }
  if (name !== 'accent') {
    named[`${name}-soft`] = soft
    named[`on-${name}-soft`] = visible(fill, [soft], TEXT_CONTRAST)
  }
  if (name === 'primary') named['primary-hover'] = hovered(fill, front)
  return named
}

/** True for a colour whose text is dark: as a ground it stays as it is, however near it comes to a light surface. */
export const isBright = (colour: string): boolean => readableOn(colour) === BLACK

/** The ground of the main buttons: the brand's own colour if it is bright, else the one that can be seen as a part. */
function brandGround(own: string, seen: string): Pick<Palette, 'brand' | 'brand-hover' | 'on-brand'> {
  const brand = isBright(own) ? own : seen
  const front = readableOn(brand)
  return { brand, 'brand-hover': hovered(brand, front), 'on-brand': front }
}

/** A pale background in light mode, a deep one in dark mode. */
function softened(fill: string, { lightness: soft, most }: Shade): string {
  const { chroma, hue } = readOklch(fill)
  return writeOklch({ lightness: soft, chroma: Math.min(chroma, most), hue })
}

const softShade = (ground: Ground, mode: ThemeMode): Shade =>
  ground === 'plain' ? { lightness: mode === 'light' ? 0.94 : 0.3, most: 0.045 } : tints[mode].soft

/** Shifts away from the text colour, so that contrast only grows. */
function hovered(fill: string, front: string): string {
  const { lightness: from, chroma, hue } = readOklch(fill)
  return writeOklch({ lightness: front === WHITE ? from - 0.06 : from + 0.06, chroma, hue })
}

function gapOf(
  { name, colour, path }: Fill,
  surfaces: readonly string[],
  mode: ThemeMode,
): readonly ContrastGap[] {
  const ratio = minContrast(colour, surfaces)
  if (path === null || ratio >= PART_CONTRAST) return []
  const hasDark = mode === 'dark' && (name === 'primary' || name === 'accent')
  const proposalPath = hasDark ? `theme.dark.${name}` : path
  const proposal = visible(colour, surfaces, PART_CONTRAST)
  return [{ path, proposalPath, mode, colour, ratio, required: PART_CONTRAST, proposal }]
}
