import type { VerifyText } from './accelerated/ecdsa.ts'
import { verifyText } from './ecdsa.ts'
import { fieldHash, sha256Hex } from './hashing.ts'
import type { Transaction, TransactionFields } from './transaction-fields.ts'
import type { Hash } from './values/hash.ts'

export type { Transaction, TransactionFields }

/** 0: in the pool. 1: duplicate, executed before. 2: broke a rule. 3: executed. */
export type TransactionStatus = 'pending' | 'duplicate' | 'rejected' | 'confirmed'

/** Largest nonce of a transaction or a microblock. */
export const MAX_NONCE = 2 ** 53 - 1

/**
 * The hashed texts, in the order of the wire names amount, data, from, nonce, sign, ticker, to (PROTOCOL 2.2). Used
 * directly for untrusted fields of any form; integers are hashed as their decimal text.
 */
export type TransactionTexts = {
  readonly amount: string | bigint
  readonly data: string
  readonly from: string
  readonly nonce: string | number | bigint
  readonly tokenId: string
  readonly to: string
}

/** Input of both hashes of a transaction: its hashed fields before and after the signature. */
export type HashedFields = readonly [before: string, after: string]

export const hashedFieldsOf = (texts: TransactionTexts): HashedFields => {
  const { amount, data, from, nonce, tokenId, to } = texts
  return [[amount, data, from, nonce].map(fieldHash).join(''), fieldHash(tokenId) + fieldHash(to)]
}

export const signingHashOf = ([before, after]: HashedFields): Hash => sha256Hex(before + after)

export const transactionHashOf = ([before, after]: HashedFields, signature: string): Hash =>
  sha256Hex(before + fieldHash(signature) + after)

/** Computes the hash that a sender signs, from the texts of the wire. */
export const signingHashOfTexts = (texts: TransactionTexts): Hash => signingHashOf(hashedFieldsOf(texts))

/** Computes the hash of a transaction, from the texts of the wire. */
export const transactionHashOfTexts = (texts: TransactionTexts & { readonly signature: string }): Hash =>
  transactionHashOf(hashedFieldsOf(texts), texts.signature)

/** Returns the 64 hex digits whose ASCII characters are signed (PROTOCOL 2.2, 2.3). */
export const signingHash = (fields: TransactionFields): Hash => signingHashOfTexts(fields)

/** Returns the hash of a signed payment (PROTOCOL 2.2). */
export const transactionHash = (transaction: Transaction): Hash => transactionHashOfTexts(transaction)

/** True if the sender signed the transaction. High-S is accepted, as on the network. */
export const isTransactionSigned = (transaction: Transaction, verify: VerifyText = verifyText): boolean =>
  verify({ text: signingHash(transaction), signature: transaction.signature, address: transaction.from })
