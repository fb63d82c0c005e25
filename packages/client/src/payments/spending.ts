import {
  type Address,
  formatAmount,
  paymentError,
  type TokenId,
  type TransactionFields,
} from '@hailstone/protocol'
import type { PreparedTransaction } from '../actions/prepare-transaction.ts'
import type { TransactionWarning } from '../actions/transaction-warnings.ts'
import { isSettled, type Payment } from './payment.ts'

/** A payment beside what its bytes say. */
export type Spending = { readonly payment: Payment; readonly fields: TransactionFields }

/** What payments may still take from an account. */
export type Pledge = {
  /** Units of the token that is to be paid, the reserve of the payment included. */
  readonly units: bigint
  /** Native units, fees of fee type 2 and those of the owner of a token included. */
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

/** Adds up what payments of an account take from the balances of a token and of the native token, and the reserve. */
export function pledgeOf(
  spendings: readonly Spending[],
  account: {
    readonly from: Address
    readonly tokenId: TokenId
    readonly nativeTokenId: TokenId
    readonly reserve?: bigint | undefined
  },
): Pledge {
  let [units, nativeUnits] = [0n, 0n]
  for (const { payment, fields } of spendings) {
    if (fields.from !== account.from) continue
    nativeUnits += payment.nativeFee + payment.ownerFee
    if (fields.tokenId === account.nativeTokenId) nativeUnits += fields.amount
    if (fields.tokenId === account.tokenId) units += fields.amount
  }
  const { tokenId, nativeTokenId, reserve = 0n } = account
  return { units: (tokenId === nativeTokenId ? nativeUnits : units) + reserve, nativeUnits }
}

type HopelessFigures = Pick<PreparedTransaction, 'fields' | 'token' | 'balance' | 'fee'>

/** Returns how a warning that ends in a rejected transaction is said, with its figures; undefined for others. */
function sentenceOf(warning: TransactionWarning, figures: HopelessFigures): string | undefined {
  const { fields, balance, fee, token } = figures
  const coins = coinsOf(token)
  switch (warning.kind) {
    case 'balanceTooLow':
      return `the balance is too low: ${coins(balance.amount)} of ${coins(fields.amount)}`
    case 'feeExceedsAmount':
      return `the fee exceeds the amount: ${coins(fee)} of ${coins(fields.amount)}`
    case 'nativeBalanceTooLow':
      return `the native balance is too low for the fee: ${warning.missing} units are missing`
    case 'ownerCannotPayFee':
      return `the owner of the token cannot pay its fee: ${warning.owner}`
    default:
      return undefined
  }
}

const coinsOf =
  (token: PreparedTransaction['token']) =>
  (units: bigint): string =>
    `${formatAmount(units, token)} ${token.symbol}`

/**
 * Returns why a payment would be rejected; null if the balances bear it with all that is pledged. A rejected transaction
 * can be executed later, as a copy with another signature, once the balance is there.
 */
export function whyHopeless(prepared: PreparedTransaction, pledge: Pledge): string | null {
  const { warnings, balanceAfter, nativeBalance } = prepared
  const sentences = warnings.map((warning) => sentenceOf(warning, prepared))
  const reason = sentences.find((sentence) => sentence !== undefined)
  if (reason !== undefined) return reason
  const coins = coinsOf(prepared.token)
  if (balanceAfter < pledge.units)
    return `the balance is needed for what is under way or reserved: that takes ${coins(pledge.units)}, and ${coins(balanceAfter)} would be left`
  const nativeFees = prepared.nativeFee + prepared.ownerFee
  if (nativeFees > 0n && nativeBalance !== null && nativeBalance - nativeFees < pledge.nativeUnits)
    return 'the native balance is needed for payments that are under way'
  return null
}

/** @throws {NodeError} `PAYMENT_HOPELESS` */
export function assertHopeful(prepared: PreparedTransaction, pledge: Pledge): void {
  const reason = whyHopeless(prepared, pledge)
  if (reason !== null) throw paymentError('PAYMENT_HOPELESS', { reason })
}
