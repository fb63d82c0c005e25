/** Least contrast of text, WCAG 2.2 success criterion 1.4.3. */
export const TEXT_CONTRAST = 4.5
/** Least contrast of parts that carry meaning, WCAG 2.2 success criterion 1.4.11. */
export const PART_CONTRAST = 3

const linear = (channel: number): number => {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const channelsOf = (colour: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

/**
 * Relative luminance of a colour, 0 (black) to 1 (white).
 *
 * Source: WCAG 2.2, "relative luminance".
 *
 * @param colour `#rrggbb`
 */
export function relativeLuminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map(linear)
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

/** Contrast ratio of two colours, 1 to 21, in either order. */
export function contrastRatio(left: string, right: string): number {
  const [darker = 0, lighter = 0] = [relativeLuminance(left), relativeLuminance(right)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Least contrast of a colour with any of several. */
export const minContrast = (colour: string, others: readonly string[]): number =>
  Math.min(...others.map((other) => contrastRatio(colour, other)))

/** Returns the colour of a gradient at a share of its way, 0 to 1. */
export function colourBetween(from: string, to: string, share: number): string {
  const last = channelsOf(to)
  const channels = channelsOf(from).map((first, at) =>
    Math.round(first + ((last[at] ?? first) - first) * share)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${channels.join('')}`
}
