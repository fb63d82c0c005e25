import type {
  Address,
  Amount,
  BlockTransaction,
  FeeType,
  Hash,
  KeyBlock,
  KeyBlockAnswer,
  Microblock,
  MiningRule,
  Signature,
  Token,
  TokenId,
  Transaction,
  TransactionStatus,
} from '@hailstone/protocol'
import type { Insertable, Selectable } from 'kysely'
import type { CountedToken } from './chain-store.ts'
import type { Schema } from './schema.ts'

/** Row types. Values were checked before they were written, so reading them back casts and checks nothing. */
type Row<Table extends keyof Schema> = Selectable<Schema[Table]>

export type StoredRow<Table extends keyof Schema> = Row<Table>

const statuses: readonly TransactionStatus[] = ['pending', 'duplicate', 'rejected', 'confirmed']

export const statusCode = (status: TransactionStatus): number => statuses.indexOf(status)

export const tokenRow = (token: Token): Omit<Row<'token'>, 'transfer_count'> => ({
  id: token.id,
  owner: token.owner,
  fee_type: token.feeType,
  fee_value: token.feeValue,
  fee_minimum: token.feeMinimum,
  symbol: token.symbol,
  caption: token.caption,
  decimals: token.decimals,
  total_supply: token.totalSupply,
  is_reissuable: token.isReissuable,
  max_supply: token.mining?.maxSupply ?? null,
  block_reward: token.mining?.blockReward ?? null,
  minimum_stake: token.mining?.minimumStake ?? null,
  referrer_stake: token.mining?.referrerStake ?? null,
  referral_share_bps: token.mining?.referralShareBps ?? null,
})

const miningOf = (row: Row<'token'>): MiningRule | null =>
  row.max_supply === null
    ? null
    : {
        maxSupply: row.max_supply as Amount,
        blockReward: (row.block_reward ?? 0n) as Amount,
        minimumStake: (row.minimum_stake ?? 0n) as Amount,
        referrerStake: (row.referrer_stake ?? 0n) as Amount,
        referralShareBps: row.referral_share_bps ?? 0,
      }

export const toToken = (row: Row<'token'>): CountedToken => ({
  id: row.id as TokenId,
  owner: row.owner as Address,
  feeType: row.fee_type as FeeType,
  feeValue: row.fee_value as Amount,
  feeMinimum: row.fee_minimum as Amount,
  symbol: row.symbol,
  caption: row.caption,
  decimals: row.decimals,
  totalSupply: row.total_supply as Amount,
  isReissuable: row.is_reissuable,
  mining: miningOf(row),
  transferCount: Number(row.transfer_count),
})

export const keyBlockRow = (block: KeyBlock): Omit<Row<'key_block'>, 'reward'> => ({
  height: block.height,
  hash: block.hash,
  time: BigInt(block.time),
  publisher: block.publisher,
  nonce: BigInt(block.nonce),
  link: block.link,
  sprout: block.sprout,
  merkle_root: block.merkleRoot,
  target_difficulty: BigInt(block.targetDifficulty),
})

export const toKeyBlock = (row: Row<'key_block'>): KeyBlock => ({
  hash: row.hash as Hash,
  height: row.height,
  time: Number(row.time),
  publisher: row.publisher as Address,
  nonce: Number(row.nonce),
  link: row.link as Hash,
  sprout: row.sprout as Hash,
  merkleRoot: row.merkle_root,
  targetDifficulty: Number(row.target_difficulty),
})

/** The local leader signs nothing, which the network shows as null (PROTOCOL appendix A). */
export const toKeyBlockAnswer = (row: Row<'key_block'>): KeyBlockAnswer => ({
  ...toKeyBlock(row),
  leaderSignature: null,
  reward: row.reward as Amount | null,
})

export const transactionStatus = (code: number): TransactionStatus => statuses[code] ?? 'rejected'

export const toTransaction = (row: Row<'block_transaction'>): Transaction => ({
  from: row.sender as Address,
  to: row.receiver as Address,
  amount: row.amount as Amount,
  nonce: Number(row.nonce),
  tokenId: row.token_id as TokenId,
  data: row.data,
  signature: row.signature as Signature,
})

export const toBlockTransaction = (row: Row<'block_transaction'>): BlockTransaction => ({
  ...toTransaction(row),
  hash: row.hash as Hash,
  microblockHash: row.microblock_hash as Hash,
  status: transactionStatus(row.status),
})

/** A microblock without its transactions. */
export const toMicroblockHeader = (
  row: Omit<Row<'microblock'>, 'height' | 'reward' | 'transaction_count'>,
  keyBlockHash: string,
): Omit<Microblock, 'transactions'> => ({
  hash: row.hash as Hash,
  keyBlockHash: keyBlockHash as Hash,
  publisher: row.publisher as Address,
  nonce: Number(row.nonce),
  tokenId: row.token_id as TokenId,
  referralAgent: row.referral_agent as Address | null,
  signature: row.signature as Signature,
})

export type NewRow<Table extends keyof Schema> = Insertable<Schema[Table]>
