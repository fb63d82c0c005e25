import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** Writes rows as JSON that both engines read back exactly: units of any size are texts. */
const jsonOf = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))

/** Rows as a table in a statement; one parameter, however many there are. */
const given = (name: keyof Schema, rows: readonly object[]): RawBuilder<unknown> =>
  sql`json_populate_recordset(null::${sql.table(name)}, ${jsonOf(rows)}::json)`

/** Rows of one statement, which bounds the memory of a very large block. */
const ROWS_PER_STATEMENT = 5000

function* parts(rows: readonly object[]): Generator<readonly object[]> {
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) yield rows.slice(at, at + ROWS_PER_STATEMENT)
}

/** Adds rows that are not there yet. */
export async function addRows(
  queries: Kysely<Schema>,
  name: keyof Schema,
  rows: readonly object[],
): Promise<void> {
  for (const part of parts(rows))
    await sql`insert into ${sql.table(name)} select * from ${given(name, part)}`.execute(queries)
}

/** Adds rows, or replaces those with the same key. */
export async function putRows(
  queries: Kysely<Schema>,
  name: keyof Schema,
  key: readonly string[],
  rows: readonly object[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const changed = Object.keys(first).filter((column) => !key.includes(column))
  const assignments = changed.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`)
  for (const part of parts(rows)) {
    await sql`insert into ${sql.table(name)} select * from ${given(name, part)}
      on conflict (${sql.join(key.map((column) => sql.ref(column)))}) do update set ${sql.join(assignments)}`.execute(
      queries,
    )
  }
}

/** Removes the rows with these keys. */
export async function removeRows(
  queries: Kysely<Schema>,
  name: keyof Schema,
  key: readonly string[],
  rows: readonly object[],
): Promise<void> {
  const same = key.map((column) => sql`${sql.ref(`${name}.${column}`)} = ${sql.ref(`gone.${column}`)}`)
  for (const part of parts(rows)) {
    await sql`delete from ${sql.table(name)} using ${given(name, part)} as gone where ${sql.join(same, sql` and `)}`.execute(
      queries,
    )
  }
}
