import type {
  Address,
  Amount,
  Hash,
  Macroblock,
  Microblock,
  Signature,
  StatBlock,
  TokenId,
  Transaction,
} from '@hailstone/protocol'
import { anyText } from './batched.ts'
import type { Queries } from './queries.ts'
import { type StoredRow, toKeyBlock } from './rows.ts'

type Heights = { readonly from: number; readonly to: number }

const toTransaction = (row: StoredRow<'block_transaction'>): Transaction => ({
  from: row.sender as Address,
  to: row.receiver as Address,
  amount: row.amount as Amount,
  nonce: Number(row.nonce),
  tokenId: row.token_id as TokenId,
  data: row.data,
  signature: row.signature as Signature,
})

const toMicroblock = (
  row: StoredRow<'microblock'>,
  keyBlockHash: Hash,
  transactions: readonly Transaction[],
): Microblock => ({
  hash: row.hash as Hash,
  keyBlockHash,
  publisher: row.publisher as Address,
  nonce: Number(row.nonce),
  tokenId: row.token_id as TokenId,
  referralAgent: row.referral_agent as Address | null,
  signature: row.signature as Signature,
  transactions,
})

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
  const hashes = microblocks.map(({ hash }) => hash)
  const transactions =
    hashes.length === 0
      ? []
      : await queries
          .selectFrom('block_transaction')
          .selectAll()
          .where('microblock_hash', '=', anyText(hashes))
          .orderBy('microblock_hash')
          .orderBy('position')
          .execute()
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
      microblocks: (microblocks.get(row.height) ?? []).map((microblock) =>
        toMicroblock(microblock, keyBlock.hash, (transactions.get(microblock.hash) ?? []).map(toTransaction)),
      ),
      statBlocks: (statBlocks.get(row.height) ?? []).map((block) => toStatBlock(block, keyBlock.hash)),
    }
  })
}
