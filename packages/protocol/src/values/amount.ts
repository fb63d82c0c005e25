import { assertArgument } from '../errors/assert-argument.ts'
import { written } from '../errors/facts.ts'
import { NodeError } from '../errors/node-error.ts'
import { textError } from '../errors/text-error.ts'
import type { Amount } from './branded-values.ts'

export type { Amount }

/** Largest amount, in units: 2^64 - 1. */
export const MAX_AMOUNT = 0xffff_ffff_ffff_ffffn as Amount

/** True if a value is a bigint in the range of amounts. */
export const isAmount = (value: unknown): value is Amount =>
  typeof value === 'bigint' && value >= 0n && value <= MAX_AMOUNT

/**
 * Converts units to an amount.
 *
 * @throws {NodeError} `AMOUNT_OUT_OF_RANGE`
 */
export function toAmount(units: bigint): Amount {
  if (!isAmount(units)) throw new NodeError('AMOUNT_OUT_OF_RANGE', { text: written(units) })
  return units
}

const malformed = (text: string, reason: string): NodeError =>
  textError('AMOUNT_MALFORMED', { text: written(text), reason })

/** @throws {NodeError} `ARGUMENT_INVALID` */
export const assertUnits = (name: string, units: unknown): void =>
  assertArgument(typeof units === 'bigint', name, 'a bigint of units, such as 25n', units)

/** Callers without a compiler often forget the token. */
function decimalsOf(token: { readonly decimals: number } | undefined): number {
  const decimals = token?.decimals
  assertArgument(
    Number.isInteger(decimals),
    'decimals',
    'that of a token, such as { decimals: 10 }',
    decimals,
  )
  return decimals as number
}

/**
 * Parses an amount in coins, for example `25.5`. Refuses signs, exponents, blanks and grouping, and more decimals
 * than the token has.
 *
 * @param parameters.decimals 0 … 10
 * @throws {NodeError} `ARGUMENT_INVALID`, `AMOUNT_MALFORMED`, `AMOUNT_TOO_PRECISE`, `AMOUNT_OUT_OF_RANGE`
 */
export function parseAmount(text: string, token: { readonly decimals: number }): Amount {
  const decimals = decimalsOf(token)
  const match = typeof text === 'string' ? /^(\d+)(?:\.(\d+))?$/.exec(text) : null
  const form = typeof text === 'string' ? 'digits with at most one decimal point between them' : 'a text'
  if (match === null) throw malformed(text, `it should be ${form}`)
  const [, whole = '', fraction = ''] = match
  if (fraction.length > decimals) throw textError('AMOUNT_TOO_PRECISE', { text, decimals })
  return toAmount(BigInt(whole + fraction.padEnd(decimals, '0')))
}

/**
 * Formats an amount in coins: no grouping, no exponent, no trailing zeros.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 * @example formatAmount(255000000000n, { decimals: 10 }) // '25.5'
 */
export function formatAmount(amount: bigint, token: { readonly decimals: number }): string {
  assertUnits('amount', amount)
  const decimals = decimalsOf(token)
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return sign + whole + (fraction === '' ? '' : `.${fraction}`)
}
