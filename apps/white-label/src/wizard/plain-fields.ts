import type { WordKey } from './words.ts'

type Choices = readonly (readonly [value: string, key: WordKey])[]
/** A setting that has a field in plain words. */
export type PlainField = {
  readonly path: string
  readonly label: WordKey
  readonly isColour?: boolean
  readonly choices?: Choices
}

const modes: Choices = [
  ['system', 'mode.system'],
  ['light', 'mode.light'],
  ['dark', 'mode.dark'],
]
const corners: Choices = [
  ['none', 'corners.none'],
  ['sm', 'corners.sm'],
  ['md', 'corners.md'],
  ['lg', 'corners.lg'],
  ['full', 'corners.full'],
]
/** Settings that most brands change, in the order of the page. */
export const plainFields: readonly PlainField[] = [
  { path: 'app.name', label: 'field.name' },
  { path: 'app.shortName', label: 'field.shortName' },
  { path: 'app.tagline', label: 'field.tagline' },
  { path: 'token.hash', label: 'field.token' },
  { path: 'token.ticker', label: 'field.ticker' },
  { path: 'token.decimals', label: 'field.decimals' },
  { path: 'theme.primary', label: 'field.primary', isColour: true },
  { path: 'theme.dark.primary', label: 'field.darkPrimary', isColour: true },
  { path: 'theme.accent', label: 'field.accent', isColour: true },
  { path: 'theme.mode', label: 'field.mode', choices: modes },
  { path: 'theme.radius', label: 'field.radius', choices: corners },
]
