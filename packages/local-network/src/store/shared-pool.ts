import {
  type Address,
  type Amount,
  type Hash,
  type JsonValue,
  parseJson,
  type Signature,
  stringifyJson,
  type TokenId,
  type Transaction,
} from '@hailstone/protocol'
import { sql } from 'kysely'
import type { Queries } from './queries.ts'

/** A waiting transaction as the processes share it. */
type SharedTransaction = {
  readonly hash: Hash
  readonly transaction: Transaction
  /** In whose quota it counts: an address, or a name for those that were calculated before. */
  readonly sender: string
}

/** A transaction on its way to the shared pool. */
export type PostedTransaction = SharedTransaction & {
  /** Most transactions its sender may have waiting then; null for none. */
  readonly limit: number | null
}

/** Changes of the shared pool since the requested number. */
export type PoolNews = {
  readonly added: readonly (SharedTransaction & {
    /** By the clock of the database. */
    readonly ageMs: number
  })[]
  readonly newest: bigint
}

/** Lossless: a nonce may have a fraction and data may be no text, see PROTOCOL 2.4. */
const toContent = (transaction: Transaction): string =>
  stringifyJson({ ...transaction, nonce: transaction.nonce } as unknown as JsonValue)

function fromContent(content: string): Transaction {
  const fields = parseJson(content) as Readonly<Record<string, JsonValue>>
  return {
    from: fields.from as Address,
    to: fields.to as Address,
    amount: fields.amount as Amount,
    nonce: Number(fields.nonce),
    tokenId: fields.tokenId as TokenId,
    data: fields.data as string,
    signature: fields.signature as Signature,
  }
}

const ROWS_PER_STATEMENT = 500

/** Number of waiting transactions that each sender gains or, if negative, loses. */
type Changes = ReadonlyMap<string, number>

function countBySender(rows: Iterable<{ readonly sender: string }>, each: 1 | -1): Changes {
  const changes = new Map<string, number>()
  for (const { sender } of rows) changes.set(sender, (changes.get(sender) ?? 0) + each)
  return changes
}

/**
 * Counts by sender are kept in rows of their own, so that a quota holds over all processes and no post has to count:
 * the row is locked until the commit. In the order of names, so that two processes do not wait for one another.
 */
async function changeCounts(queries: Queries, changes: Changes): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const rows = [...changes].sort(([a], [b]) => (a < b ? -1 : 1))
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
    const changed = await queries
      .insertInto('pool_sender')
      .values(rows.slice(at, at + ROWS_PER_STATEMENT).map(([sender, waiting]) => ({ sender, waiting })))
      .onConflict((conflict) =>
        conflict.column('sender').doUpdateSet(({ eb, ref }) => ({
          waiting: eb('pool_sender.waiting', '+', ref('excluded.waiting')),
        })),
      )
      .returning(['sender', 'waiting'])
      .execute()
    for (const { sender, waiting } of changed) counts.set(sender, waiting)
  }
  const empty = [...counts].filter(([, waiting]) => waiting <= 0).map(([sender]) => sender)
  if (empty.length > 0)
    await queries.deleteFrom('pool_sender').where('sender', 'in', empty).where('waiting', '<=', 0).execute()
  return counts
}

/** The newest of the inserted transactions that their senders have beyond their limits. */
function overQuota(
  inserted: readonly PostedTransaction[],
  counts: ReadonlyMap<string, number>,
): readonly Hash[] {
  const excess = new Map(counts)
  return inserted.toReversed().flatMap(({ hash, sender, limit }) => {
    const waiting = excess.get(sender) ?? 0
    if (limit === null || waiting <= limit) return []
    excess.set(sender, waiting - 1)
    return [hash]
  })
}

/**
 * Writes transactions that are not there yet; to be run inside one transaction. Returns those that were refused,
 * because their senders have too many waiting at all processes together.
 */
export async function postShared(
  queries: Queries,
  posted: readonly PostedTransaction[],
): Promise<readonly Hash[]> {
  const written = new Set<string>()
  for (let at = 0; at < posted.length; at += ROWS_PER_STATEMENT) {
    const rows = posted
      .slice(at, at + ROWS_PER_STATEMENT)
      .map(({ hash, sender, transaction }) => ({ hash, sender, content: toContent(transaction) }))
    const inserted = await queries
      .insertInto('pool_transaction')
      .values(rows)
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .returning('hash')
      .execute()
    for (const { hash } of inserted) written.add(hash)
  }
  const inserted = posted.filter(({ hash }) => written.has(hash))
  const refused = overQuota(inserted, await changeCounts(queries, countBySender(inserted, 1)))
  await removeShared(queries, refused)
  return refused
}

/** To be run inside one transaction. */
export async function removeShared(queries: Queries, hashes: readonly Hash[]): Promise<void> {
  for (let at = 0; at < hashes.length; at += ROWS_PER_STATEMENT) {
    const removed = await queries
      .deleteFrom('pool_transaction')
      .where('hash', 'in', hashes.slice(at, at + ROWS_PER_STATEMENT))
      .returning('sender')
      .execute()
    await changeCounts(queries, countBySender(removed, -1))
  }
}

/** Counts transactions for another sender than before; to be run inside one transaction. */
export async function refileShared(queries: Queries, hashes: readonly Hash[], sender: string): Promise<void> {
  const before = await queries
    .selectFrom('pool_transaction')
    .select(['hash', 'sender'])
    .where('hash', 'in', hashes)
    .where('sender', '<>', sender)
    .forUpdate()
    .execute()
  if (before.length === 0) return
  const changed = before.map(({ hash }) => hash)
  await queries.updateTable('pool_transaction').set({ sender }).where('hash', 'in', changed).execute()
  const changes = new Map(countBySender(before, -1))
  await changeCounts(queries, changes.set(sender, before.length))
}

/** In the order of their arrival. Numbers are not given in the order of commits, so `sharedHashes` checks now and then. */
export async function readShared(queries: Queries, after: bigint): Promise<PoolNews> {
  const rows = await queries
    .selectFrom('pool_transaction')
    .select(['hash', 'sender', 'number', 'content'])
    .select(sql<number>`(extract(epoch from now() - posted_at) * 1000)::float8`.as('age_ms'))
    .where('number', '>', after)
    .orderBy('number')
    .execute()
  return {
    added: rows.map(({ hash, sender, content, age_ms: ageMs }) => ({
      hash: hash as Hash,
      sender,
      transaction: fromContent(content),
      ageMs: Math.max(0, ageMs),
    })),
    newest: rows.at(-1)?.number ?? after,
  }
}

export async function sharedHashes(queries: Queries): Promise<readonly Hash[]> {
  const rows = await queries.selectFrom('pool_transaction').select('hash').orderBy('number').execute()
  return rows.map(({ hash }) => hash as Hash)
}
