/** Text of one style. A line end in it breaks the line. */
export type ScreenSpan = {
  readonly text: string
  readonly isStrong?: true
  readonly isEmphasised?: true
  /** Page outside of the app, https. */
  readonly href?: string
}

/** A part of a screen, one below the other. */
export type ScreenBlock =
  | { readonly kind: 'heading'; readonly level: 2 | 3; readonly text: readonly ScreenSpan[] }
  | { readonly kind: 'paragraph'; readonly text: readonly ScreenSpan[] }
  | {
      readonly kind: 'list'
      /** Number of the first item; null for a list with bullets. */
      readonly first: number | null
      readonly items: readonly (readonly ScreenSpan[])[]
    }

/** A screen of the brand in one language, as the built app carries it. */
export type Screen = {
  readonly title: string
  readonly blocks: readonly ScreenBlock[]
}

/** Largest file of a screen, in characters of its JSON. */
export const LARGEST_SCREEN = 400_000

// Shown as text, never as markup. Control characters but line ends, and direction-changing ones, are refused.
const visible = /^(?:\n|[^\p{Cc}\u202a-\u202e\u2066-\u2069])*$/u
const spanKeys: readonly string[] = ['text', 'isStrong', 'isEmphasised', 'href']

type Unread = Readonly<Record<string, unknown>>
const isRecord = (value: unknown): value is Unread =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isFlag = (value: unknown): boolean => value === undefined || value === true
const isListOf = (value: unknown, isOne: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isOne)
const isVisible = (value: unknown): value is string => typeof value === 'string' && visible.test(value)

/** True for an address that a screen may link to: https, without credentials. */
export function isScreenLink(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 2048) return false
  if (!/^https:\/\/[^\s"'<>\\^`{|}]+$/.test(value) || !URL.canParse(value)) return false
  const { username, password } = new URL(value)
  return username === '' && password === ''
}

const isSpan = (value: unknown): boolean =>
  isRecord(value) &&
  Object.keys(value).every((key) => spanKeys.includes(key)) &&
  isVisible(value.text) &&
  isFlag(value.isStrong) &&
  isFlag(value.isEmphasised) &&
  (value.href === undefined || isScreenLink(value.href))

const areSpans = (value: unknown): boolean => isListOf(value, isSpan)

function isBlock(value: unknown): value is ScreenBlock {
  if (!isRecord(value)) return false
  if (value.kind === 'heading') return (value.level === 2 || value.level === 3) && areSpans(value.text)
  if (value.kind === 'paragraph') return areSpans(value.text)
  const { first, items } = value
  return value.kind === 'list' && (first === null || Number.isSafeInteger(first)) && isListOf(items, areSpans)
}

/**
 * Parses a screen of the built app. It is checked again at load, as `brand.json` is.
 *
 * @returns null if the text is anything else
 */
export function readScreen(text: string): Screen | null {
  if (text.length > LARGEST_SCREEN) return null
  let screen: unknown
  try {
    screen = JSON.parse(text)
  } catch {
    return null
  }
  if (!isRecord(screen)) return null
  const { title, blocks } = screen
  const isRead = isVisible(title) && isListOf(blocks, isBlock)
  return isRead ? { title, blocks: blocks as readonly ScreenBlock[] } : null
}
