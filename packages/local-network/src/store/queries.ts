import { CompiledQuery, type Expression, type Insertable, type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** Whatever statements can be run on: the database or a transaction of it. */
export type Queries = Kysely<Schema>

/** Runs a statement that is written out, with the values of its parameters. */
export async function ask<Row>(
  queries: Queries,
  statement: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  return (await queries.executeQuery(CompiledQuery.raw(statement, [...values]) as CompiledQuery<Row>)).rows
}

/** The wire protocol of PostgreSQL counts parameters in 16 bits. */
const PARAMETERS_PER_STATEMENT = 30_000

/** Yields a list in parts of so many entries. */
export function* slices<Entry>(entries: readonly Entry[], size: number): Generator<readonly Entry[]> {
  for (let at = 0; at < entries.length; at += size) yield entries.slice(at, at + size)
}

/** Inserts rows in as few statements as the wire allows. */
export async function insertAll<Table extends keyof Schema>(
  queries: Queries,
  table: Table,
  rows: readonly Insertable<Schema[Table]>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).length
  if (columns === 0) return
  const size = Math.floor(PARAMETERS_PER_STATEMENT / columns)
  for (const part of slices(rows, size)) await queries.insertInto(table).values(part).execute()
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
  for (const part of slices(rows, size)) {
    await queries
      .insertInto(table)
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(key as never).doUpdateSet({
          ...Object.fromEntries(changed.map((column) => [column, sql.ref(`excluded.${column}`)])),
          ...further,
        } as never),
      )
      .execute()
  }
}
