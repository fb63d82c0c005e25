import type { ShownToken } from '../open-follower.ts'
import type { Rounding } from './figure.ts'

/** Digits after the point that are shown. */
const SHOWN = 2

/**
 * Returns units as coins with at most two digits after the point. Amounts are whole units as text; no amount becomes a
 * JavaScript number.
 */
export function amountText(
  units: string,
  { decimals }: Pick<ShownToken, 'decimals'>,
  rounding: Rounding = 'nearest',
): string {
  if (decimals <= SHOWN) return coinsText(units, decimals)
  const step = 10n ** BigInt(decimals - SHOWN)
  const added = { nearest: step / 2n, down: 0n, up: step - 1n }[rounding]
  return coinsText(String((BigInt(units) + added) / step), SHOWN)
}

/** Returns units as coins with every digit. */
export const exactText = (
  units: string,
  { decimals, symbol }: Pick<ShownToken, 'decimals' | 'symbol'>,
): string => `${coinsText(units, decimals)} ${symbol}`

function coinsText(units: string, decimals: number): string {
  const digits = units.padStart(decimals + 1, '0')
  const at = digits.length - decimals
  const whole = digits.slice(0, at).replace(/\B(?=(\d{3})+$)/g, '\u202f')
  const fraction = digits.slice(at).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
