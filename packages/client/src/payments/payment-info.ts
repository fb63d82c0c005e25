import type { Address, Amount, Hash, TokenId } from '@hailstone/protocol'
import type { Cancellable } from '../client-core.ts'
import type { PaymentState, PaymentStatus } from './payment.ts'

/** Payments of an account that its journal does not have, or may not have. */
export type UntrackedPayments = {
  /**
   * At least so many. With 0 it is not known whether there are any: the history is longer than the search, or the node
   * is behind.
   */
  readonly transactions: number
  /** Null with 0. */
  readonly newest: Hash | null
}

/** A payment as it is shown. */
export type PaymentInfo = {
  /** Id of the payment in its journal, for `payments.get`. */
  readonly id: string
  /** The name that the payment was given; null without one. */
  readonly idempotencyKey: string | null
  /** Null until it is signed. */
  readonly hash: Hash | null
  /** Account that pays. */
  readonly from: Address
  /** Account that is paid. */
  readonly to: Address
  /** Gross units: the fee is inside. */
  readonly amount: Amount
  /** Token that is paid. */
  readonly tokenId: TokenId
  /** Text that the payment carries; empty without one. */
  readonly memo: string
  /** Fee as agreed to, in units of the token. */
  readonly fee: bigint
  /** Native units besides the amount. */
  readonly nativeFee: bigint
  /** Unix milliseconds. */
  readonly createdAtMs: number
  /** Where it stands, with what belongs to that state. */
  readonly state: PaymentState
  /** Unix milliseconds of the network's last answer about it; null when it was not asked since the start. */
  readonly checkedAtMs: number | null
  /** True if it was made for another chain than that of the client. False as long as the client's chain is not known. */
  readonly isOfOtherChain: boolean
}

/** One payment. It can be read also after the journal has dropped it. */
export type PaymentHandle = {
  /** Id of the payment in its journal, for `payments.get`. */
  readonly id: string
  /** Name of the payment in the chain; null until it is signed. */
  readonly hash: Hash | null
  /** Current state. */
  readonly state: PaymentState
  /** Returns the payment as it is now, without a request. */
  readonly info: () => PaymentInfo
  /**
   * Resolves when nothing about it changes any more: look at the state, which may also be `rejected`.
   *
   * @throws {NodeError} `PAYMENTS_CLOSED`; the reason of the signal
   */
  readonly settled: (options?: Cancellable) => Promise<PaymentInfo>
}

/** Events for subscribers. Alarms concern the network or a third party and do not end the payment. */
export type PaymentEvent =
  | { readonly type: 'changed'; readonly payment: PaymentInfo; readonly previous: PaymentStatus | null }
  | { readonly type: 'otherHashNamed'; readonly payment: PaymentInfo; readonly received: string }
  /** A copy with a changed signature was executed as well: paid twice, which no client can prevent. */
  | { readonly type: 'malleatedExecuted'; readonly payment: PaymentInfo; readonly malleatedHash: Hash }
  /** A change could not be stored. Nothing is lost: after a restart the network is asked. */
  | { readonly type: 'journalFailed'; readonly reason: string }
  /** A payment without `consent` and without a key is about to be signed, and the account made others elsewhere. */
  | ({ readonly type: 'journalBehind' } & UntrackedPayments)
