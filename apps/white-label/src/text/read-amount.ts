import { type Amount, isNodeError, parseAmount } from '@hailstone/protocol'
import type { TextKey } from '../i18n/texts.ts'
import { decimalSign } from './amount-text.ts'

/** What is wrong with an amount that could not be read. */
export function amountFault(error: unknown): TextKey {
  if (isNodeError(error, 'AMOUNT_TOO_PRECISE')) return 'send.amountTooPrecise'
  return isNodeError(error, 'AMOUNT_OUT_OF_RANGE') ? 'send.amountTooLarge' : 'send.amountMalformed'
}

/**
 * Reads an amount as it is written in a language: digits with one decimal sign. Grouping is refused and never
 * guessed, because `1.234` is more than a thousand here and little more than one there.
 *
 * @throws {NodeError} `AMOUNT_MALFORMED`, `AMOUNT_TOO_PRECISE`, `AMOUNT_OUT_OF_RANGE`
 */
export function readAmount(
  text: string,
  style: { readonly language: string; readonly decimals: number },
): Amount {
  const { language, decimals } = style
  const plain = text.trim()
  if (decimalSign(language) === '.') return parseAmount(plain, { decimals })
  const isAmbiguous = /^\d{1,3}\.\d{3}$/.test(plain)
  return parseAmount(isAmbiguous ? `${plain} ` : plain.replace(',', '.'), { decimals })
}
