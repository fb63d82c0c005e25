import {
  type Address,
  ascending,
  type Hash,
  type Macroblock,
  type TokenId,
  type Transaction,
  transactionHash,
} from '@hailstone/protocol'

/** A transaction as the ledger reads it; its hash is trusted, its signature was verified before. */
export type LedgerTransaction = {
  readonly hash: Hash
  readonly from: Address
  readonly to: Address
  /** Gross units. */
  readonly amount: bigint
  /** Token id as sent. In upper case it matches no token, and the transaction is rejected. */
  readonly tokenId: TokenId
  readonly data: string
}

/** A microblock as the ledger reads it. */
export type LedgerMicroblock = {
  readonly hash: Hash
  readonly publisher: Address
  readonly tokenId: TokenId
  readonly referralAgent: Address | null
  readonly transactions: readonly LedgerTransaction[]
}

/** The key block being closed with the blocks that extend it, in any order but for the statblocks. */
export type LedgerMacroblock = {
  readonly keyBlock: { readonly hash: Hash; readonly height: number; readonly publisher: Address }
  readonly microblocks: readonly LedgerMicroblock[]
  /** Paid and recorded in this order. */
  readonly statBlocks: readonly { readonly hash: Hash; readonly publisher: Hash }[]
}

/** The order in which microblocks, and the transactions of one, are calculated and paid (PROTOCOL 2.9). */
export const byHash = <T extends { readonly hash: Hash }>(items: readonly T[]): readonly T[] =>
  [...items].sort((a, b) => ascending(a.hash, b.hash))

const toLedgerTransaction = (transaction: Transaction): LedgerTransaction => ({
  hash: transactionHash(transaction),
  from: transaction.from,
  to: transaction.to,
  amount: transaction.amount,
  tokenId: transaction.tokenId,
  data: transaction.data,
})

/** Recomputes the transaction hashes of a macroblock, which the chain's own objects do not carry. */
export const toLedgerMacroblock = (macroblock: Macroblock): LedgerMacroblock => ({
  keyBlock: macroblock.keyBlock,
  microblocks: macroblock.microblocks.map((microblock) => ({
    ...microblock,
    transactions: microblock.transactions.map(toLedgerTransaction),
  })),
  statBlocks: macroblock.statBlocks,
})
