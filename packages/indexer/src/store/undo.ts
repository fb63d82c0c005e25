import { type Kysely, sql } from 'kysely'
import { keys, type RowBefore } from '../row-set.ts'
import type { Schema } from '../schema.ts'
import { putRows, ROWS_PER_STATEMENT, removeRows } from './write-rows.ts'

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
  'stake_change',
  'account',
  'owner_balance',
  'undo',
] as const

/** Tables whose rows are put back, with the columns of their keys. */
const undone = { ...keys, owner_balance: ['token', 'day'] } as const

type UndoneTable = keyof typeof undone

type Row = Readonly<Record<string, unknown>>

/** Rows that one block changed, as they were before it. */
export type UndoneBlock = { readonly height: number; readonly changes: readonly RowBefore[] }

/** A row of `undo`; the row before is an object, so that nothing is escaped twice. */
type UndoRow = {
  readonly height: number
  readonly seq: number
  readonly name: UndoneTable
  readonly key: string
  readonly before: Row | null
}

/** Adds the rows that take back what blocks changed. */
export async function addUndo(queries: Kysely<Schema>, blocks: readonly UndoneBlock[]): Promise<void> {
  let rows: UndoRow[] = []
  for (const { height, changes } of blocks)
    for (const [seq, { name, key, before }] of changes.entries()) {
      rows.push({ height, seq, name, key, before: before === null ? null : withTexts(before) })
      if (rows.length < ROWS_PER_STATEMENT) continue
      await insertUndo(queries, rows)
      rows = []
    }
  if (rows.length > 0) await insertUndo(queries, rows)
}

/** Rows are one JSON text; the database takes the row before out of it as the text that it is. */
async function insertUndo(queries: Kysely<Schema>, rows: readonly UndoRow[]): Promise<void> {
  await sql`insert into undo (height, seq, name, key, before)
    select height, seq, name, key, nullif(before::text, 'null') from json_to_recordset(${JSON.stringify(rows)}::json)
      as given (height int, seq int, name text, key text, before json)`.execute(queries)
}

/**
 * Adds the row that takes back what was noted of an owner at the newest height: the row of the day as it was, null if it was
 * not there.
 */
export async function addOwnerUndo(
  queries: Kysely<Schema>,
  noted: { readonly height: number; readonly token: number; readonly day: number },
  before: Row | null,
): Promise<void> {
  const { height, token, day } = noted
  const last = await queries
    .selectFrom('undo')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .where('height', '=', height)
    .executeTakeFirst()
  const row = { height, seq: (last?.seq ?? -1) + 1, name: 'owner_balance', key: `${token} ${day}` } as const
  await insertUndo(queries, [{ ...row, before: before === null ? null : withTexts(before) }])
}

/** JSON has no units of any size, so they are texts there. */
function withTexts(row: Row): Row {
  const texts: Record<string, unknown> = { ...row }
  for (const name of Object.keys(texts))
    if (typeof texts[name] === 'bigint') texts[name] = String(texts[name])
  return texts
}

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
  for (const name of Object.keys(undone) as UndoneTable[]) {
    const own = [...first.values()].filter((change) => change.name === name)
    const restored = own.flatMap(({ before }) => (before === null ? [] : [JSON.parse(before) as Row]))
    const gone = own.flatMap(({ before, key }) => (before === null ? [rowOfKey(name, key)] : []))
    await putRows(queries, name, undone[name], restored)
    await removeRows(queries, name, undone[name], gone)
  }
  for (const name of ofHeight)
    await queries
      .deleteFrom(name)
      .where('height' as never, '>', height as never)
      .execute()
}

const rowOfKey = (name: UndoneTable, key: string): Row => {
  const parts = key.split(' ')
  return Object.fromEntries(undone[name].map((column, at) => [column, parts[at]]))
}

/** Forgets how to undo what lies too deep. */
export async function pruneUndo(queries: Kysely<Schema>, tip: number): Promise<void> {
  await queries
    .deleteFrom('undo')
    .where('height', '<=', tip - UNDO_HEIGHTS)
    .execute()
}
