import { type Address, paymentError, type TokenId, type TransactionFields } from '@hailstone/protocol'
import type { PreparedTransaction } from '../actions/prepare-transaction.ts'
import { isSettled, type Payment } from './payment.ts'

/** A payment beside what its bytes say. */
export type Spending = { readonly payment: Payment; readonly fields: TransactionFields }

/** What payments may still take from an account. */
export type Pledge = {
  /** Units of the token that is to be paid. */
  readonly units: bigint
  /** Native units, fees of fee type 2 included. */
  readonly nativeUnits: bigint
}

/** Time for which a node may answer with balances from before a payment that is final, in ms. */
const LATE_MS = 300_000

/** Statuses in which a payment takes nothing from the balance. */
const TAKES_NOTHING: ReadonlySet<string> = new Set(['rejected', 'duplicate', 'withdrawn'])

/**
 * True for payments that may still take their amount from a balance that is read now: those under way, and those that became
 * final lately.
 */
export function isSpendable(payment: Payment, sinceSettledMs: number): boolean {
  if (TAKES_NOTHING.has(payment.state.status)) return false
  if (!isSettled(payment)) return true
  return payment.state.status !== 'refused' && sinceSettledMs < LATE_MS
}

/** True for payments whose amount is in the balance of every node that shows their block. */
export const isCalculated = ({ state }: Payment): boolean => 'place' in state

/** Adds up what payments of an account take from the balances of a token and of the native token. */
export function pledgeOf(
  spendings: readonly Spending[],
  account: { readonly from: Address; readonly tokenId: TokenId; readonly nativeTokenId: TokenId },
): Pledge {
  let [units, nativeUnits] = [0n, 0n]
  for (const { payment, fields } of spendings) {
    if (fields.from !== account.from) continue
    nativeUnits += payment.nativeFee
    if (fields.tokenId === account.nativeTokenId) nativeUnits += fields.amount
    if (fields.tokenId === account.tokenId) units += fields.amount
  }
  return { units: account.tokenId === account.nativeTokenId ? nativeUnits : units, nativeUnits }
}

/** Warnings that end in a rejected transaction, as sentences. */
const hopeless: { readonly [kind: string]: string } = {
  balanceTooLow: 'the balance is too low',
  feeExceedsAmount: 'the fee exceeds the amount',
  nativeBalanceTooLow: 'the native balance is too low for the fee',
  ownerCannotPayFee: 'the owner of the token cannot pay its fee',
}

/**
 * Returns why a payment would be rejected; null if the balances bear it with all that is pledged. A rejected transaction
 * can be executed later, as a copy with another signature, once the balance is there.
 */
export function whyHopeless(prepared: PreparedTransaction, pledge: Pledge): string | null {
  const { warnings, balanceAfter, nativeBalance, nativeFee } = prepared
  const reason = warnings.map(({ kind }) => hopeless[kind]).find((sentence) => sentence !== undefined)
  if (reason !== undefined) return reason
  if (balanceAfter < pledge.units) return 'the balance is needed for payments that are under way'
  if (nativeFee > 0n && nativeBalance !== null && nativeBalance - nativeFee < pledge.nativeUnits)
    return 'the native balance is needed for payments that are under way'
  return null
}

/** @throws {NodeError} `PAYMENT_HOPELESS` */
export function assertHopeful(prepared: PreparedTransaction, pledge: Pledge): void {
  const reason = whyHopeless(prepared, pledge)
  if (reason !== null) throw paymentError('PAYMENT_HOPELESS', { reason })
}
