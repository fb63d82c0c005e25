import { assertArgument } from './errors/assert-argument.ts'
import type { FeeRule } from './token.ts'
import { type Amount, assertUnits, toAmount } from './values/amount.ts'

/** Shares and percentages are in ten-thousandths. */
const WHOLE = 10_000n

/** Units and numbers cannot be mixed: a caller without a compiler would meet an error of the engine. */
function assertRule(rule: FeeRule): void {
  const { feeType, feeValue, feeMinimum } = Object(rule) as FeeRule
  assertArgument(Number.isInteger(feeType), 'feeType', '0, 1 or 2', feeType)
  assertUnits('feeValue', feeValue)
  if (feeType === 1) assertUnits('feeMinimum', feeMinimum)
}

/**
 * Returns the fee inside a transfer of `total` gross units, in units of the transferred token (PROTOCOL 2.7). It can
 * exceed
 * `total`; such a transfer is rejected. For fee type 2 it is zero, because that fee is taken in the native token.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export function transferFee(rule: FeeRule, total: bigint): Amount {
  assertRule(rule)
  assertUnits('total', total)
  const { feeType, feeValue, feeMinimum } = rule
  if (feeType === 0) return feeValue
  if (feeType === 2) return 0n as Amount
  if (total <= feeMinimum) return feeMinimum
  // The network divides first. Exact percentages would differ by up to `feeValue` units.
  const share = (total / (WHOLE + feeValue)) * feeValue
  return share > feeMinimum ? toAmount(share) : feeMinimum
}

/** Returns the net amount of `total` gross units; negative if the fee exceeds the amount. */
export const netAmount = (rule: FeeRule, total: bigint): bigint => total - transferFee(rule, total)

/**
 * Returns the smallest gross amount with exactly `net` units after the fee.
 *
 * Inverts the network's own formula, which rounds the fee down in steps (PROTOCOL 2.7); exact percentages could miss
 * the result.
 *
 * @throws {NodeError} `AMOUNT_OUT_OF_RANGE`, `ARGUMENT_INVALID`
 */
export function grossForNet(rule: FeeRule, net: bigint): Amount {
  assertRule(rule)
  assertUnits('net', net)
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
