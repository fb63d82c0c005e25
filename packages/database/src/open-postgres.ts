import { isNodeError } from '@hailstone/protocol'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { askWithRetries, unreachable } from './connection-loss.ts'
import { type Migration, migrate } from './migrate.ts'
import type { OpenDatabase } from './open-database.ts'

const NUMERIC = 1700
const BIGINT = 20

/** Units and counts of 64 bits are bigint on both engines; the driver would make texts of them. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === NUMERIC || type === BIGINT ? BigInt : pg.types.getTypeParser(type, format),
}

/** Time limit of a new connection, and of the server's absence when a process starts, in ms. */
const CONNECT_TIMEOUT_MS = 2000
const START_RETRY_MS = 5000
/** Age at which a connection is replaced: its plans are made for tables as large as they were then. In s. */
const CONNECTION_LIFETIME_S = 600
/** Time that statements in progress get when the store is closed, in ms. */
const FAREWELL_MS = 1000

/** Server and manners of connections. */
export type PostgresParameters = {
  /** `postgres://user:password@host:port/database` */
  readonly url: string
  /** Name of the program in the server's list of connections. */
  readonly applicationName: string
  /** True for statements that are asked so often that the server should keep their plans. @default none */
  readonly keepsPlan?: ((text: string) => boolean) | undefined
}

/** An open database on a PostgreSQL server. */
export type PostgresDatabase<Schema> = Omit<OpenDatabase<Schema>, 'dump'> & {
  /** A connection of its own, to be connected and ended by whoever asked for it. */
  readonly newClient: () => pg.Client
}

/** Ends connections in time even if the server keeps statements waiting. */
function endingOf(pool: pg.Pool): () => Promise<void> {
  const clients = new Set<pg.PoolClient>()
  pool.on('connect', (client) => {
    clients.add(client)
    // The pool listens to idle connections alone; one that dies between two statements of a transaction would end
    // the process. Its next statement fails all the same.
    client.on('error', () => {})
  })
  pool.on('remove', (client) => void clients.delete(client))
  let ended: Promise<void> | undefined
  const end = async (): Promise<void> => {
    const gone = pool.end().catch(() => {})
    const timer = setTimeout(() => {
      for (const client of clients) (client as unknown as pg.Client & Streaming).connection?.stream.destroy()
    }, FAREWELL_MS)
    await gone
    clearTimeout(timer)
  }
  return () => {
    ended ??= end()
    return ended
  }
}

type Streaming = { readonly connection?: { readonly stream: { readonly destroy: () => void } } }

/**
 * SQLSTATEs of a statement that another connection of a pooler knows, or that this one does not know, and of one whose
 * tables have got more columns since.
 */
const UNUSABLE_PLAN = ['26000', '42P05', '0A000']

/**
 * Lets the server keep the plans of the statements that are asked most. Behind a pooler that hands out connections by the
 * transaction no statement has a name.
 */
function withPlans(pool: pg.Pool, keepsPlan: (text: string) => boolean): PostgresPool {
  const names = new Map<string, string>()
  let isNaming = true
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `lasting_${names.size}`
    names.set(text, name)
    return name
  }
  async function query(client: pg.PoolClient, text: string, values: readonly unknown[]) {
    if (!isNaming || !keepsPlan(text)) return client.query(text, [...values])
    try {
      return await client.query({ name: nameOf(text), text, values: [...values] })
    } catch (error) {
      if (!UNUSABLE_PLAN.includes(String((error as { readonly code?: unknown }).code))) throw error
      isNaming = false
      return client.query(text, [...values])
    }
  }
  return {
    async connect() {
      const client = await pool.connect()
      return {
        query: (text: never, values: readonly unknown[] = []) =>
          typeof text === 'string' ? query(client, text, values) : client.query(text),
        release: () => client.release(),
      } as unknown as PostgresPoolClient
    },
    end: () => pool.end(),
  }
}

/** Connections to a server, made when they are needed. */
export function connectPostgres<Schema>(parameters: PostgresParameters): PostgresDatabase<Schema> {
  const { url, applicationName, keepsPlan = () => false } = parameters
  const settings: pg.PoolConfig = {
    connectionString: url,
    types,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    maxLifetimeSeconds: CONNECTION_LIFETIME_S,
    keepAlive: true,
    application_name: applicationName,
  }
  const pool = new pg.Pool(settings)
  // Idle connections die with their server; the next question opens new ones.
  pool.on('error', () => {})
  const queries = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: withPlans(pool, keepsPlan) }) })
  return { queries, close: endingOf(pool), newClient: () => new pg.Client(settings) }
}

/**
 * A database on a server that speaks the protocol of PostgreSQL, shared with other processes; brought up to date.
 *
 * @throws {NodeError} `STORE_UNREACHABLE`, `STORE_INVALID`
 */
export async function openPostgres<Schema>(
  parameters: PostgresParameters & { readonly migrations: readonly Migration[] },
): Promise<PostgresDatabase<Schema>> {
  const database = connectPostgres<Schema>(parameters)
  try {
    await askWithRetries(START_RETRY_MS, () => migrate(database.queries, parameters.migrations))
    return database
  } catch (error) {
    await database.close()
    // A wrong password or a database that does not exist are for the person who typed the address.
    throw isNodeError(error) ? error : unreachable(error)
  }
}
