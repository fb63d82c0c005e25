import { type Expression, type Insertable, type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** Whatever statements can be run on: the database or a transaction of it. */
export type Queries = Kysely<Schema>

/** The wire protocol of PostgreSQL counts parameters in 16 bits. */
const PARAMETERS_PER_STATEMENT = 30_000

/** Inserts rows in as few statements as the wire allows. */
export async function insertAll<Table extends keyof Schema>(
  queries: Queries,
  table: Table,
  rows: readonly Insertable<Schema[Table]>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).length
  if (columns === 0) return
  const size = Math.floor(PARAMETERS_PER_STATEMENT / columns)
  for (let at = 0; at < rows.length; at += size) {
    await queries
      .insertInto(table)
      .values(rows.slice(at, at + size))
      .execute()
  }
}

/**
 * Inserts rows, or changes those that are there already. No two rows may have the same key.
 *
 * @param further columns of rows that are there already, from what those hold. @default none
 */
export async function upsertAll<Table extends keyof Schema>(
  queries: Queries,
  table: Table,
  key: readonly string[],
  rows: readonly Insertable<Schema[Table]>[],
  further: Readonly<Record<string, Expression<unknown>>> = {},
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const size = Math.floor(PARAMETERS_PER_STATEMENT / Math.max(1, columns.length))
  const changed = columns.filter((column) => !key.includes(column))
  for (let at = 0; at < rows.length; at += size) {
    await queries
      .insertInto(table)
      .values(rows.slice(at, at + size))
      .onConflict((conflict) =>
        conflict.columns(key as never).doUpdateSet({
          ...Object.fromEntries(changed.map((column) => [column, sql.ref(`excluded.${column}`)])),
          ...further,
        } as never),
      )
      .execute()
  }
}
