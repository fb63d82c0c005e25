import { formatAmount } from '@hailstone/protocol'

/**
 * Formats amounts for a language, exact to the last unit: whole coins are grouped as a bigint and the fraction is
 * copied digit by digit, so that no amount becomes a number. Latin digits in every language, because people copy
 * amounts into other programs.
 */
export type AmountStyle = {
  readonly language: string
  readonly decimals: number
  /** Number of fraction digits at full size; the rest is returned separately. */
  readonly fractionMax?: number | undefined
}

const formats = new Map<string, Intl.NumberFormat>()

function numberFormat(language: string): Intl.NumberFormat {
  const known = formats.get(language)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat(language, { numberingSystem: 'latn' })
  formats.set(language, made)
  return made
}

/** Returns the decimal separator of a language. */
export function decimalSign(language: string): '.' | ',' {
  const sign = numberFormat(language)
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal')?.value
  return sign === ',' ? ',' : '.'
}

/** Splits the amount in two parts, which together are complete. */
export function amountPieces(
  units: bigint,
  { language, decimals, fractionMax = decimals }: AmountStyle,
): { readonly main: string; readonly rest: string } {
  const exact = formatAmount(units, { decimals })
  const [whole = '0', fraction = ''] = exact.split('.')
  const isNegative = whole.startsWith('-')
  const grouped = numberFormat(language).format(BigInt(whole.replace('-', '')))
  const shown = fraction.slice(0, fractionMax)
  const rest = fraction.slice(fractionMax)
  const sign = decimalSign(language)
  // A fraction that begins beyond the limit still needs the separator, or the amount would read as zero.
  const main = `${isNegative ? '−' : ''}${grouped}${shown === '' && rest === '' ? '' : sign}${shown}`
  return { main, rest }
}

/** Returns the complete amount as one text. */
export function amountText(units: bigint, style: AmountStyle): string {
  const { main, rest } = amountPieces(units, style)
  return main + rest
}

/** Whole digits from which a figure shows two digits after the point at most. */
const LONG_WHOLE = 4

/**
 * Shortens the amount for a figure. Digits are cut off and never rounded, so that no figure is more than the amount,
 * and an amount that is not zero keeps its first digits.
 */
export function shortAmount(
  units: bigint,
  { language, decimals, fractionMax = decimals }: AmountStyle,
): { readonly whole: string; readonly fraction: string; readonly isCut: boolean } {
  const { main, rest } = amountPieces(units, { language, decimals })
  const sign = decimalSign(language)
  const [whole = '', digits = ''] = `${main}${rest}`.split(sign)
  const isLong = whole.replace(/\D/g, '').length > LONG_WHOLE
  const isBelowOne = /^−?0$/.test(whole)
  const firstDigit = isBelowOne ? digits.search(/[1-9]/) + 2 : 0
  const length = Math.max(isLong ? Math.min(2, fractionMax) : fractionMax, firstDigit)
  const shown = digits.slice(0, length)
  return { whole, fraction: shown === '' ? '' : `${sign}${shown}`, isCut: digits.length > length }
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
