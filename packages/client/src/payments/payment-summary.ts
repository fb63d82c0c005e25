import {
  type Address,
  type Amount,
  type Hash,
  netAmount,
  paymentError,
  readTransactionBody,
  signingHash,
  type TokenId,
  transferFee,
} from '@hailstone/protocol'
import type { TokenInfo } from '../actions/get-token.ts'
import { feeRuleOf } from '../actions/prepare-transaction.ts'
import type { TransactionWarning } from '../actions/transaction-warnings.ts'
import type { UntrackedPayments } from './payment-info.ts'

/** Warning that a person should read before agreeing. */
export type PaymentWarning =
  | TransactionWarning
  /** The journal is an old copy, or another program pays from this account too: look whether this is paid already. */
  | ({ readonly kind: 'paidWithoutJournal' } & UntrackedPayments)

/** Summary that a person agrees to, decoded from the bytes that will be signed. */
export type PaymentSummary = {
  /** Id that the payment has in the journal once it is agreed to. */
  readonly id: string
  /** The bytes themselves: the body of the request, with an empty signature. */
  readonly bytes: string
  /** Hash that will be signed. */
  readonly signingHash: Hash
  /** Account that pays. */
  readonly from: Address
  /** Account that is paid. */
  readonly to: Address
  /** Gross units: the fee is inside. */
  readonly amount: Amount
  /** Token that is paid. */
  readonly tokenId: TokenId
  /** Symbol as the network names it. Not unique: `tokenId` identifies the token. */
  readonly symbol: string
  /** Decimals of the token, 0 to 10. */
  readonly decimals: number
  /**
   * True if `decimals` are those of the client's settings or of the native token. False if the API alone names them:
   * show `amount` in units as well, because the units are signed.
   */
  readonly areDecimalsKnown: boolean
  /** Text that the payment carries; empty without one. */
  readonly memo: string
  /** Salt that makes equal payments distinct, 0 … 2^53-1. */
  readonly nonce: number
  /** In units of the token. */
  readonly fee: Amount
  /** Amount that the receiver gets, in units. */
  readonly net: bigint
  /** Native units besides the amount. */
  readonly nativeFee: Amount
  /** What the payer should know before agreeing; empty when there is nothing. */
  readonly warnings: readonly PaymentWarning[]
}

/**
 * Reads a draft back and works its fee out anew.
 *
 * @throws {NodeError} `PAYMENT_ALTERED` when the text is not a draft
 */
export function paymentSummary(
  draft: string,
  {
    id,
    token,
    warnings,
    areDecimalsKnown,
  }: { readonly token: TokenInfo } & Pick<PaymentSummary, 'id' | 'warnings' | 'areDecimalsKnown'>,
): PaymentSummary {
  const fields = readTransactionBody(draft)
  if (fields === null) throw paymentError('PAYMENT_ALTERED', { reason: 'its bytes cannot be read back' })
  const { from, to, amount, tokenId, data: memo, nonce } = fields
  const rule = feeRuleOf(token)
  return Object.freeze({
    id,
    bytes: draft,
    signingHash: signingHash(fields),
    from,
    to,
    amount,
    tokenId,
    symbol: token.symbol,
    decimals: token.decimals,
    areDecimalsKnown,
    memo,
    nonce,
    fee: transferFee(rule, amount),
    net: netAmount(rule, amount),
    nativeFee: token.feeType === 2 ? token.feeValue : (0n as Amount),
    warnings,
  })
}
