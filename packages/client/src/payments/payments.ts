import type { PayParameters } from './order.ts'
import type { PaymentEvent, PaymentHandle, PaymentInfo } from './payment-info.ts'

/** Payments that survive the program: each is on the ledger once, or its state says why not. */
export type Payments = {
  /**
   * Makes a payment. Resolves as soon as its signed bytes are stored, and sends them: from then on it is tracked
   * until it is settled, also over restarts. Rejects only when no payment was made: nothing of it has left this machine and
   * nothing will. A key that the journal has already needs the API as well, which says of which chain it is asked for.
   *
   * @throws {NodeError} `FEE_ABOVE_CAP`, `PAYMENT_HOPELESS`, `PAYMENT_DECLINED`, `PAYMENT_ALTERED`,
   *   `PAYMENT_CONFLICT`, `JOURNAL_DAMAGED`, `JOURNAL_BEHIND`, `JOURNAL_WRITE_FAILED`, `PAYMENTS_CLOSED`, `CONFIGURATION_INVALID`,
   *   and what `prepareTransaction` throws. `TRANSACTION_UNCERTAIN` when the disk failed in the middle
   */
  readonly pay: (parameters: PayParameters) => Promise<PaymentHandle>
  /** Every payment that the journal has at the moment, oldest first. */
  readonly list: () => readonly PaymentInfo[]
  /** By its id. */
  readonly get: (id: string) => PaymentHandle | undefined
  /**
   * Takes up what an earlier run left unsettled: asks the network and, where it knows nothing, sends the same
   * bytes again. Call it once at the start. A network that cannot be asked is asked again until it answers. Payments of
   * another chain than the API's are not returned: they wait, unchanged, until it serves their chain (`isOfOtherChain`).
   *
   * @throws {NodeError} `PAYMENTS_CLOSED`
   */
  readonly resume: () => Promise<readonly PaymentHandle[]>
  /** Records of the journal that could not be read. Until they are accepted nothing is paid. */
  readonly damagedRecords: number
  /**
   * Calls back at every change of a payment.
   *
   * @returns ends the subscription
   */
  readonly subscribe: (listener: (event: PaymentEvent) => void) => () => void
  /** Stops asking and sending and closes the journal. Nothing is lost. Can be called twice. */
  readonly close: () => Promise<void>
  /** The same as `close`, for `await using`. */
  readonly [Symbol.asyncDispose]: () => Promise<void>
}
