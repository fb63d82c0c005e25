import { openDatabase, openPostgres } from '@hailstone/database'
import { NodeError } from '@hailstone/protocol'
import type { Kysely } from 'kysely'
import { indexOwner } from './index-owner.ts'
import { migrations } from './migrations.ts'
import type { Schema } from './schema.ts'

/** Schema of the tables on a server. */
export const INDEX_SCHEMA = 'hailstone_index'

/** Schema of the tables in the embedded database. */
export const EMBEDDED_SCHEMA = 'public'

/** Place of an index: a folder, a server, or neither for memory. */
export type IndexPlace = {
  readonly folder?: string | undefined
  /** Of a server that speaks the protocol of PostgreSQL: `postgres://user:password@host:port/database`, or several hosts. */
  readonly database?: string | undefined
  /** Schema of the tables on a server: lower-case letters, digits, `_` and `-`, at most 58. @default hailstone_index */
  readonly schema?: string | undefined
}

/** An open index: its tables as TABLES.md describes them. */
export type Index = AsyncDisposable & {
  readonly queries: Kysely<Schema>
  /** True if no other process can open it at the same time. */
  readonly isExclusive: boolean
  readonly close: () => Promise<void>
}

const applicationName = indexOwner.program

/**
 * Asserts that the name of a schema means the same with quotes, as in statements, and without, as in the search path of a
 * connection. At most 58 letters: a rebuild appends five, and the server cuts names at 63 bytes. A name that was cut could
 * be that of the live index, which the rebuild would drop.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`
 */
export function assertSchemaName(schema: string): void {
  if (/^(?!pg_|information_schema$)[a-z_][a-z0-9_-]{0,57}$/.test(schema)) return
  throw new NodeError('CONFIGURATION_INVALID', {
    path: 'schema',
    expected:
      'at most 58 lower-case letters, digits, _ and -, with a letter or _ first, and no schema of the server, such as pg_…',
    found: `"${schema}"`,
  })
}

/**
 * Opens an index and brings its tables up to date. A folder belongs to this process until `close`; a server is shared.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID` for the name of the schema, `STORE_LOCKED`, `STORE_INVALID`,
 *   `STORE_UNREACHABLE`
 */
export async function openIndex({
  folder,
  database,
  schema = INDEX_SCHEMA,
}: IndexPlace = {}): Promise<Index> {
  if (database === undefined) {
    const opened = await openDatabase<Schema>({ folder, migrations, owner: indexOwner })
    return indexOver(opened, true)
  }
  assertSchemaName(schema)
  return await openOnServer(database, schema)
}

/** Opens an index in a schema on a server. Creates the schema if it does not exist. */
export async function openOnServer(database: string, schema: string): Promise<Index> {
  const settings = { url: database, schema, applicationName, migrations, owner: indexOwner }
  return indexOver(await openPostgres<Schema>(settings), false)
}

const indexOver = (
  { queries, close }: { readonly queries: Kysely<Schema>; readonly close: () => Promise<void> },
  isExclusive: boolean,
): Index => ({ queries, isExclusive, close, [Symbol.asyncDispose]: close })

/** Time, in ms, that statements get after a signal. */
const FAREWELL_MS = 2000

/**
 * Closes an index on a server 2 s after a signal, whoever uses it: a statement whose server has stopped answering would
 * otherwise keep a process that ends for 15 s. One that only this process can open is not on a server.
 */
export function closeSoonAfter(
  signal: AbortSignal | undefined,
  { isExclusive, close }: Pick<Index, 'isExclusive' | 'close'>,
): void {
  if (isExclusive || signal === undefined) return
  const later = (): void => void setTimeout(() => void close(), FAREWELL_MS).unref()
  if (signal.aborted) later()
  else signal.addEventListener('abort', later, { once: true })
}
