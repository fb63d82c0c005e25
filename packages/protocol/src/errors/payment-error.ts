import { type ErrorFacts, type PaymentErrorCode, type Sentences, shown } from './facts.ts'
import { NodeError } from './node-error.ts'

export const paymentSentences: Sentences<PaymentErrorCode> = {
  TRANSACTION_REFUSED: ({ message }) => `The network refused the transaction: ${message}.`,
  TRANSACTION_HASH_DIFFERS: ({ expected, received }) =>
    `The network names the transaction ${received}, but its bytes hash to ${expected}; it may still be executed.`,
  TRANSACTION_TIMEOUT: ({ hash, waitedMs, isPending }) =>
    `Transaction ${hash} has no final status after ${waitedMs} ms${
      isPending === true ? '; it still waits in the pool' : ''
    }. Ask again; do not sign a new one.`,
  TRANSACTION_UNCERTAIN: ({ hash, reason }) =>
    `It is not known whether transaction ${hash} arrived: ${reason}. Send the same bytes again; do not sign new ones.`,
  JOURNAL_LOCKED: ({ path, processId }) =>
    `The payment journal ${shown(path)} is in use by ${
      processId === null ? 'another page' : `process ${processId}`
    }. Only one may pay at a time.`,
  JOURNAL_INVALID: ({ path, reason }) => `The payment journal ${shown(path)} cannot be used: ${reason}.`,
  JOURNAL_DAMAGED: ({ damagedRecords }) =>
    `Records of the payment journal cannot be read (${damagedRecords}); what they paid is not known. Look at the account's history, then accept the damage.`,
  JOURNAL_BEHIND: ({ transactions, newest }) =>
    `The account has made payments that its journal does not know (${transactions} or more, the newest is ${newest}): the journal is new or an old copy, or another program pays from this account. Nothing was signed. Look at the account's history: if this order is not in it, accept what was lost.`,
  JOURNAL_WRITE_FAILED: ({ reason }) => `The payment journal cannot be written: ${reason}.`,
  FEE_ABOVE_CAP: ({ fee, limit }) =>
    `The network asks for a fee of ${fee} units; at most ${limit} are accepted. Nothing was signed.`,
  PAYMENT_DECLINED: ({ reason }) => `The payment was not made: ${reason}.`,
  PAYMENT_ALTERED: ({ reason }) =>
    `The payment is not the one that was agreed to: ${reason}. Nothing was sent.`,
  PAYMENT_CONFLICT: ({ idempotencyKey }) => `The key ${shown(idempotencyKey)} already names another payment.`,
  PAYMENT_HOPELESS: ({ reason }) => `The payment would be rejected: ${reason}. Nothing was signed.`,
  PAYMENTS_CLOSED: ({ hash }) =>
    `The payments were closed while ${hash === null ? 'one' : `transaction ${hash}`} was not settled; it goes on when they are resumed.`,
  ORDER_REJECTED: ({ hash, reason }) =>
    `The network rejected transaction ${hash}: ${reason}. Nothing was charged.`,
}

/** Failures of sending and paying. A page that only mines carries none of their sentences. */
export function paymentError<C extends PaymentErrorCode>(
  code: C,
  facts: ErrorFacts[C],
  options?: ErrorOptions,
): NodeError<C> {
  return new NodeError<PaymentErrorCode>(code, facts, options, paymentSentences) as NodeError<C>
}
