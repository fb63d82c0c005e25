import type { Hash, Macroblock, StatBlock } from '@hailstone/protocol'
import type { Heights } from './chain-store.ts'
import type { Queries } from './queries.ts'
import { transactionsIn } from './read-blocks.ts'
import { type StoredRow, toKeyBlock, toMicroblockHeader, toTransaction } from './rows.ts'

const toStatBlock = (row: StoredRow<'stat_block'>, keyBlockHash: Hash): StatBlock => ({
  hash: row.hash as Hash,
  keyBlockHash,
  publisher: row.publisher as Hash,
  bulletin: row.bulletin,
  signature: row.signature,
})

/** Groups rows by a key, keeping their order. */
function grouped<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): ReadonlyMap<Key, readonly Row[]> {
  const groups = new Map<Key, Row[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group === undefined) groups.set(keyOf(row), [row])
    else group.push(row)
  }
  return groups
}

/** Rows of a range of heights, four questions however many heights there are. */
async function rowsOf(queries: Queries, { from, to }: Heights) {
  const within = (table: 'microblock' | 'stat_block') =>
    queries.selectFrom(table).where('height', '>=', from).where('height', '<=', to).orderBy('hash')
  const keyBlocks = await queries
    .selectFrom('key_block')
    .selectAll()
    .where('height', '>=', from)
    .where('height', '<=', to)
    .where('reward', 'is not', null)
    .orderBy('height')
    .execute()
  const microblocks = await within('microblock').selectAll('microblock').execute()
  const statBlocks = await within('stat_block').selectAll('stat_block').execute()
  const transactions = microblocks.length === 0 ? [] : await transactionsIn(queries, microblocks).execute()
  return { keyBlocks, microblocks, statBlocks, transactions }
}

/** Calculated macroblocks of the heights `from` … `to`, ascending, whole as they were sealed. */
export async function readMacroblocks(queries: Queries, heights: Heights): Promise<readonly Macroblock[]> {
  const rows = await rowsOf(queries, heights)
  const microblocks = grouped(rows.microblocks, ({ height }) => height)
  const statBlocks = grouped(rows.statBlocks, ({ height }) => height)
  const transactions = grouped(rows.transactions, (row) => row.microblock_hash)
  return rows.keyBlocks.map((row) => {
    const keyBlock = toKeyBlock(row)
    return {
      keyBlock,
      microblocks: (microblocks.get(row.height) ?? []).map((microblock) => ({
        ...toMicroblockHeader(microblock, keyBlock.hash),
        transactions: (transactions.get(microblock.hash) ?? []).map(toTransaction),
      })),
      statBlocks: (statBlocks.get(row.height) ?? []).map((block) => toStatBlock(block, keyBlock.hash)),
    }
  })
}
