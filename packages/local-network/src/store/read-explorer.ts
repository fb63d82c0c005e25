import type { Hash } from '@hailstone/protocol'
import { sql } from 'kysely'
import { anyNumber, anyText } from './batched.ts'
import type { Queries } from './queries.ts'
import { transactionsIn } from './read-blocks.ts'
import type { Reads } from './reads.ts'
import { statusCode, toBlockTransaction, toKeyBlockAnswer } from './rows.ts'

/** The macroblocks of microblocks. In steps: without statistics, a join reads whole tables of a long chain. */
async function placesOf(queries: Queries, microblockHashes: readonly string[]) {
  if (microblockHashes.length === 0) return new Map<string, { height: number; keyBlockHash: Hash }>()
  const microblocks = await queries
    .selectFrom('microblock')
    .select(['hash', 'height'])
    .where('hash', '=', anyText(microblockHashes))
    .execute()
  const keyBlocks = await queries
    .selectFrom('key_block')
    .select(['height', 'hash'])
    .where('height', '=', anyNumber([...new Set(microblocks.map(({ height }) => height))]))
    .execute()
  const hashAt = new Map(keyBlocks.map(({ height, hash }) => [height, hash as Hash]))
  return new Map(
    microblocks.flatMap(({ hash, height }) => {
      const keyBlockHash = hashAt.get(height)
      return keyBlockHash === undefined ? [] : [[hash, { height, keyBlockHash }] as const]
    }),
  )
}

export const explorerReads = {
  /** Both readings are ranges of an index on the height, however long the chain is. */
  async keyBlocksBetween(queries, { from, to }) {
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
  },
  async transactionCopies(queries, hash) {
    const rows = await queries
      .selectFrom('block_transaction')
      .selectAll()
      .where('hash', '=', hash.toLowerCase())
      .execute()
    const highest = Math.max(...rows.map(({ status }) => status))
    const best = rows.filter(({ status }) => status === highest)
    const places = await placesOf(queries, [...new Set(best.map((row) => row.microblock_hash))])
    return best
      .flatMap((row) => {
        const place = places.get(row.microblock_hash)
        return place === undefined ? [] : [{ row, place }]
      })
      .sort((a, b) => a.place.height - b.place.height)
      .map(({ row, place }) => ({ ...toBlockTransaction(row), keyBlockHash: place.keyBlockHash }))
  },
  async confirmedTransactionsAt(queries, height) {
    const blocks = await queries
      .selectFrom('microblock')
      .select('hash')
      .where('height', '=', height)
      .execute()
    const found = transactionsIn(queries, blocks).where('status', '=', statusCode('confirmed'))
    return blocks.length === 0 ? [] : (await found.execute()).map(toBlockTransaction)
  },
  /** Times never fall with the height, so the walk down ends at the first block that is too old. */
  async transactionsSince(queries, time) {
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
  },
  /** Mean of the packed difficulties, as the public software takes it; undefined on an empty chain. */
  async meanDifficulty(queries, blocks) {
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
  },
} satisfies Reads
