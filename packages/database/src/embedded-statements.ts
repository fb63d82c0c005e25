import { messages, type PGlite, protocol } from '@electric-sql/pglite'

/** Column types by the numbers that PostgreSQL gives them. */
const readers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === 't',
  20: BigInt,
  21: Number,
  23: Number,
  25: String,
  701: Number,
  1043: String,
  1700: BigInt,
}

type Column = { readonly name: string; readonly read: (text: string) => unknown }
type Statement = { readonly name: string; readonly columns: readonly Column[]; usesLeft: number }

const MAX_STATEMENTS = 128
/** The engine plans a statement once, for tables as large as they are then. */
const USES_OF_A_PLAN = 500

const { serialize } = protocol

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((bytes, part) => bytes + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Null if there is a value that only the engine's own way can write. */
function textsOf(values: readonly unknown[]): (string | null)[] | null {
  const texts: (string | null)[] = []
  for (const value of values) {
    if (value === null || typeof value === 'string') texts.push(value)
    else if (['number', 'bigint', 'boolean'].includes(typeof value)) texts.push(String(value))
    else return null
  }
  return texts
}

/** Null if there is a column of a type that nobody reads here. */
function columnsOf(
  fields: readonly { readonly name: string; readonly dataTypeID: number }[],
): Column[] | null {
  const columns: Column[] = []
  for (const { name, dataTypeID } of fields) {
    const read = readers[dataTypeID]
    if (read === undefined) return null
    columns.push({ name, read })
  }
  return columns
}

function rowOf(columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [at, { name, read }] of columns.entries()) {
    const text = fields[at]
    row[name] = text === null || text === undefined ? null : read(text)
  }
  return row
}

/**
 * Runs queries on the embedded engine with prepared statements, in one protocol message each. The engine's own `query`
 * takes five messages and plans each statement anew. For reads only, one at a time.
 */
export class EmbeddedStatements {
  readonly database: PGlite
  readonly #known = new Map<string, Statement>()
  /** Texts that cannot be asked like this. */
  readonly #unfit = new Set<string>()
  #named = 0

  constructor(database: PGlite) {
    this.database = database
  }

  /** Null if the statement has to be asked in the engine's own way. */
  async ask(text: string, values: readonly unknown[]): Promise<readonly Record<string, unknown>[] | null> {
    if (this.database.closed || this.#unfit.has(text)) return null
    const texts = textsOf(values)
    if (texts === null) return null
    const known = this.#known.get(text)
    const isUsed = known !== undefined && known.usesLeft > 0
    const name = isUsed ? known.name : `s${++this.#named}`
    const begin = isUsed ? [] : this.#prepare(text, name)
    const message = joined([
      ...begin,
      serialize.bind({ statement: name, values: texts }),
      serialize.execute(),
      serialize.sync(),
    ])
    const { messages: answered } = await this.database.execProtocol(message, { syncToFs: false })
    const statement = isUsed ? known : this.#remember(text, name, answered)
    if (statement === null) return null
    statement.usesLeft--
    const rows: Record<string, unknown>[] = []
    for (const one of answered)
      if (one instanceof messages.DataRowMessage) rows.push(rowOf(statement.columns, one.fields))
    return rows
  }

  #prepare(text: string, name: string): readonly Uint8Array[] {
    const closed: Uint8Array[] = []
    const close = (old: string, statement: Statement): void => {
      this.#known.delete(old)
      closed.push(serialize.close({ type: 'S', name: statement.name }))
    }
    const own = this.#known.get(text)
    if (own !== undefined) close(text, own)
    for (const [oldest, statement] of this.#known) {
      if (this.#known.size < MAX_STATEMENTS) break
      close(oldest, statement)
    }
    return [...closed, serialize.parse({ name, text }), serialize.describe({ type: 'S', name })]
  }

  #remember(text: string, name: string, answered: readonly object[]): Statement | null {
    const described = answered.find((one) => one instanceof messages.RowDescriptionMessage)
    const columns = described === undefined ? null : columnsOf(described.fields)
    if (columns === null) {
      this.#unfit.add(text)
      return null
    }
    const statement = { name, columns, usesLeft: USES_OF_A_PLAN }
    this.#known.set(text, statement)
    return statement
  }
}
