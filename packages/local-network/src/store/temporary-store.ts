import { randomUUID } from 'node:crypto'
import { withSchema } from '@hailstone/database'
import { sql } from 'kysely'
import { connectChainServer } from './chain-database.ts'
import { type OpenedStore, openChainStore } from './open-chain-store.ts'

/**
 * An empty store on a server, in a schema of its own that is dropped at `close`: many tests can share a database,
 * also at the same time.
 *
 * @param readUrl address of a copy of the database, for reads of clients. @default none
 * @throws {NodeError} `STORE_UNREACHABLE`, `CONFIGURATION_INVALID` if `readUrl` is no replica of the database
 */
export async function openTemporaryStore(url: string, readUrl?: string): Promise<OpenedStore> {
  const schema = `hailstone_${randomUUID().replaceAll('-', '')}`
  const outer = connectChainServer(url)
  await sql`create schema ${sql.id(schema)}`.execute(outer.queries)
  const readDatabase = readUrl === undefined ? undefined : withSchema(readUrl, schema)
  const store = await openChainStore({ database: withSchema(url, schema), readDatabase })
  let closing: Promise<void> | undefined
  const end = async (): Promise<void> => {
    await store.close()
    await sql`drop schema ${sql.id(schema)} cascade`.execute(outer.queries)
    await outer.close()
  }
  const close = (): Promise<void> => {
    closing ??= end()
    return closing
  }
  return { ...store, close, [Symbol.asyncDispose]: close }
}
