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
import { CompiledQuery, sql } from 'kysely'
import type { ChainStore, TransactionCopy } from './chain-store.ts'
import type { Queries } from './queries.ts'
import { type StoredRow, toBlockTransaction, toKeyBlockAnswer } from './rows.ts'

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

const MICROBLOCKS_OF =
  'select hash, transaction_count from microblock where height = $1 and transaction_count > 0 order by hash'
const STAT_BLOCKS_OF = 'select hash from stat_block where height = $1 order by hash'

/** Microblocks without transactions are not listed (PROTOCOL 3.5.2). */
async function microblocksOf(queries: Queries, height: number) {
  const question = CompiledQuery.raw(MICROBLOCKS_OF, [height])
  const { rows } = await queries.executeQuery(
    question as CompiledQuery<Pick<StoredRow<'microblock'>, 'hash' | 'transaction_count'>>,
  )
  return rows.map((row) => ({ hash: row.hash as Hash, transactionCount: row.transaction_count }))
}

async function statBlocksOf(queries: Queries, height: number) {
  const question = CompiledQuery.raw(STAT_BLOCKS_OF, [height])
  const { rows } = await queries.executeQuery(question as CompiledQuery<{ readonly hash: string }>)
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

const TRANSACTIONS_OF = 'select * from block_transaction where microblock_hash = $1 order by position'

async function transactionsOf(queries: Queries, hash: string): Promise<readonly BlockTransaction[]> {
  const question = CompiledQuery.raw(TRANSACTIONS_OF, [stored(hash)])
  const { rows } = await queries.executeQuery(question as CompiledQuery<StoredRow<'block_transaction'>>)
  return rows.map(toBlockTransaction)
}

const TRANSACTION = `
  select b.*, (select k.hash from key_block k where k.height = m.height) as key_block_hash
  from block_transaction b join microblock m on m.hash = b.microblock_hash
  where b.hash = $1 order by b.status desc, m.height limit 1`

async function transaction(queries: Queries, hash: string): Promise<TransactionCopy | undefined> {
  const question = CompiledQuery.raw(TRANSACTION, [stored(hash)])
  type Row = StoredRow<'block_transaction'> & { readonly key_block_hash: string }
  const { rows } = await queries.executeQuery(question as CompiledQuery<Row>)
  const [row] = rows
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
