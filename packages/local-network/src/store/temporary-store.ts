import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { connectChainServer } from './chain-database.ts'
import { type OpenedStore, openChainStore } from './open-chain-store.ts'

/** The address with another place for tables; the server makes of a text in `options` what `set` would. */
function within(url: string, schema: string): string {
  const address = new URL(url)
  address.searchParams.set('options', `-c search_path=${schema}`)
  return address.href
}

/**
 * An empty store on a server, in a schema of its own that is dropped at `close`: many tests can share a database,
 * also at the same time.
 *
 * @throws {NodeError} `STORE_UNREACHABLE`
 */
export async function openTemporaryStore(url: string): Promise<OpenedStore> {
  const schema = `hailstone_${randomUUID().replaceAll('-', '')}`
  const outer = connectChainServer(url)
  await sql`create schema ${sql.id(schema)}`.execute(outer.queries)
  const store = await openChainStore({ database: within(url, schema) })
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
