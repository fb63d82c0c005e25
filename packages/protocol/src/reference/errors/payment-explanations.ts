import type { PaymentErrorCode } from '../../errors/facts.ts'
import type { ErrorExplanations } from './error-explanation.ts'

/** Codes of payments and their journal. */
export const paymentExplanations: ErrorExplanations<PaymentErrorCode> = {
  TRANSACTION_REFUSED: {
    title: 'The network refused the transaction',
    hint: 'Read facts.message, the words of the node; look for the hash before signing anew.',
    causes: [
      {
        cause: 'Signature verification failed: a signer of your own does not sign as the protocol says.',
        fix: 'See protocol 2.3.',
      },
      {
        cause: 'The contract in the data is not valid.',
        fix: 'Protocol 7.5 lists the messages with their conditions.',
      },
      {
        cause: 'The same transaction waits in the pool already.',
        fix: 'Wait for it; do not sign a new one.',
      },
    ],
    related: ['ORDER_REJECTED', 'TRANSACTION_MALFORMED'],
  },
  TRANSACTION_HASH_DIFFERS: {
    title: 'The network names another hash',
    hint: 'Do not pay again: look for both hashes in the history of the account.',
    causes: [
      {
        cause: 'The API altered the transaction, or answers for another one. It may still be executed.',
        fix: 'Use another API node and compare the history there.',
      },
    ],
    related: ['TRANSACTION_UNCERTAIN', 'RESPONSE_INVALID'],
  },
  TRANSACTION_TIMEOUT: {
    title: 'No final status in time',
    hint: 'Wait again for the same hash; do not sign a new transaction.',
    causes: [
      {
        cause:
          'Nobody mines, or the pool is full. facts.isPending true means that the transaction still waits.',
        fix: 'Call waitForTransaction with the same hash and more time. A transaction does not expire.',
      },
      {
        cause:
          'The node was restarted and lost its pool, or never had the transaction (facts.isPending false).',
        fix: 'Send the same signed bytes again. They cannot be executed twice.',
      },
    ],
    related: ['TRANSACTION_UNCERTAIN', 'ORDER_REJECTED'],
  },
  TRANSACTION_UNCERTAIN: {
    title: 'Not known whether the transaction arrived',
    hint: 'Send facts.transaction again, exactly as it is; never sign a new one.',
    causes: [
      {
        cause:
          'The connection broke, or the server failed or answered with a redirect, 202, 408 or 429, after the bytes were sent.',
        fix: 'sendSignedTransaction with facts.transaction. Payments made with pay do this by themselves.',
      },
      {
        cause: 'The journal could not be written while the signed bytes may already be stored.',
        fix: 'Call pay again under the same key, or repair the disk and resume the payments: the journal decides.',
      },
    ],
    related: ['TRANSACTION_TIMEOUT', 'JOURNAL_WRITE_FAILED'],
  },
  JOURNAL_LOCKED: {
    title: 'Another program uses the payment journal',
    hint: 'Close the other program or page; only one may pay from a journal at a time.',
    causes: [
      {
        cause: 'A second process, or a second tab, has the journal open.',
        fix: 'Let one of them pay for both.',
      },
      {
        cause:
          'The lock was left by a process of another container or machine, which cannot be checked from here.',
        fix: 'If that process is gone for certain, remove the folder that the message names.',
      },
    ],
    related: ['STORE_LOCKED', 'KEYSTORE_LOCKED'],
  },
  JOURNAL_INVALID: {
    title: 'The payment journal cannot be used',
    hint: 'Nothing was written to it; check the path and the version of the program.',
    causes: [
      {
        cause: 'The file is something else: another kind of text, a folder, or not readable.',
        fix: 'Check the path.',
      },
      { cause: 'A newer version of the program wrote it.', fix: 'Update this program.' },
      {
        cause: 'The file is reached by a second path, such as a link, or was exchanged while it was opened.',
        fix: 'Pass the real path. Two names of one journal would allow two payments.',
      },
    ],
    related: ['JOURNAL_DAMAGED', 'JOURNAL_LOCKED'],
  },
  JOURNAL_DAMAGED: {
    title: 'Records of the payment journal cannot be read',
    hint: 'Compare the history of the account, then open the payments with acceptDamage.',
    causes: [
      {
        cause:
          'The disk failed, or the file was edited. What these records paid is in the copy beside it alone.',
        fix: 'Look for your orders in the history. Pay what is missing after acceptDamage (--accept-lost of the command).',
      },
    ],
    related: ['JOURNAL_BEHIND', 'JOURNAL_INVALID'],
  },
  JOURNAL_BEHIND: {
    title: 'The account has payments that the journal does not know',
    hint: 'Look for this order in the history; if it is not there, accept what was lost.',
    causes: [
      {
        cause:
          'The signer does not derive nonces, so an order that a lost journal paid would be another payment.',
        fix: 'Use a wallet of this package, or give the signer deriveNonce.',
      },
      {
        cause: 'The journal is new, or restored from an old copy.',
        fix: 'Use the newest journal of this account.',
      },
      {
        cause: 'Another program, a phone for example, pays from the same account.',
        fix: 'Give each paying program an account of its own.',
      },
    ],
    related: ['JOURNAL_DAMAGED', 'PAYMENT_CONFLICT'],
  },
  JOURNAL_WRITE_FAILED: {
    title: 'The payment journal cannot be written',
    hint: 'Make room on the disk, then resume the payments.',
    causes: [
      { cause: 'No space is left, or the disk is read-only.', fix: 'Make room in the same folder.' },
      { cause: 'Access is denied, or the folder is gone.', fix: 'Check owner and mode of the folder.' },
      { cause: 'The journal is closed.', fix: 'Close the payments before the journal.' },
    ],
    related: ['TRANSACTION_UNCERTAIN', 'JOURNAL_INVALID'],
  },
  FEE_ABOVE_CAP: {
    title: 'The network asks for too high a fee',
    hint: 'Nothing was signed; raise feeCap only if you agree to the fee.',
    causes: [
      {
        cause:
          'The amount is small: the fee is more than 1 % of it and more than a tenth of a coin, or a coin where a person is asked.',
        fix: 'Pass feeCap with a higher share or number of units (--max-fee of the command).',
      },
      { cause: 'The API names a wrong fee for the token.', fix: 'Compare getToken of another node.' },
    ],
    related: ['PAYMENT_HOPELESS', 'PAYMENT_DECLINED'],
  },
  PAYMENT_DECLINED: {
    title: 'Consent was not given',
    hint: 'Nothing was signed; ask again if it was a mistake.',
    causes: [
      {
        cause: 'The consent function did not return true. Anything else, undefined included, declines.',
        fix: 'Return true when the person agrees.',
      },
    ],
    related: ['PAYMENT_ALTERED'],
  },
  PAYMENT_ALTERED: {
    title: 'The payment is not the one that was agreed to',
    hint: 'Nothing was sent; show the payment again and ask anew.',
    causes: [
      {
        cause: 'Fee or decimals of the token changed while somebody was asked.',
        fix: 'Ask again with the new values.',
      },
      {
        cause: 'The signer signed something else, or its signature does not belong to the bytes.',
        fix: 'Do not use this signer: it is faulty or hostile.',
      },
    ],
    related: ['DECIMALS_DIFFER', 'SIGNER_FAILED'],
  },
  PAYMENT_CONFLICT: {
    title: 'The idempotency key names another payment',
    hint: 'Use one key for one order, and never again for another.',
    causes: [
      {
        cause: 'The key was used before with another receiver, amount, token or memo.',
        fix: 'Make the key from the number of the order, not from the time or the customer.',
      },
    ],
    related: ['JOURNAL_BEHIND'],
  },
  PAYMENT_HOPELESS: {
    title: 'The payment would be rejected',
    hint: 'Nothing was signed; read facts.reason and check the balance.',
    causes: [
      { cause: 'The balance is too low.', fix: 'Top up. The amount contains the fee.' },
      {
        cause: 'The balance is needed for payments that are under way.',
        fix: 'Wait until they are settled.',
      },
      { cause: 'The fee is more than the amount.', fix: 'Send more than the fee.' },
      {
        cause: 'The owner of the token has too few native coins to pay the native fee of its transfers.',
        fix: 'Tell the owner; nobody can transfer this token now.',
      },
    ],
    related: ['FEE_ABOVE_CAP', 'ORDER_REJECTED'],
  },
  PAYMENTS_CLOSED: {
    title: 'The payments were closed',
    hint: 'Open the payments again: what was under way goes on.',
    causes: [
      {
        cause: 'close was called while a payment was not settled.',
        fix: 'Wait for the payments before closing. Nothing is lost: the journal has them.',
      },
      {
        cause: 'pay or resume was called after close. Nothing was stored or signed.',
        fix: 'Open the payments again, and pay under the same idempotency key.',
      },
    ],
    related: ['TRANSACTION_TIMEOUT'],
  },
  ORDER_REJECTED: {
    title: 'The network rejected the transaction',
    hint: 'Nothing was charged; correct the order and make a new one.',
    causes: [
      {
        cause: 'The balance was too low when the block was closed.',
        fix: 'Top up and send a new transaction.',
      },
      {
        cause:
          'A contract broke a rule: wrong receiver, a price that was not paid, or not the owner of the token.',
        fix: 'Protocol 7.6 lists the reasons. The same hash cannot be tried again.',
      },
    ],
    related: ['TRANSACTION_REFUSED', 'PAYMENT_HOPELESS'],
  },
}
