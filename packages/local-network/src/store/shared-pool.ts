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
import type { Queries } from './queries.ts'

/** A waiting transaction as the processes share it. */
export type SharedTransaction = { readonly hash: Hash; readonly transaction: Transaction }

/** What changed in the shared pool since the number that was asked with. */
export type PoolNews = { readonly added: readonly SharedTransaction[]; readonly newest: bigint }

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

/** Writes transactions that are not there yet. */
export async function postShared(queries: Queries, posted: readonly SharedTransaction[]): Promise<void> {
  for (let at = 0; at < posted.length; at += ROWS_PER_STATEMENT) {
    const rows = posted
      .slice(at, at + ROWS_PER_STATEMENT)
      .map(({ hash, transaction }) => ({ hash, content: toContent(transaction) }))
    await queries
      .insertInto('pool_transaction')
      .values(rows)
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .execute()
  }
}

export async function removeShared(queries: Queries, hashes: readonly Hash[]): Promise<void> {
  for (let at = 0; at < hashes.length; at += ROWS_PER_STATEMENT)
    await queries
      .deleteFrom('pool_transaction')
      .where('hash', 'in', hashes.slice(at, at + ROWS_PER_STATEMENT))
      .execute()
}

/** In the order of their arrival. Numbers are not given in the order of commits, so `sharedHashes` checks now and then. */
export async function readShared(queries: Queries, after: bigint): Promise<PoolNews> {
  const rows = await queries
    .selectFrom('pool_transaction')
    .selectAll()
    .where('number', '>', after)
    .orderBy('number')
    .execute()
  return {
    added: rows.map(({ hash, content }) => ({ hash: hash as Hash, transaction: fromContent(content) })),
    newest: rows.at(-1)?.number ?? after,
  }
}

export async function sharedHashes(queries: Queries): Promise<readonly Hash[]> {
  const rows = await queries.selectFrom('pool_transaction').select('hash').orderBy('number').execute()
  return rows.map(({ hash }) => hash as Hash)
}
