import { inTransaction, isCollision } from '@hailstone/database'
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
import { anyText, givenRows } from './batched.ts'
import { ask, type Queries, slices } from './queries.ts'

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

/** A transaction of the shared pool without its content. */
type PoolEntry = Pick<SharedTransaction, 'hash' | 'sender'> & {
  /** By the clock of the database. */
  readonly ageMs: number
}

/** Changes of the shared pool since the requested number. */
export type PoolNews = { readonly added: readonly PoolEntry[]; readonly newest: bigint }

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
  for (const part of slices(rows, ROWS_PER_STATEMENT)) {
    const changed = await queries
      .insertInto('pool_sender')
      .values(part.map(([sender, waiting]) => ({ sender, waiting })))
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
    await queries
      .deleteFrom('pool_sender')
      .where('sender', '=', anyText(empty))
      .where('waiting', '<=', 0)
      .execute()
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
 * Writes transactions that are not there yet, counts them for their senders, in the order of the senders' names, and
 * tells how many they were. It divides by zero, and so writes nothing, where a sender has more than its limit afterwards.
 */
const POST = `
  with posted as (
    select * from ${givenRows({ hash: 'text', sender: 'text', content: 'text', most: 'float8' })}
  ), inserted as (
    insert into pool_transaction (hash, sender, content)
      select hash, sender, content from posted order by place
      on conflict (hash) do nothing returning hash
  ), counted as (
    insert into pool_sender (sender, waiting)
      select sender, count(*)::integer from inserted join posted using (hash) group by sender order by sender
      on conflict (sender) do update set waiting = pool_sender.waiting + excluded.waiting
      returning sender, waiting
  )
  select (select count(*)::integer from inserted) / (case when exists (
    select 1 from inserted join posted using (hash) join counted using (sender) where waiting > most
  ) then 0 else 1 end) as written`

/** SQLSTATE of a division by zero. */
const OVER_QUOTA = '22012'

/** Outcome of a write to the shared pool. */
export type Posting = {
  /** Those that were not taken, because their senders have too many waiting at all processes together. */
  readonly refused: readonly Hash[]
  /** True if each one was written now. What was there already has waited for no standby here, and perhaps for none at all. */
  readonly areAllNew: boolean
}

/** Writes transactions that are not there yet, in one statement as a rule. */
export async function postShared(queries: Queries, posted: readonly PostedTransaction[]): Promise<Posting> {
  try {
    let written = 0
    for (const part of slices(posted, ROWS_PER_STATEMENT)) {
      const [row] = await ask<{ written: number }>(queries, POST, [
        part.map(({ hash }) => hash),
        part.map(({ sender }) => sender),
        part.map(({ transaction }) => toContent(transaction)),
        part.map(({ limit }) => limit),
      ])
      written += row?.written ?? 0
    }
    return { refused: [], areAllNew: written === posted.length }
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    if (code !== OVER_QUOTA && !isCollision(error)) throw error
    // What an earlier statement wrote is there already, and is neither counted nor refused once more.
    return inTransaction(queries, (one) => postOneByOne(one, posted))
  }
}

async function postOneByOne(queries: Queries, posted: readonly PostedTransaction[]): Promise<Posting> {
  const written = new Set<string>()
  for (const part of slices(posted, ROWS_PER_STATEMENT)) {
    const rows = part.map(({ hash, sender, transaction }) => ({
      hash,
      sender,
      content: toContent(transaction),
    }))
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
  return { refused, areAllNew: written.size === posted.length }
}

/** To be run inside one transaction. */
export async function removeShared(queries: Queries, hashes: readonly Hash[]): Promise<void> {
  if (hashes.length === 0) return
  const removed = await queries
    .deleteFrom('pool_transaction')
    .where('hash', '=', anyText(hashes))
    .returning('sender')
    .execute()
  await changeCounts(queries, countBySender(removed, -1))
}

/** Counts transactions for another sender than before; to be run inside one transaction. */
export async function refileShared(queries: Queries, hashes: readonly Hash[], sender: string): Promise<void> {
  const before = await queries
    .selectFrom('pool_transaction')
    .select(['hash', 'sender'])
    .where('hash', '=', anyText(hashes))
    .where('sender', '<>', sender)
    .forUpdate()
    .execute()
  if (before.length === 0) return
  const changed = before.map(({ hash }) => hash)
  await queries.updateTable('pool_transaction').set({ sender }).where('hash', '=', anyText(changed)).execute()
  const changes = new Map(countBySender(before, -1))
  await changeCounts(queries, changes.set(sender, before.length))
}

/** In the order of their arrival. Numbers are not given in the order of commits, so `sharedHashes` checks now and then. */
export async function readShared(queries: Queries, after: bigint): Promise<PoolNews> {
  const rows = await queries
    .selectFrom('pool_transaction')
    .select(['hash', 'sender', 'number'])
    .select(sql<number>`(extract(epoch from now() - posted_at) * 1000)::float8`.as('age_ms'))
    .where('number', '>', after)
    .orderBy('number')
    .execute()
  return {
    added: rows.map(({ hash, sender, age_ms: ageMs }) => ({
      hash: hash as Hash,
      sender,
      ageMs: Math.max(0, ageMs),
    })),
    newest: rows.at(-1)?.number ?? after,
  }
}

/** Those of the transactions that are still there. */
export async function readContents(
  queries: Queries,
  hashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, Transaction>> {
  const contents = new Map<Hash, Transaction>()
  for (const part of slices(hashes, ROWS_PER_STATEMENT)) {
    const rows = await queries
      .selectFrom('pool_transaction')
      .select(['hash', 'content'])
      .where('hash', '=', anyText(part))
      .execute()
    for (const { hash, content } of rows) contents.set(hash as Hash, fromContent(content))
  }
  return contents
}

export async function sharedHashes(queries: Queries): Promise<readonly Hash[]> {
  const rows = await queries.selectFrom('pool_transaction').select('hash').orderBy('number').execute()
  return rows.map(({ hash }) => hash as Hash)
}
