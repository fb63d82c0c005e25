import type {
  Address,
  Amount,
  FoundMicroblock,
  Hash,
  KeyBlockAnswer,
  Signature,
  TokenId,
} from '@hailstone/protocol'
import { sql } from 'kysely'
import type { ChainStore, TransactionCopy } from './chain-store.ts'
import type { Queries } from './queries.ts'
import { statusCode, toBlockTransaction, toKeyBlockAnswer } from './rows.ts'

type Range = { readonly from: number; readonly to: number }

/** Both readings are ranges of an index on the height, however long the chain is. */
async function keyBlocksBetween(
  queries: Queries,
  { from, to }: Range,
): Promise<readonly (KeyBlockAnswer & { readonly transactionCount: number })[]> {
  const rows = await queries
    .selectFrom('key_block')
    .selectAll()
    .where('height', '>=', from)
    .where('height', '<=', to)
    .orderBy('height', 'desc')
    .execute()
  const counts = await queries
    .selectFrom('microblock')
    .select(['height', ({ fn }) => fn.sum<bigint>('transaction_count').as('count')])
    .where('height', '>=', from)
    .where('height', '<=', to)
    .groupBy('height')
    .execute()
  const countAt = new Map(counts.map(({ height, count }) => [height, Number(count)]))
  return rows.map((row) => ({ ...toKeyBlockAnswer(row), transactionCount: countAt.get(row.height) ?? 0 }))
}

async function transactionCopies(queries: Queries, hash: string): Promise<readonly TransactionCopy[]> {
  const rows = await queries
    .selectFrom('block_transaction')
    .innerJoin('microblock', 'microblock.hash', 'block_transaction.microblock_hash')
    .innerJoin('key_block', 'key_block.height', 'microblock.height')
    .selectAll('block_transaction')
    .select('key_block.hash as key_block_hash')
    .where('block_transaction.hash', '=', hash.toLowerCase())
    .orderBy('block_transaction.status', 'desc')
    .orderBy('microblock.height')
    .execute()
  const [best] = rows
  return rows
    .filter(({ status }) => status === best?.status)
    .map((row) => ({ ...toBlockTransaction(row), keyBlockHash: row.key_block_hash as Hash }))
}

async function confirmedTransactionsAt(queries: Queries, height: number) {
  const blocks = await queries.selectFrom('microblock').select('hash').where('height', '=', height).execute()
  if (blocks.length === 0) return undefined
  const rows = await queries
    .selectFrom('block_transaction')
    .selectAll()
    .where(
      'microblock_hash',
      'in',
      blocks.map(({ hash }) => hash),
    )
    .where('status', '=', statusCode('confirmed'))
    .orderBy('microblock_hash')
    .orderBy('position')
    .execute()
  return rows.map(toBlockTransaction)
}

async function signedMicroblock(queries: Queries, hash: string): Promise<FoundMicroblock | undefined> {
  const row = await queries
    .selectFrom('microblock')
    .innerJoin('key_block', 'key_block.height', 'microblock.height')
    .selectAll('microblock')
    .select('key_block.hash as key_block_hash')
    .where('microblock.hash', '=', hash.toLowerCase())
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

/** Times never fall with the height, so the walk down ends at the first block that is too old. */
async function transactionsSince(queries: Queries, time: number): Promise<number> {
  const tooOld = await queries
    .selectFrom('key_block')
    .select('height')
    .where('time', '<=', BigInt(time))
    .orderBy('height', 'desc')
    .limit(1)
    .executeTakeFirst()
  const row = await queries
    .selectFrom('microblock')
    .select(({ fn }) => fn.sum<bigint | null>('transaction_count').as('count'))
    .where('height', '>', tooOld?.height ?? -1)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Mean of the packed difficulties, as the public software takes it; undefined on an empty chain. */
async function meanDifficulty(queries: Queries, blocks: number): Promise<number | undefined> {
  const newest = queries
    .selectFrom('key_block')
    .select('target_difficulty')
    .orderBy('height', 'desc')
    .limit(blocks)
    .as('newest')
  const row = await queries
    .selectFrom(newest)
    .select(sql<number | null>`avg(target_difficulty)::float8`.as('mean'))
    .executeTakeFirst()
  return row?.mean ?? undefined
}

type ExplorerReads = Pick<
  ChainStore,
  | 'keyBlocksBetween'
  | 'transactionCopies'
  | 'confirmedTransactionsAt'
  | 'signedMicroblock'
  | 'transactionsSince'
  | 'meanDifficulty'
>

export const explorerReads = (queries: Queries): ExplorerReads => ({
  keyBlocksBetween: (range) => keyBlocksBetween(queries, range),
  transactionCopies: (hash) => transactionCopies(queries, hash),
  confirmedTransactionsAt: (height) => confirmedTransactionsAt(queries, height),
  signedMicroblock: (hash) => signedMicroblock(queries, hash),
  transactionsSince: (time) => transactionsSince(queries, time),
  meanDifficulty: (blocks) => meanDifficulty(queries, blocks),
})
