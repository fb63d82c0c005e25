import { formatAmount } from '../values/amount.ts'
import { type ErrorFacts, type PaymentErrorCode, type Sentences, shown } from './facts.ts'
import { lockAdvice, lockHolderText } from './lock-holder-text.ts'
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
  JOURNAL_LOCKED: (facts) =>
    `The payment journal ${shown(facts.path)} is in use by ${lockHolderText(facts)}. Only one may pay at a time.${lockAdvice(facts)}`,
  JOURNAL_INVALID: ({ path, reason }) => `The payment journal ${shown(path)} cannot be used: ${reason}.`,
  JOURNAL_DAMAGED: ({ damagedRecords }) =>
    `Records of the payment journal cannot be read (${damagedRecords}); what they paid is not known. Look at the account's history, then accept the damage.`,
  JOURNAL_BEHIND: ({ transactions, newest }) =>
    `${
      newest === null
        ? 'It is not known whether the account has made payments that its journal does not have: its history is longer than the search, or the API node is behind'
        : `The account has made payments that its journal does not have (${transactions} or more, the newest is ${newest})`
    }: the journal is new or an old copy, or another program pays from this account. Nothing was signed. Look at the account's history: if this order is not in it, accept what was lost.`,
  JOURNAL_WRITE_FAILED: ({ reason, path }) =>
    `The payment journal${path === undefined ? '' : ` ${shown(path)}`} cannot be written: ${reason}.`,
  FEE_ABOVE_CAP: ({ fee, limit, token }) => {
    const coins = (units: bigint): string =>
      token === undefined ? `${units} units` : `${formatAmount(units, token)} ${token.symbol}`
    return `The network asks for a fee of ${coins(fee)}; feeCap allows ${coins(limit)}. Nothing was signed.`
  },
  PAYMENT_DECLINED: ({ reason }) => `The payment was not made: ${reason}.`,
  PAYMENT_ALTERED: ({ reason }) =>
    `The payment is not the one that was agreed to: ${reason}. Nothing was sent.`,
  PAYMENT_CONFLICT: ({ idempotencyKey }) => `The key ${shown(idempotencyKey)} already names another payment.`,
  PAYMENT_HOPELESS: ({ reason }) => `The payment would be rejected: ${reason}. Nothing was signed.`,
  PAYMENTS_CLOSED: ({ hash }) =>
    hash === null
      ? 'The payments are closed. Nothing was stored or signed; open them again and pay under the same key.'
      : `The payments were closed while transaction ${hash} was not settled; it goes on when they are resumed.`,
  ORDER_REJECTED: ({ hash, reason }) =>
    `The network rejected transaction ${hash}: ${reason}. Nothing was charged.`,
}

/** Creates an error of sending and paying. Pages that only mine do not contain the sentences. */
export function paymentError<C extends PaymentErrorCode>(
  code: C,
  facts: ErrorFacts[C],
  options?: ErrorOptions,
): NodeError<C> {
  return new NodeError<PaymentErrorCode>(code, facts, options, paymentSentences) as NodeError<C>
}
