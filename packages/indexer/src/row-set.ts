import type { Schema } from './schema.ts'

/** Tables whose rows change, with the columns of their keys. */
export const keys = {
  token: ['id'],
  holding: ['token', 'account'],
  miner: ['token', 'account'],
  stake_band: ['token', 'band'],
  token_hour: ['token', 'hour'],
  token_day: ['token', 'day'],
  cohort: ['token', 'active_week', 'week'],
  agent_day: ['token', 'agent', 'day'],
  agent_total: ['token', 'agent'],
} as const

export type KeyedTable = keyof typeof keys
export const keyedTables = Object.keys(keys) as readonly KeyedTable[]

type Row<Table extends KeyedTable> = Readonly<Schema[Table]>
type AnyRow = Readonly<Record<string, unknown>>

/** The state of a row before a block changed it; null if it was not there. */
export type RowBefore = { readonly name: KeyedTable; readonly key: string; readonly before: AnyRow | null }

/** A row with what is to be remembered of it. */
type Entry = {
  readonly name: KeyedTable
  readonly key: string
  row: AnyRow | undefined
  /** The row before this block, null if it was not there; undefined if the block has not changed it. */
  before: AnyRow | null | undefined
  isChanged: boolean
}

/** Numbers from the first to the last one, both included. */
type Span = { readonly first: number; readonly last: number }

/** Written out, since keys are made for each change of a row. */
const keyText = (parts: readonly number[]): string => {
  const [first, second, third] = parts
  if (second === undefined) return `${first}`
  return third === undefined ? `${first} ${second}` : `${first} ${second} ${third}`
}

/**
 * The rows that some blocks touch, in memory: loaded before, changed by one block after another, written together. It
 * remembers what each row was before each block.
 */
export class RowSet {
  readonly #tables = Object.fromEntries(keyedTables.map((name) => [name, new Map()])) as Readonly<
    Record<KeyedTable, Map<string, Entry>>
  >
  readonly #known = new Map<KeyedTable, Set<string> | 'all'>(keyedTables.map((name) => [name, new Set()]))
  readonly #spans = new Map<KeyedTable, Span>()
  #changedByBlock: Entry[] = []

  /**
   * Takes rows of the database. `known` are keys that were asked for, 'all' if no further row can be needed.
   *
   * @param span the last parts of the keys, if `known` has the parts before them; the same for all rows of the table
   */
  load<Table extends KeyedTable>(
    name: Table,
    rows: readonly Row<Table>[],
    known: readonly (readonly number[])[] | 'all',
    span?: Span,
  ): void {
    if (span !== undefined) this.#spans.set(name, span)
    for (const row of rows) {
      const key = this.#keyOf(name, row)
      this.#tables[name].set(key, { name, key, row, before: undefined, isChanged: false })
    }
    const before = this.#known.get(name)
    if (known === 'all' || before === 'all') this.#known.set(name, 'all')
    else for (const key of known) before?.add(keyText(key))
  }

  get<Table extends KeyedTable>(name: Table, ...key: readonly number[]): Row<Table> | undefined {
    const text = keyText(key)
    return (this.#tables[name].get(text)?.row ?? this.#missing(name, text)) as Row<Table> | undefined
  }

  put<Table extends KeyedTable>(name: Table, row: Row<Table>): void {
    const entry = this.#entry(name, this.#keyOf(name, row))
    if (entry.before === undefined) this.#keepBefore(entry)
    entry.row = row
  }

  /**
   * Returns a row to change in place, until the block ends. It is copied once in a block: many microblocks change the
   * same figures.
   *
   * @param empty the row to begin with, for a key that has no row yet
   */
  edit<Table extends KeyedTable>(
    name: Table,
    empty: () => Schema[Table],
    ...key: readonly number[]
  ): Schema[Table] {
    const text = keyText(key)
    const entry = this.#entry(name, text)
    if (entry.before === undefined) {
      this.#keepBefore(entry)
      entry.row = entry.row === undefined ? this.#missing(name, text) : { ...entry.row }
    }
    entry.row ??= empty()
    return entry.row as Schema[Table]
  }

  /** Returns what the rows were before the block that ends here, and begins the next one. */
  endBlock(): readonly RowBefore[] {
    const before = this.#changedByBlock.map((entry) => {
      const state = { name: entry.name, key: entry.key, before: entry.before ?? null }
      entry.before = undefined
      return state
    })
    this.#changedByBlock = []
    return before
  }

  /** Returns the rows as they have to be written. */
  changed(name: KeyedTable): readonly AnyRow[] {
    const rows: AnyRow[] = []
    for (const { row, isChanged } of this.#tables[name].values())
      if (isChanged && row !== undefined) rows.push(row)
    return rows
  }

  #keepBefore(entry: Entry): void {
    entry.before = entry.row ?? null
    entry.isChanged = true
    this.#changedByBlock.push(entry)
  }

  #entry(name: KeyedTable, key: string): Entry {
    const table = this.#tables[name]
    const found = table.get(key)
    if (found !== undefined) return found
    const added: Entry = { name, key, row: undefined, before: undefined, isChanged: false }
    table.set(key, added)
    return added
  }

  /** Asserts that a row that is not here is not in the database either. */
  #missing(name: KeyedTable, key: string): undefined {
    const known = this.#known.get(name)
    if (known === 'all') return
    const span = this.#spans.get(name)
    const end = span === undefined ? key.length : key.lastIndexOf(' ')
    const last = Number(key.slice(end))
    const isWithin = span === undefined || (last >= span.first && last <= span.last)
    if (!isWithin || known?.has(key.slice(0, end)) !== true)
      throw new Error(`row ${key} of ${name} was not loaded`)
  }

  #keyOf(name: KeyedTable, row: object): string {
    const [first, second, third] = keys[name] as readonly string[]
    const columns = row as Readonly<Record<string, number>>
    const start = `${columns[first as string]}`
    if (second === undefined) return start
    return third === undefined
      ? `${start} ${columns[second]}`
      : `${start} ${columns[second]} ${columns[third]}`
  }
}
