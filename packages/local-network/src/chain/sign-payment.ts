import type { DevelopmentAccount } from '@hailstone/ledger'
import {
  type Address,
  type Amount,
  type Hash,
  MAX_NONCE,
  signingHash,
  signText,
  type TokenId,
  type Transaction,
  transactionHash,
} from '@hailstone/protocol'
import type { Random } from './selection.ts'

/** An ordinary payment out of a development account. */
export function signPayment(parameters: {
  readonly from: DevelopmentAccount
  readonly to: Address
  /** Gross units. */
  readonly amount: Amount
  readonly tokenId: TokenId
  readonly random: Random
}): { readonly transaction: Transaction; readonly hash: Hash } {
  const { from, to, amount, tokenId, random } = parameters
  const nonce = Math.floor(random() * MAX_NONCE)
  const fields = { amount, data: '', from: from.address, nonce, tokenId, to }
  const transaction = { ...fields, signature: signText(signingHash(fields), from.privateKey) }
  return { transaction, hash: transactionHash(transaction) }
}
