import {
  type AmountParts,
  type AmountStyle,
  decimalSignOf,
  amountParts as partsOf,
} from '@hailstone/protocol'

/** Digits after the point in lists and headings, where the brand names no number. */
export const FRACTION_MAX = 6

/** Languages that are written from right to left. */
const RIGHT_TO_LEFT = /^(?:ar|fa|he|ur)\b/

/** Digits 0 to 9 in every language, because people copy amounts into other programs. */
const withLatinDigits = (language: string): string => `${language}-u-nu-latn`

const formats = new Map<string, Intl.NumberFormat>()

function numberFormat(language: string): Intl.NumberFormat {
  const known = formats.get(language)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat(language, { numberingSystem: 'latn' })
  formats.set(language, made)
  return made
}

/** Returns the decimal separator of a language. */
export const decimalSign = (language: string): '.' | ',' =>
  decimalSignOf(withLatinDigits(language)) === ',' ? ',' : '.'

/** Splits an amount at its decimal separator. Digits beyond `fractionMax`, by default six, are cut and never rounded. */
export const amountParts = (units: bigint, style: AmountStyle): AmountParts =>
  partsOf(units, { ...style, language: withLatinDigits(style.language) })

/** Returns an amount with every digit unless it is limited. */
export function amountText(units: bigint, style: AmountStyle): string {
  const given = { fractionMax: Number.POSITIVE_INFINITY, ...style }
  const { whole, fraction, isCut } = amountParts(units, given)
  // Without isolation, right-to-left text would show the ellipsis before the number.
  return isCut && RIGHT_TO_LEFT.test(style.language) ? `\u2066${whole}${fraction}\u2069` : whole + fraction
}

/** Formats a small count. */
export const countText = (count: number | bigint, language: string): string =>
  numberFormat(language).format(count)

/** Formats ten-thousandths as percent. */
export const shareText = (bps: number, language: string): string =>
  new Intl.NumberFormat(language, {
    numberingSystem: 'latn',
    style: 'percent',
    maximumFractionDigits: 2,
  }).format(bps / 10_000)
