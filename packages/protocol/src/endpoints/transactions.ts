import {
  address,
  amount,
  count,
  feeType,
  hash,
  list,
  optional,
  orNull,
  signature,
  status,
  text,
  textAmount,
  textDifference,
  tokenId,
} from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { defineEndpoint, definePost, maybe, required } from './define-endpoint.ts'

/** A payment in the form of POST /tx: the amount is a text, the nonce a number. */
export const postedTransaction = record({
  amount: textAmount,
  data: text,
  from: address,
  nonce: count,
  signature: ['sign', signature],
  tokenId: ['ticker', tokenId],
  to: address,
})

const postAnswer = record({
  error: ['err', count],
  message: optional(text),
  result: optional(list(record({ hash, status }))),
})

/** `POST /tx`: a list with exactly one transaction. Status 200 does not mean success; see `error`. */
export const postTransactionEndpoint = definePost({
  path: '/tx',
  body: list(postedTransaction),
  answer: postAnswer,
})

/** Members that a transaction has in every answer that contains one. */
export const transactionFields = {
  status,
  from: address,
  to: address,
  grossAmount: ['total_amount', amount],
  feeMinimum: ['fee_min', orNull(amount)],
  tokenId: ['token_hash', tokenId],
  feeValue: ['fee_value', orNull(amount)],
  feeType: ['fee_type', orNull(feeType)],
  data: text,
  hash,
  keyBlockHash: ['kblocks_hash', hash],
  microblockHash: ['mblocks_hash', hash],
} as const

/**
 * `GET /tx`: an empty body for a hash that is unknown, pending or not calculated. Fee and net amount are derived from
 * the token's present parameters, for rejected transactions as well; both are absent for an unknown token.
 */
export const transactionEndpoint = defineEndpoint({
  path: '/tx',
  parameters: { hash: required('hash', 'hash') },
  answer: record({
    ...transactionFields,
    fee: optional(textAmount),
    netAmount: ['amount', optional(textDifference)],
  }),
  mayBeEmpty: true,
})

const pendingEntry = record({
  hash,
  /** `YYYY-MM-DD HH:MM:SS` in the server's own time zone. */
  timeAdded: ['timeadded', text],
  amount,
  from: address,
  to: address,
  nonce: count,
  tokenId: ['ticker', tokenId],
  data: text,
  signature: ['sign', signature],
})

/** `GET /pending_size`: a list with one count. */
export const pendingSizeEndpoint = defineEndpoint({ path: '/pending_size', answer: list(record({ count })) })

/** `GET /pending_tx_hash`: one entry while the transaction waits; an empty list if it is unknown or calculated. */
export const pendingTransactionEndpoint = defineEndpoint({
  path: '/pending_tx_hash',
  parameters: { hash: required('hash', 'hash') },
  answer: list(pendingEntry),
  mayBeEmpty: true,
})

/** `GET /pending_tx_account`: waiting transactions of an account as sender, receiver or both. */
export const pendingAccountEndpoint = defineEndpoint({
  path: '/pending_tx_account',
  parameters: { address: maybe('address', 'id'), filter: maybe('text', 'filter') },
  answer: list(pendingEntry),
  mayBeEmpty: true,
})

/** A calculated transaction, the answer of `GET /tx`. Amounts are in units of its token. */
export type TransactionAnswer = Value<typeof transactionEndpoint.answer>
/** A transaction that waits in the pool of the node that answers. */
export type PendingTransaction = Value<typeof pendingEntry>
/** Answer of `POST /tx`: an error number, 0 for success, and the hash and status of the transaction. */
export type PostTransactionAnswer = Value<typeof postAnswer>
