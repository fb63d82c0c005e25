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

const keyText = (parts: readonly number[]): string => parts.join(' ')

/**
 * The rows that some blocks touch, in memory: loaded before, changed by one block after another, written together. It
 * remembers what each row was before each block.
 */
export class RowSet {
  readonly #rows = new Map<KeyedTable, Map<string, AnyRow>>(keyedTables.map((name) => [name, new Map()]))
  readonly #known = new Map<KeyedTable, Set<string> | 'all'>(keyedTables.map((name) => [name, new Set()]))
  readonly #changed = new Map<KeyedTable, Set<string>>(keyedTables.map((name) => [name, new Set()]))
  #before = new Map<string, RowBefore>()

  /** Takes rows of the database. `known` are keys that were asked for, 'all' if no further row can be needed. */
  load<Table extends KeyedTable>(
    name: Table,
    rows: readonly Row<Table>[],
    known: readonly (readonly number[])[] | 'all',
  ): void {
    for (const row of rows) this.#table(name).set(this.#keyOf(name, row), row)
    const before = this.#known.get(name)
    if (known === 'all' || before === 'all') this.#known.set(name, 'all')
    else for (const key of known) before?.add(keyText(key))
  }

  get<Table extends KeyedTable>(name: Table, ...key: readonly number[]): Row<Table> | undefined {
    const text = keyText(key)
    const row = this.#table(name).get(text)
    const known = this.#known.get(name)
    if (row === undefined && known !== 'all' && known?.has(text) !== true)
      throw new Error(`row ${text} of ${name} was not loaded`)
    return row as Row<Table> | undefined
  }

  put<Table extends KeyedTable>(name: Table, row: Row<Table>): void {
    const key = this.#keyOf(name, row)
    const id = `${name} ${key}`
    if (!this.#before.has(id)) this.#before.set(id, { name, key, before: this.#table(name).get(key) ?? null })
    this.#table(name).set(key, row)
    this.#changed.get(name)?.add(key)
  }

  /** Returns what the rows were before the block that ends here, and begins the next one. */
  endBlock(): readonly RowBefore[] {
    const before = [...this.#before.values()]
    this.#before = new Map()
    return before
  }

  /** Returns the rows as they have to be written. */
  changed(name: KeyedTable): readonly AnyRow[] {
    const rows = this.#table(name)
    return [...(this.#changed.get(name) ?? [])].map((key) => rows.get(key) as AnyRow)
  }

  #table(name: KeyedTable): Map<string, AnyRow> {
    return this.#rows.get(name) as Map<string, AnyRow>
  }

  #keyOf(name: KeyedTable, row: object): string {
    return keyText(keys[name].map((column) => (row as Readonly<Record<string, number>>)[column] as number))
  }
}
