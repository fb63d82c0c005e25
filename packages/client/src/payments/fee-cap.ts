import { paymentError } from '@hailstone/protocol'

/** The most that a network may take for a payment. A fee above both the share and the fixed limit is refused. */
export type FeeCap = {
  /** Of the gross amount, in ten-thousandths. @default 100n, one percent */
  readonly shareBps?: bigint | undefined
  /**
   * In units of the transferred token, whatever the share.
   *
   * @default one coin where `consent` is asked, which is shown the fee; a tenth of a coin otherwise
   */
  readonly units?: bigint | undefined
  /** For tokens whose fee is taken in the native token, in its units. @default one native coin */
  readonly nativeUnits?: bigint | undefined
}

const WHOLE_BPS = 10_000n

/** Fees of a payment as they were worked out. */
export type PaymentFees = {
  /** Of the payment. */
  readonly token: { readonly symbol: string; readonly decimals: number }
  readonly amount: bigint
  readonly fee: bigint
  readonly nativeFee: bigint
  /** True if somebody is shown the fee and has to agree to it. */
  readonly isShown: boolean
}

/**
 * Refuses what the network asks too much for, before anything is signed.
 *
 * @throws {NodeError} `FEE_ABOVE_CAP`
 */
export function assertFeeWithinCap(
  { amount, fee, nativeFee, token, isShown }: PaymentFees,
  {
    shareBps = 100n,
    units = 10n ** BigInt(token.decimals) / (isShown ? 1n : 10n),
    nativeUnits,
    native,
  }: FeeCap & { readonly nativeUnits: bigint; readonly native?: PaymentFees['token'] | undefined },
): void {
  const share = (amount * shareBps) / WHOLE_BPS
  const limit = share > units ? share : units
  if (fee > limit) throw paymentError('FEE_ABOVE_CAP', { fee, limit, token: nameOf(token) })
  if (nativeFee <= nativeUnits) return
  throw paymentError('FEE_ABOVE_CAP', { fee: nativeFee, limit: nativeUnits, token: native })
}

const nameOf = ({ symbol, decimals }: PaymentFees['token']): PaymentFees['token'] => ({ symbol, decimals })
