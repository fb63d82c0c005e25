import type { FeeRule } from './token.ts'
import { type Amount, toAmount } from './values/amount.ts'

/** Shares and percentages are counted in ten-thousandths. */
const WHOLE = 10_000n

/**
 * The fee inside a transfer of `total` gross units, in units of the transferred token (PROTOCOL 2.7).
 * It can exceed `total`; such a transfer is rejected. For fee type 2 it is zero: that fee is taken in the
 * native token, apart from the amount.
 */
export function transferFee(rule: FeeRule, total: bigint): Amount {
  const { feeType, feeValue, feeMinimum } = rule
  if (feeType === 0) return feeValue
  if (feeType === 2) return 0n as Amount
  if (total <= feeMinimum) return feeMinimum
  // The network divides first. Percent arithmetic proper would differ by up to `feeValue` units.
  const share = (total / (WHOLE + feeValue)) * feeValue
  return share > feeMinimum ? toAmount(share) : feeMinimum
}

/** What the receiver gets out of `total` gross units; negative when the fee exceeds the amount. */
export const netAmount = (rule: FeeRule, total: bigint): bigint => total - transferFee(rule, total)

/**
 * The smallest gross amount out of which the receiver gets exactly `net` units.
 *
 * Percent arithmetic alone can miss the wish, because the network rounds the fee down in steps (PROTOCOL
 * 2.7); this inverts the network's own formula.
 *
 * @throws {NodeError} `AMOUNT_OUT_OF_RANGE`
 */
export function grossForNet(rule: FeeRule, net: bigint): Amount {
  if (rule.feeType === 0) return toAmount(net + rule.feeValue)
  if (rule.feeType === 2) return toAmount(net)
  const { feeValue, feeMinimum } = rule
  // The fee is the minimum or `steps * feeValue`. One step fewer also fits while the amount stays below the next
  // step. In this order the first fitting amount is the smallest; the last one fits when no other does.
  const steps = net / WHOLE
  const candidates = [net + (steps - 1n) * feeValue, net + feeMinimum]
  const fitting = candidates.find((total) => total >= net && netAmount(rule, total) === net)
  return toAmount(fitting ?? net + steps * feeValue)
}
