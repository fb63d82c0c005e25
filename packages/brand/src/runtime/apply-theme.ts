import { colourProperties, lengthProperties } from '../theme/theme-css.ts'
import type { Theme, ThemeMode } from '../theme/theme-tokens.ts'

/** The part of an element that a theme is written to. */
export type StyledElement = {
  readonly style: { setProperty(name: string, value: string): void }
}

/**
 * Writes a theme to an element as custom properties, one typed value each, so that nothing of a brand is parsed as a
 * style sheet. For live previews; a build has `theme.css`.
 */
export function applyTheme(element: StyledElement, theme: Theme, mode: ThemeMode): void {
  const properties = { ...lengthProperties(theme), ...colourProperties(theme[mode]), 'color-scheme': mode }
  for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value)
}
