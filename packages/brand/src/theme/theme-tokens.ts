/** Colour roles; each becomes a CSS custom property `--color-<name>`. */
export const colourTokens = [
  'background',
  'background-end',
  'surface',
  'surface-raised',
  'border',
  'border-strong',
  'text',
  'text-muted',
  'disabled',
  'on-disabled',
  'focus',
  'brand',
  'brand-hover',
  'on-brand',
  'primary',
  'primary-hover',
  'on-primary',
  'primary-text',
  'primary-soft',
  'on-primary-soft',
  'accent',
  'on-accent',
  'accent-text',
  'success',
  'on-success',
  'success-text',
  'success-soft',
  'on-success-soft',
  'warning',
  'on-warning',
  'warning-text',
  'warning-soft',
  'on-warning-soft',
  'danger',
  'on-danger',
  'danger-text',
  'danger-soft',
  'on-danger-soft',
] as const

/** Role of a colour, such as `background` or `on-primary`. */
export type ColourToken = (typeof colourTokens)[number]

/** Every role with its colour as `#rrggbb`. */
export type Palette = { readonly [Token in ColourToken]: string }

/** Light or dark. */
export type ThemeMode = 'light' | 'dark'

/** A font of the device, or of the brand. */
export type ThemeFont = {
  readonly kind: 'system' | 'rounded' | 'serif' | 'mono' | 'own'
  /** Null unless the brand has its own font. */
  readonly family: string | null
  readonly files: readonly string[]
}

/** The look of an app: typed values only, which cannot break out of a style sheet. */
export type Theme = {
  readonly mode: 'system' | ThemeMode
  readonly light: Palette
  readonly dark: Palette
  /** Corner radii in CSS pixels: small parts, cards, sheets. */
  readonly radius: { readonly small: number; readonly medium: number; readonly large: number }
  /** Corner radius of buttons in CSS pixels. */
  readonly buttonRadius: number
  /** Factor of the distances, in per cent. */
  readonly densityPercent: number
  /** Form of the sign on Mine. */
  readonly hero: 'ring' | 'orb' | 'tide' | 'bars'
  /** Ground of the screens; the second colour of a gradient is `background-end`, which else equals `background`. */
  readonly ground: 'plain' | 'tint' | 'gradient'
  readonly font: ThemeFont
  /** Font of headings and large figures; equals `font` unless the brand names another. */
  readonly headings: ThemeFont
}

const surfaces: readonly ColourToken[] = ['background', 'background-end', 'surface', 'surface-raised']
const fills = ['primary', 'accent', 'success', 'warning', 'danger'] as const
const softs = ['primary', 'success', 'warning', 'danger'] as const

/** Two roles that may meet on screen, with their least contrast. */
export type ContrastPair = {
  readonly front: ColourToken
  readonly backs: readonly ColourToken[]
  readonly kind: 'text' | 'part'
}

const pair = (kind: 'text' | 'part', front: ColourToken, backs: readonly ColourToken[]): ContrastPair => ({
  front,
  backs,
  kind,
})

/** Every pair that the app shell may use. Other pairs must not meet. */
export const contrastPairs: readonly ContrastPair[] = [
  pair('text', 'text', surfaces),
  pair('text', 'text-muted', surfaces),
  pair('text', 'on-disabled', ['disabled']),
  pair('part', 'border-strong', surfaces),
  pair('part', 'focus', surfaces),
  ...fills.flatMap((fill) => [
    pair('part', fill, surfaces),
    pair('text', `on-${fill}`, [fill]),
    pair('text', `${fill}-text`, surfaces),
  ]),
  ...softs.map((fill) => pair('text', `on-${fill}-soft`, [`${fill}-soft`])),
  pair('text', 'on-primary', ['primary-hover']),
  // A ground of text, not a part: a button has a border of the primary colour around it.
  pair('text', 'on-brand', ['brand', 'brand-hover']),
]
