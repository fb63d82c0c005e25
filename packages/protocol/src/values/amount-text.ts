import { assertUnits, formatAmount } from './amount.ts'

/** Digits after the point in lists and headings, unless a token says otherwise. */
const FRACTION_MAX = 6

/** Language and token that an amount is written for. */
export type AmountStyle = {
  /** BCP 47 tag. Digits are those of the language; `-u-nu-latn` at the end of the tag asks for 0 to 9. */
  readonly language: string
  /** 0 … 10 */
  readonly decimals: number
  /**
   * Most digits after the point. `Infinity` writes all of them, as reviews, receipts and exports do.
   *
   * @default 6
   */
  readonly fractionMax?: number | undefined
}

/** An amount in two parts, which are shown one after the other. */
export type AmountParts = {
  /** Grouped as the language does, with `−` in front of an amount below zero. */
  readonly whole: string
  /** Separator and digits, `…` at the end where digits were cut; empty for whole coins. */
  readonly fraction: string
  readonly isCut: boolean
}

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(language: string): Intl.NumberFormat {
  const format = formats.get(language) ?? new Intl.NumberFormat(language)
  formats.set(language, format)
  return format
}

/** Returns the sign between coins and their fraction in a language. */
export const decimalSignOf = (language: string): string =>
  formatOf(language)
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal')?.value ?? '.'

/**
 * Writes an amount for people. Digits beyond the limit are cut and never rounded, so that nothing is shown higher than it
 * is. No digit passes through a JavaScript number.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export function amountParts(
  units: bigint,
  { language, decimals, fractionMax = FRACTION_MAX }: AmountStyle,
): AmountParts {
  assertUnits('units', units)
  const [coins = '', digits = ''] = formatAmount(units < 0n ? -units : units, { decimals }).split('.')
  const format = formatOf(language)
  // Digits of the language, one by one: the number may begin with zeros.
  const shown = [...digits.slice(0, fractionMax)].map((digit) => format.format(BigInt(digit))).join('')
  const isCut = digits.length > fractionMax
  return {
    whole: (units < 0n ? '−' : '') + format.format(BigInt(coins)),
    fraction: digits === '' ? '' : (shown && decimalSignOf(language) + shown) + (isCut ? '…' : ''),
    isCut,
  }
}

/**
 * Writes an amount for people as one text, without its symbol.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 * @example amountText(12_345_678_901_234n, { language: 'en', decimals: 10 }) // '1,234.567890…'
 */
export function amountText(units: bigint, style: AmountStyle): string {
  const { whole, fraction } = amountParts(units, style)
  return whole + fraction
}
