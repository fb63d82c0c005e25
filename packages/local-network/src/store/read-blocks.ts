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
import { anyText, batched, givenRows, numberArray, rowsByPlace, textArray } from './batched.ts'
import type { ChainStore, ListedMacroblock, TransactionCopy, WholeMicroblock } from './chain-store.ts'
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

/** For each hash: the copy with the highest status, of those the oldest. */
const TRANSACTIONS = `
  select given.place::integer as place, found.*
  from ${givenRows({ hash: 'text' })}
  cross join lateral (
    select b.*, (select k.hash from key_block k where k.height = m.height) as key_block_hash
    from block_transaction b join microblock m on m.hash = b.microblock_hash
    where b.hash = given.hash order by b.status desc, m.height limit 1
  ) found`

async function transactionsNamed(
  queries: Queries,
  hashes: readonly string[],
): Promise<readonly (TransactionCopy | undefined)[]> {
  type Row = StoredRow<'block_transaction'> & { readonly key_block_hash: string; readonly place: number }
  const question = CompiledQuery.raw(TRANSACTIONS, [textArray(hashes.map(stored))])
  const { rows } = await queries.executeQuery(question as CompiledQuery<Row>)
  return rowsByPlace(rows, hashes.length).map(
    ([row]) => row && { ...toBlockTransaction(row), keyBlockHash: row.key_block_hash as Hash },
  )
}

/** For each microblock: its header as often as it has transactions, or once. */
const WHOLE_MICROBLOCKS = `
  select given.place::integer as place, m.hash as block_hash, m.publisher, m.nonce as block_nonce,
    m.signature as block_signature, m.reward, m.token_id as block_token_id, m.referral_agent, m.key_block_hash, b.*
  from ${givenRows({ hash: 'text' })}
  cross join lateral (
    select microblock.*, (select k.hash from key_block k where k.height = microblock.height) as key_block_hash
    from microblock where microblock.hash = given.hash offset 0
  ) m
  left join lateral (
    select * from block_transaction where block_transaction.microblock_hash = given.hash offset 0
  ) b on true
  order by given.place, b.position`

type WholeMicroblockRow = {
  readonly place: number
  readonly block_hash: string
  readonly publisher: string
  readonly block_nonce: bigint
  readonly block_signature: string
  readonly reward: bigint
  readonly block_token_id: string
  readonly referral_agent: string | null
  readonly key_block_hash: string
} & (StoredRow<'block_transaction'> | { readonly [Column in keyof StoredRow<'block_transaction'>]: null })

async function wholeMicroblocks(
  queries: Queries,
  hashes: readonly string[],
): Promise<readonly (WholeMicroblock | undefined)[]> {
  const question = CompiledQuery.raw(WHOLE_MICROBLOCKS, [textArray(hashes.map(stored))])
  const { rows } = await queries.executeQuery(question as CompiledQuery<WholeMicroblockRow>)
  return rowsByPlace(rows, hashes.length).map((found) => {
    const [first] = found
    return (
      first && {
        header: {
          hash: first.block_hash as Hash,
          keyBlockHash: first.key_block_hash as Hash,
          publisher: first.publisher as Address,
          nonce: Number(first.block_nonce),
          signature: first.block_signature as Signature,
          reward: first.reward as Amount,
          tokenId: first.block_token_id as TokenId,
          referralAgent: first.referral_agent as Address | null,
        },
        transactions: found.flatMap((row) => (row.hash === null ? [] : [toBlockTransaction(row)])),
      }
    )
  })
}

/** Key blocks with the names of their blocks, where they are calculated. Blocks without transactions are not listed. */
const closedBy = (place: string, type: string): string => `
  select given.place::integer as place, k.*,
    (select string_agg(hash || ':' || transaction_count, ',' order by hash) from microblock
      where microblock.height = k.height and transaction_count > 0) as microblocks,
    (select string_agg(hash, ',' order by hash) from stat_block where stat_block.height = k.height) as stat_blocks
  from ${givenRows({ name: type })}
  cross join lateral (select * from key_block where ${place} = given.name offset 0) k`

/** The origin block alone has capitals in its name, so its name is lowered in the index. */
const CLOSED_BY_HASH = closedBy('lower(hash)', 'text')
const CLOSED_BY_HEIGHT = closedBy('height', 'integer')

type ClosedRow = StoredRow<'key_block'> & {
  readonly place: number
  readonly microblocks: string | null
  readonly stat_blocks: string | null
}

const namesIn = (list: string | null): readonly string[] => (list === null ? [] : list.split(','))

/** While a macroblock is open nobody knows its blocks. */
function toListedMacroblock(row: ClosedRow): ListedMacroblock {
  const keyBlock = toKeyBlockAnswer(row)
  if (keyBlock.reward === null) return { keyBlock, microblocks: [], statBlocks: [] }
  return {
    keyBlock,
    microblocks: namesIn(row.microblocks).map((name) => {
      const [hash = '', count] = name.split(':')
      return { hash: hash as Hash, transactionCount: Number(count) }
    }),
    statBlocks: namesIn(row.stat_blocks).map((hash) => ({ hash: hash as Hash })),
  }
}

async function listedMacroblocks(
  queries: Queries,
  statement: string,
  names: { readonly array: string; readonly count: number },
): Promise<readonly (ListedMacroblock | undefined)[]> {
  const question = CompiledQuery.raw(statement, [names.array])
  const { rows } = await queries.executeQuery(question as CompiledQuery<ClosedRow>)
  return rowsByPlace(rows, names.count).map(([row]) => row && toListedMacroblock(row))
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
    .where('microblock_hash', '=', anyText(blocks.map(({ hash }) => hash)))
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
  | 'wholeMicroblock'
  | 'macroblockNamed'
  | 'macroblockAt'
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
  transaction: batched((hashes) => transactionsNamed(queries, hashes)),
  wholeMicroblock: batched((hashes) => wholeMicroblocks(queries, hashes)),
  macroblockNamed: batched((hashes) =>
    listedMacroblocks(queries, CLOSED_BY_HASH, {
      array: textArray(hashes.map(stored)),
      count: hashes.length,
    }),
  ),
  macroblockAt: batched((heights) =>
    listedMacroblocks(queries, CLOSED_BY_HEIGHT, { array: numberArray(heights), count: heights.length }),
  ),
  transactionsAt: (height, limit) => transactionsAt(queries, height, limit),
})
