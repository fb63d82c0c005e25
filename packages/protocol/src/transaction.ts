import type { VerifyText } from './accelerated/ecdsa.ts'
import { verifyText } from './ecdsa.ts'
import { fieldHash, sha256Hex } from './hashing.ts'
import type { Address } from './values/address.ts'
import type { Amount } from './values/amount.ts'
import type { Hash } from './values/hash.ts'
import type { Signature } from './values/signature.ts'
import type { TokenId } from './values/token-id.ts'

/** What a payment says before it is signed. */
export type TransactionFields = {
  /** Gross units taken from the sender; the fee is inside. */
  readonly amount: Amount
  /** Free text or an encoded contract, up to 512 characters. */
  readonly data: string
  readonly from: Address
  /** A salt, 0 … 2^53-1; it has no order and is never compared. */
  readonly nonce: number
  readonly tokenId: TokenId
  readonly to: Address
}

/** A signed payment. The signature is part of its hash: signed twice, it is two payments. */
export type Transaction = TransactionFields & { readonly signature: Signature }

/** 0 waits in the pool, 1 was executed before, 2 broke a rule, 3 is executed. */
export type TransactionStatus = 'pending' | 'duplicate' | 'rejected' | 'confirmed'

export const MAX_NONCE = Number.MAX_SAFE_INTEGER

/**
 * The texts that are hashed, in the order of the wire names amount, data, from, nonce, sign, ticker, to
 * (PROTOCOL 2.2). Used directly where fields come from strangers and may have any form.
 */
export type TransactionTexts = {
  readonly amount: string
  readonly data: string
  readonly from: string
  readonly nonce: string
  readonly tokenId: string
  readonly to: string
}

export function signingHashOfTexts(texts: TransactionTexts): Hash {
  const { amount, data, from, nonce, tokenId, to } = texts
  return sha256Hex([amount, data, from, nonce, tokenId, to].map(fieldHash).join(''))
}

export function transactionHashOfTexts(texts: TransactionTexts & { readonly signature: string }): Hash {
  const { amount, data, from, nonce, signature, tokenId, to } = texts
  return sha256Hex([amount, data, from, nonce, signature, tokenId, to].map(fieldHash).join(''))
}

const textsOf = <T extends TransactionFields>(fields: T) => ({
  ...fields,
  amount: fields.amount.toString(),
  nonce: String(fields.nonce),
})

/** The 64 hex digits whose ASCII characters are signed (PROTOCOL 2.2, 2.3). */
export const signingHash = (fields: TransactionFields): Hash => signingHashOfTexts(textsOf(fields))

/** Identifies a signed payment (PROTOCOL 2.2). */
export const transactionHash = (transaction: Transaction): Hash =>
  transactionHashOfTexts(textsOf(transaction))

/** Whether the signature belongs to the sender. High-S is accepted, as on the network. */
export const isTransactionSigned = (transaction: Transaction, verify: VerifyText = verifyText): boolean =>
  verify({ text: signingHash(transaction), signature: transaction.signature, address: transaction.from })
