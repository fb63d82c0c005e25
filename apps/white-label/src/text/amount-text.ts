import { formatAmount } from '@hailstone/protocol'

/**
 * Amounts as people of a language read them, exact to the last unit: whole coins are grouped as a bigint and
 * the fraction is copied digit by digit, so no amount ever becomes a number. Latin digits everywhere, because
 * people copy amounts into other programs.
 */
export type AmountStyle = {
  readonly language: string
  readonly decimals: number
  /** Digits of the fraction that stand at full size; the rest is given apart. */
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

/** What stands between whole coins and their fraction. */
export function decimalSign(language: string): '.' | ',' {
  const sign = numberFormat(language)
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal')?.value
  return sign === ',' ? ',' : '.'
}

/** The amount in two pieces, which together are all of it. */
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
  // A fraction that only begins behind the limit is still told: zero coins and something is not zero.
  const main = `${isNegative ? '−' : ''}${grouped}${shown === '' && rest === '' ? '' : sign}${shown}`
  return { main, rest }
}

/** The whole amount as one text. */
export function amountText(units: bigint, style: AmountStyle): string {
  const { main, rest } = amountPieces(units, style)
  return main + rest
}

/** A count of things, which is small by nature. */
export const countText = (count: number | bigint, language: string): string =>
  numberFormat(language).format(count)

/** Ten-thousandths as percent. */
export const shareText = (bps: number, language: string): string =>
  new Intl.NumberFormat(language, {
    numberingSystem: 'latn',
    style: 'percent',
    maximumFractionDigits: 2,
  }).format(bps / 10_000)
