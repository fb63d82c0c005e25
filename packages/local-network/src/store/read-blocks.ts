import type { Address, Amount, Hash } from '@hailstone/protocol'
import { sql } from 'kysely'
import { anyText, batched, givenRows, numberArray, rowsByPlace, textArray } from './batched.ts'
import type { ChainStore, ListedMacroblock, TransactionCopy, WholeMicroblock } from './chain-store.ts'
import { ask, type Queries } from './queries.ts'
import type { Reads } from './reads.ts'
import { type StoredRow, toBlockTransaction, toKeyBlockAnswer, toMicroblockHeader } from './rows.ts'

/** The public database compares without regard to case; here whatever is stored by hash is in lower case. */
const stored = (hash: string): string => hash.toLowerCase()

const MICROBLOCKS_OF =
  'select hash, transaction_count from microblock where height = $1 and transaction_count > 0 order by hash'
const STAT_BLOCKS_OF = 'select hash from stat_block where height = $1 order by hash'
const TRANSACTIONS_OF = 'select * from block_transaction where microblock_hash = $1 order by position'

/** Microblocks without transactions are not listed (PROTOCOL 3.5.2). */
async function microblocksOf(queries: Queries, height: number) {
  type Row = Pick<StoredRow<'microblock'>, 'hash' | 'transaction_count'>
  const rows = await ask<Row>(queries, MICROBLOCKS_OF, [height])
  return rows.map((row) => ({ hash: row.hash as Hash, transactionCount: row.transaction_count }))
}

/** Selects the transactions of microblocks, in the order of microblock and transaction hashes. */
export const transactionsIn = (queries: Queries, microblocks: readonly { readonly hash: string }[]) =>
  queries
    .selectFrom('block_transaction')
    .selectAll()
    .where('microblock_hash', '=', anyText(microblocks.map(({ hash }) => hash)))
    .orderBy('microblock_hash')
    .orderBy('position')

export const blockReads = {
  async keyBlockAt(queries, height) {
    const row = await queries
      .selectFrom('key_block')
      .selectAll()
      .where('height', '=', height)
      .executeTakeFirst()
    return row && toKeyBlockAnswer(row)
  },
  /** The origin block alone has capitals in its name, so its name is lowered in the index. */
  async keyBlock(queries, hash) {
    const row = await queries
      .selectFrom('key_block')
      .selectAll()
      .where(sql<string>`lower(hash)`, '=', stored(hash))
      .executeTakeFirst()
    return row && toKeyBlockAnswer(row)
  },
  async lastKeyBlocks(queries, limit) {
    const rows = await queries
      .selectFrom('key_block')
      .selectAll()
      .where('reward', 'is not', null)
      .orderBy('height', 'desc')
      .limit(limit)
      .execute()
    return rows.map(toKeyBlockAnswer)
  },
  microblocksOf,
  async statBlocksOf(queries, height) {
    const rows = await ask<{ readonly hash: string }>(queries, STAT_BLOCKS_OF, [height])
    return rows.map((row) => ({ hash: row.hash as Hash }))
  },
  async microblock(queries, hash) {
    const row = await queries
      .selectFrom('microblock')
      .innerJoin('key_block', 'key_block.height', 'microblock.height')
      .selectAll('microblock')
      .select('key_block.hash as key_block_hash')
      .where('microblock.hash', '=', stored(hash))
      .executeTakeFirst()
    return row && { ...toMicroblockHeader(row, row.key_block_hash), reward: row.reward as Amount }
  },
  async statBlock(queries, hash) {
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
  },
  async microblockPlaces(queries, { from, to }) {
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
  },
  async transactionsOf(queries, hash) {
    const rows = await ask<StoredRow<'block_transaction'>>(queries, TRANSACTIONS_OF, [stored(hash)])
    return rows.map(toBlockTransaction)
  },
  /** In two steps: without statistics, which the embedded engine never gathers, one join would read every row. */
  async transactionsAt(queries, height, limit) {
    const blocks = await microblocksOf(queries, height)
    if (blocks.length === 0) return []
    return (await transactionsIn(queries, blocks).limit(limit).execute()).map(toBlockTransaction)
  },
} satisfies Reads

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
  const rows = await ask<Row>(queries, TRANSACTIONS, [textArray(hashes.map(stored))])
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
  const rows = await ask<WholeMicroblockRow>(queries, WHOLE_MICROBLOCKS, [textArray(hashes.map(stored))])
  return rowsByPlace(rows, hashes.length).map((found) => {
    const [first] = found
    if (first === undefined) return undefined
    const {
      block_hash: hash,
      block_nonce: nonce,
      block_signature: signature,
      block_token_id: token_id,
    } = first
    const header = toMicroblockHeader({ ...first, hash, nonce, signature, token_id }, first.key_block_hash)
    return {
      header: { ...header, reward: first.reward as Amount },
      transactions: found.flatMap((row) => (row.hash === null ? [] : [toBlockTransaction(row)])),
    }
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
  const rows = await ask<ClosedRow>(queries, statement, [names.array])
  return rowsByPlace(rows, names.count).map(([row]) => row && toListedMacroblock(row))
}

type BatchedReads = Pick<ChainStore, 'transaction' | 'wholeMicroblock' | 'macroblockNamed' | 'macroblockAt'>

/** Reads that share a statement with others of the same kind. */
export const batchedBlockReads = (queries: Queries): BatchedReads => ({
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
})
