import type { PGlite } from '@electric-sql/pglite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { EmbeddedStatements } from './embedded-statements.ts'

/** Hands out one key at a time, in the order it was asked for. */
function createMutex(): () => Promise<() => void> {
  let last: Promise<void> = Promise.resolve()
  return async () => {
    const before = last
    let release: () => void = () => {}
    last = new Promise((resolve) => {
      release = resolve
    })
    await before
    return release
  }
}

const isQuestion = (text: string): boolean => /^\s*select\b(?!.*\bfor (?:share|update)\b)/is.test(text)

/** Statements that may write, between two looks at the engine's log. */
const WRITES_PER_LOOK = 256
/** Size of the log at which it is cut, in bytes. */
const LONGEST_LOG = 64 * 2 ** 20

class EmbeddedConnection implements DatabaseConnection {
  readonly #database: PGlite
  readonly #statements: EmbeddedStatements
  #writes = 0

  constructor(database: PGlite) {
    this.#database = database
    this.#statements = new EmbeddedStatements(database)
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const found = isQuestion(sql) ? await this.#statements.ask(sql, parameters) : null
    if (found !== null) return { rows: found as Row[] }
    this.#writes++
    const { rows, affectedRows } = await this.#database.query<Row>(sql, [...parameters])
    return affectedRows === undefined ? { rows } : { rows, numAffectedRows: BigInt(affectedRows) }
  }

  /**
   * Cuts the engine's log when it is long, outside of a transaction. A server has a process for it; the embedded engine keeps
   * all of its log until somebody asks for a checkpoint.
   */
  async cutLog(): Promise<void> {
    if (this.#writes < WRITES_PER_LOOK || this.#database.closed) return
    this.#writes = 0
    const { rows } = await this.#database.query<{ size: bigint }>(
      'select pg_current_wal_lsn() - redo_lsn as size from pg_control_checkpoint()',
    )
    if ((rows[0]?.size ?? 0n) > LONGEST_LOG) await this.#database.query('checkpoint')
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('The embedded database answers in one piece.')
  }
}

/**
 * The engine has a single connection, so whoever holds it keeps all others waiting: a transaction is never
 * mixed with the statements of another caller.
 */
class EmbeddedDriver implements Driver {
  readonly #connection: EmbeddedConnection
  readonly #takeTurn = createMutex()
  #release: () => void = () => {}

  constructor(database: PGlite) {
    this.#connection = new EmbeddedConnection(database)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#release = await this.#takeTurn()
    return this.#connection
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async releaseConnection(): Promise<void> {
    // Where it fails, a later one cuts it; what was written is written.
    await this.#connection.cutLog().catch(() => undefined)
    this.#release()
  }

  /** The engine belongs to whoever opened it. */
  async destroy(): Promise<void> {}
}

/** PostgreSQL inside the process, spoken to in PostgreSQL's own words. */
export const pgliteDialect = (database: PGlite): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new EmbeddedDriver(database),
  createIntrospector: (kysely) => new PostgresIntrospector(kysely),
  createQueryCompiler: () => new PostgresQueryCompiler(),
})
