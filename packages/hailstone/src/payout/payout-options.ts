import { type Address, isAddress, parseAddress } from '@hailstone/protocol'
import { UsageError } from '../usage-error.ts'

/** What the options say about payouts. Amounts are in coins: the decimals of the token are not known yet. */
export type PayoutOptions = {
  readonly to: Address
  readonly above: string
  readonly least: string
  /** Null for no limit. */
  readonly most: string | null
  readonly everyMs: number
  /** True if the person confirms the receiver now. */
  readonly isConfirming: boolean
}

const LEAST = '10'
const EVERY = '1d'
const unitsMs = { h: 3_600_000, d: 86_400_000 } as const
const LONGEST_MS = 366 * unitsMs.d

/** Returns what the options say; null if nothing is to be paid out. */
export function payoutOptions(given: {
  readonly payoutTo?: string | undefined
  readonly payoutAbove?: string | undefined
  readonly payoutLeast?: string | undefined
  readonly payoutMost?: string | undefined
  readonly payoutEvery?: string | undefined
  readonly payoutConfirm?: boolean | undefined
}): PayoutOptions | null {
  const {
    payoutTo: to,
    payoutAbove: above,
    payoutLeast,
    payoutMost: most,
    payoutEvery,
    payoutConfirm,
  } = given
  if (to === undefined) {
    const others = [above, payoutLeast, most, payoutEvery]
    if (others.every((other) => other === undefined) && payoutConfirm !== true) return null
    throw new UsageError('--payout-to is needed: without a receiver nothing is paid out.')
  }
  if (!isAddress(to.toLowerCase()))
    throw new UsageError('--payout-to should be an address: 66 hex digits, beginning with 02 or 03.')
  if (above === undefined)
    throw new UsageError('--payout-above is needed: name the coins that stay in the account.')
  const least = positive('--payout-least', coins('--payout-least', payoutLeast ?? LEAST))
  if (most !== undefined && scaled(coins('--payout-most', most)) < scaled(least))
    throw new UsageError('--payout-most should not be less than --payout-least.')
  return {
    to: parseAddress(to),
    above: coins('--payout-above', above),
    least,
    most: most ?? null,
    everyMs: period('--payout-every', payoutEvery ?? EVERY),
    isConfirming: payoutConfirm === true,
  }
}

function coins(option: string, text: string): string {
  if (/^\d{1,18}(?:\.\d{1,10})?$/.test(text)) return text
  throw new UsageError(`${option} should be an amount in coins, such as 25 or 0.5.`)
}

/** Coins with ten decimals, to compare two amounts while the decimals of the token are not known. */
function scaled(text: string): bigint {
  const [whole = '', part = ''] = text.split('.')
  return BigInt(whole + part.padEnd(10, '0'))
}

function positive(option: string, text: string): string {
  if (/[1-9]/.test(text)) return text
  throw new UsageError(`${option} should be more than zero.`)
}

/** A time such as `6h` or `1d`, in ms. */
function period(option: string, text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,4})([hd])$/.exec(text) ?? []
  const ms = Number(digits) * (unitsMs[unit as keyof typeof unitsMs] ?? Number.NaN)
  if (ms >= unitsMs.h && ms <= LONGEST_MS) return ms
  throw new UsageError(`${option} should be a time from 1h to 366d, such as 6h or 1d.`)
}
