import type { Address, Amount, Signature, TokenId } from './values/branded-values.ts'

/** The fields of a payment before it is signed. */
export type TransactionFields = {
  /** Gross units taken from the sender, fee included. */
  readonly amount: Amount
  /** Memo or encoded contract, up to 512 characters. */
  readonly data: string
  readonly from: Address
  /** Salt, 0 … 2^53-1; unordered and never compared. */
  readonly nonce: number
  readonly tokenId: TokenId
  readonly to: Address
}

/** A signed payment. Its hash covers the signature: signed twice, it is two payments. */
export type Transaction = TransactionFields & { readonly signature: Signature }
