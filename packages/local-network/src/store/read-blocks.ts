import type {
  Address,
  Amount,
  BlockTransaction,
  FoundMicroblock,
  Hash,
  KeyBlockAnswer,
  MicroblockPlace,
  Signature,
  StatBlockHeader,
  TokenId,
} from '@hailstone/protocol'
import { sql } from 'kysely'
import type { ChainStore, TransactionCopy } from './chain-store.ts'
import type { Queries } from './queries.ts'
import { toBlockTransaction, toKeyBlockAnswer } from './rows.ts'

/** The public database compares without regard to case; here whatever is stored by hash is in lower case. */
const stored = (hash: string): string => hash.toLowerCase()

async function keyBlockAt(queries: Queries, height: number): Promise<KeyBlockAnswer | undefined> {
  const row = await queries
    .selectFrom('key_block')
    .selectAll()
    .where('height', '=', height)
    .executeTakeFirst()
  return row && toKeyBlockAnswer(row)
}

/** The origin block alone has capitals in its name, so its name is lowered in the index. */
async function keyBlock(queries: Queries, hash: string): Promise<KeyBlockAnswer | undefined> {
  const row = await queries
    .selectFrom('key_block')
    .selectAll()
    .where(sql<string>`lower(hash)`, '=', stored(hash))
    .executeTakeFirst()
  return row && toKeyBlockAnswer(row)
}

async function lastKeyBlocks(queries: Queries, limit: number): Promise<readonly KeyBlockAnswer[]> {
  const rows = await queries
    .selectFrom('key_block')
    .selectAll()
    .where('reward', 'is not', null)
    .orderBy('height', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toKeyBlockAnswer)
}

/** Microblocks without transactions are not listed (PROTOCOL 3.5.2). */
async function microblocksOf(queries: Queries, height: number) {
  const rows = await queries
    .selectFrom('microblock')
    .select(['hash', 'transaction_count'])
    .where('height', '=', height)
    .where('transaction_count', '>', 0)
    .orderBy('hash')
    .execute()
  return rows.map((row) => ({ hash: row.hash as Hash, transactionCount: row.transaction_count }))
}

async function statBlocksOf(queries: Queries, height: number) {
  const rows = await queries
    .selectFrom('stat_block')
    .select('hash')
    .where('height', '=', height)
    .orderBy('hash')
    .execute()
  return rows.map((row) => ({ hash: row.hash as Hash }))
}

async function microblock(queries: Queries, hash: string): Promise<FoundMicroblock | undefined> {
  const row = await queries
    .selectFrom('microblock')
    .innerJoin('key_block', 'key_block.height', 'microblock.height')
    .selectAll('microblock')
    .select('key_block.hash as key_block_hash')
    .where('microblock.hash', '=', stored(hash))
    .executeTakeFirst()
  return (
    row && {
      hash: row.hash as Hash,
      keyBlockHash: row.key_block_hash as Hash,
      publisher: row.publisher as Address,
      nonce: Number(row.nonce),
      signature: row.signature as Signature,
      reward: row.reward as Amount,
      tokenId: row.token_id as TokenId,
      referralAgent: row.referral_agent as Address | null,
    }
  )
}

async function statBlock(queries: Queries, hash: string): Promise<StatBlockHeader | undefined> {
  const row = await queries
    .selectFrom('stat_block')
    .innerJoin('key_block', 'key_block.height', 'stat_block.height')
    .selectAll('stat_block')
    .select('key_block.hash as key_block_hash')
    .where('stat_block.hash', '=', stored(hash))
    .executeTakeFirst()
  return (
    row && {
      keyBlockHash: row.key_block_hash as Hash,
      publisher: row.publisher as Hash,
      hash: row.hash as Hash,
      reward: row.reward as Amount,
    }
  )
}

async function microblockPlaces(
  queries: Queries,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly MicroblockPlace[]> {
  const rows = await queries
    .selectFrom('microblock')
    .innerJoin('key_block', 'key_block.height', 'microblock.height')
    .selectAll('microblock')
    .select(['key_block.hash as key_block_hash', 'key_block.time'])
    .where('microblock.height', '>=', from)
    .where('microblock.height', '<=', to)
    .orderBy('microblock.height')
    .orderBy('microblock.hash')
    .execute()
  return rows.map((row) => ({
    keyBlockHash: row.key_block_hash as Hash,
    hash: row.hash as Hash,
    publisher: row.publisher as Address,
    reward: row.reward as Amount,
    time: Number(row.time),
    height: row.height,
  }))
}

async function transactionsOf(queries: Queries, hash: string): Promise<readonly BlockTransaction[]> {
  const rows = await queries
    .selectFrom('block_transaction')
    .selectAll()
    .where('microblock_hash', '=', stored(hash))
    .orderBy('position')
    .execute()
  return rows.map(toBlockTransaction)
}

async function transaction(queries: Queries, hash: string): Promise<TransactionCopy | undefined> {
  const row = await queries
    .selectFrom('block_transaction')
    .innerJoin('microblock', 'microblock.hash', 'block_transaction.microblock_hash')
    .innerJoin('key_block', 'key_block.height', 'microblock.height')
    .selectAll('block_transaction')
    .select('key_block.hash as key_block_hash')
    .where('block_transaction.hash', '=', stored(hash))
    .orderBy('block_transaction.status', 'desc')
    .orderBy('microblock.height')
    .limit(1)
    .executeTakeFirst()
  return row && { ...toBlockTransaction(row), keyBlockHash: row.key_block_hash as Hash }
}

/** In two steps: without statistics, which the embedded engine never gathers, one join would read every row. */
async function transactionsAt(
  queries: Queries,
  height: number,
  limit: number,
): Promise<readonly BlockTransaction[]> {
  const blocks = await microblocksOf(queries, height)
  if (blocks.length === 0) return []
  const rows = await queries
    .selectFrom('block_transaction')
    .selectAll()
    .where(
      'microblock_hash',
      'in',
      blocks.map(({ hash }) => hash),
    )
    .orderBy('microblock_hash')
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(toBlockTransaction)
}

type BlockReads = Pick<
  ChainStore,
  | 'keyBlockAt'
  | 'keyBlock'
  | 'lastKeyBlocks'
  | 'microblocksOf'
  | 'statBlocksOf'
  | 'microblock'
  | 'statBlock'
  | 'microblockPlaces'
  | 'transactionsOf'
  | 'transaction'
  | 'transactionsAt'
>

export const blockReads = (queries: Queries): BlockReads => ({
  keyBlockAt: (height) => keyBlockAt(queries, height),
  keyBlock: (hash) => keyBlock(queries, hash),
  lastKeyBlocks: (limit) => lastKeyBlocks(queries, limit),
  microblocksOf: (height) => microblocksOf(queries, height),
  statBlocksOf: (height) => statBlocksOf(queries, height),
  microblock: (hash) => microblock(queries, hash),
  statBlock: (hash) => statBlock(queries, hash),
  microblockPlaces: (range) => microblockPlaces(queries, range),
  transactionsOf: (hash) => transactionsOf(queries, hash),
  transaction: (hash) => transaction(queries, hash),
  transactionsAt: (height, limit) => transactionsAt(queries, height, limit),
})
