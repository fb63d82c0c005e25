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

class EmbeddedConnection implements DatabaseConnection {
  readonly #database: PGlite
  readonly #statements: EmbeddedStatements

  constructor(database: PGlite) {
    this.#database = database
    this.#statements = new EmbeddedStatements(database)
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const found = isQuestion(sql) ? await this.#statements.ask(sql, parameters) : null
    if (found !== null) return { rows: found as Row[] }
    const { rows, affectedRows } = await this.#database.query<Row>(sql, [...parameters])
    return affectedRows === undefined ? { rows } : { rows, numAffectedRows: BigInt(affectedRows) }
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
