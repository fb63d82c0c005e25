import type { DevelopmentAccount } from '@hailstone/ledger'
import {
  type Address,
  type ContractOrder,
  encodeContractOrder,
  grossForNet,
  type Hash,
  MAX_NONCE,
  signingHash,
  signText,
  type Token,
  type Transaction,
  transactionHash,
} from '@hailstone/protocol'
import type { Random } from '../chain/selection.ts'

/** Price of an order, its token and its recipient. */
export type OrderTerms = {
  readonly nativeToken: Pick<Token, 'id' | 'feeType' | 'feeValue' | 'feeMinimum'>
  /** Receiver of contracts. */
  readonly genesis: Address
  /** Native units by the name of the contract; what is not listed costs nothing. */
  readonly prices: Readonly<Record<string, bigint | undefined>>
}

/** An order is a native payment of exactly its price, and of the fee, to the genesis account (PROTOCOL 7.2). */
export function signOrder(parameters: {
  readonly from: Pick<DevelopmentAccount, 'address' | 'privateKey'>
  readonly order: ContractOrder
  readonly terms: OrderTerms
  readonly random: Random
}): { readonly transaction: Transaction; readonly hash: Hash } {
  const { from, order, terms, random } = parameters
  const { nativeToken, genesis, prices } = terms
  const fields = {
    amount: grossForNet(nativeToken, prices[order.type] ?? 0n),
    data: encodeContractOrder(order),
    from: from.address,
    nonce: Math.floor(random() * MAX_NONCE),
    tokenId: nativeToken.id,
    to: genesis,
  }
  const transaction = { ...fields, signature: signText(signingHash(fields), from.privateKey) }
  return { transaction, hash: transactionHash(transaction) }
}
