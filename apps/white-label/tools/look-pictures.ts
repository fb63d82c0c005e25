import { deriveTheme, type ResolvedBrand } from '@hailstone/brand/check'
import { type Look, type LookName, lookNames, looks } from '@hailstone/brand/tools'

type Theme = ResolvedBrand['theme']

/** Facts from which the gallery draws a small screen: colours and corners as the app has them in the look's mode. */
export type LookPicture = {
  readonly background: string
  /** Second colour of the ground; equals `background` unless the ground is a gradient. */
  readonly backgroundEnd: string
  readonly text: string
  readonly primary: string
  readonly accent: string
  /** Corner radii in CSS pixels. */
  readonly radius: number
  readonly buttonRadius: number
  readonly hero: Theme['hero']
  readonly font: string
  readonly headings: string
}

function pictureOf(look: Look): LookPicture {
  const { primary, accent = null, mode = 'system', radius = 'md', shape = 'soft', hero = 'ring' } = look
  const { density = 'regular', ground = 'plain' } = look
  // Looks name fonts of the device alone.
  const font = typeof look.font === 'string' ? look.font : 'system'
  const headings = typeof look.headings === 'string' ? look.headings : font
  const { theme } = deriveTheme({
    ...{ primary, accent, success: null, warning: null, danger: null, dark: { primary: null, accent: null } },
    ...{ mode, radius, shape, density, hero, ground, contrast: 'error' },
    font: { kind: font },
    headings: { kind: headings },
  })
  const palette = theme[mode === 'dark' ? 'dark' : 'light']
  return {
    background: palette.background,
    backgroundEnd: palette['background-end'],
    text: palette.text,
    primary: palette.primary,
    accent: palette.accent,
    radius: theme.radius.medium,
    buttonRadius: theme.buttonRadius,
    hero,
    font,
    headings,
  }
}

/** Pictures of the finished looks, by name. */
export const lookPictures: Readonly<Record<LookName, LookPicture>> = Object.fromEntries(
  lookNames.map((name) => [name, pictureOf(looks[name])]),
) as Record<LookName, LookPicture>
