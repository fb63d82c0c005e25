import { type Amount, isNodeError, parseAmount } from '@hailstone/protocol'
import type { TextKey } from '../i18n/texts.ts'
import { decimalSign } from './amount-text.ts'
import { inWesternDigits } from './western-digits.ts'

/** Returns the text for an amount that could not be read. */
export function amountFault(error: unknown): TextKey {
  if (isNodeError(error, 'AMOUNT_TOO_PRECISE')) return 'send.amountTooPrecise'
  return isNodeError(error, 'AMOUNT_OUT_OF_RANGE') ? 'send.amountTooLarge' : 'send.amountMalformed'
}

/**
 * Reads an amount in a language: digits with one decimal separator. Grouping is refused rather than guessed, because
 * `1.234` is more than a thousand in one language and little more than one in another.
 *
 * @throws {NodeError} `AMOUNT_MALFORMED`, `AMOUNT_TOO_PRECISE`, `AMOUNT_OUT_OF_RANGE`
 */
export function readAmount(
  text: string,
  style: { readonly language: string; readonly decimals: number },
): Amount {
  const { language, decimals } = style
  const sign = decimalSign(language)
  const typed = inWesternDigits(text.trim())
  // `.5` and `1.` can be read in one way alone.
  const plain =
    /^[.,]\d/.test(typed) && typed.startsWith(sign)
      ? `0${typed}`
      : typed.replace(/(?<=\d)[.,]$/, (last) => (last === sign ? '' : last))
  if (sign === '.') return parseAmount(plain, { decimals })
  const isAmbiguous = /^\d{1,3}\.\d{3}$/.test(plain)
  return parseAmount(isAmbiguous ? `${plain} ` : plain.replace(',', '.'), { decimals })
}
