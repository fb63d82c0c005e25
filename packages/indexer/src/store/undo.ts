import type { Kysely } from 'kysely'
import { type KeyedTable, keyedTables, keys, type RowBefore } from '../row-set.ts'
import type { Schema } from '../schema.ts'
import { putRows, removeRows } from './json-rows.ts'

/** Heights that can be undone. */
export const UNDO_HEIGHTS = 2000

/** Tables whose rows belong to one height and go with it. */
const ofHeight = [
  'block',
  'microblock',
  'reward',
  'transfer',
  'unexplained',
  'agent_change',
  'account',
  'undo',
] as const

type Row = Readonly<Record<string, unknown>>

/** Rows that take back what one block changed. */
export const undoRows = (height: number, changes: readonly RowBefore[]): readonly object[] =>
  changes.map(({ name, key, before }, seq) => ({
    ...{ height, seq, name, key },
    before: before === null ? null : JSON.stringify(before, textOfUnits),
  }))

const textOfUnits = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value

/** Takes back every block above a height, to the row. Runs inside the transaction that applies the other branch. */
export async function undoAbove(queries: Kysely<Schema>, height: number): Promise<void> {
  const changes = await queries
    .selectFrom('undo')
    .selectAll()
    .where('height', '>', height)
    .orderBy('height')
    .orderBy('seq')
    .execute()
  // The first change above the height knows what the row was at the height.
  const first = new Map<string, (typeof changes)[number]>()
  for (const change of changes) {
    const id = `${change.name} ${change.key}`
    if (!first.has(id)) first.set(id, change)
  }
  for (const name of keyedTables) {
    const own = [...first.values()].filter((change) => change.name === name)
    const restored = own.flatMap(({ before }) => (before === null ? [] : [JSON.parse(before) as Row]))
    const gone = own.flatMap(({ before, key }) => (before === null ? [rowOfKey(name, key)] : []))
    await putRows(queries, name, keys[name], restored)
    await removeRows(queries, name, keys[name], gone)
  }
  for (const name of ofHeight)
    await queries
      .deleteFrom(name)
      .where('height' as never, '>', height as never)
      .execute()
}

const rowOfKey = (name: KeyedTable, key: string): Row => {
  const parts = key.split(' ')
  return Object.fromEntries(keys[name].map((column, at) => [column, parts[at]]))
}

/** Forgets how to undo what lies too deep. */
export async function pruneUndo(queries: Kysely<Schema>, tip: number): Promise<void> {
  await queries
    .deleteFrom('undo')
    .where('height', '<=', tip - UNDO_HEIGHTS)
    .execute()
}
