import { isNodeError } from '@hailstone/protocol'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import { askWithRetries, unreachable } from './connection-loss.ts'
import { createHostPool, type HostPool } from './host-pool.ts'
import { type Migration, migrate } from './migrate.ts'
import type { OpenDatabase } from './open-database.ts'
import type { Owner } from './owner.ts'
import { parsePostgresHosts, withSchema } from './postgres-address.ts'

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

/** Server and manners of connections. */
export type PostgresParameters = {
  /** `postgres://user:password@host:port/database`; several hosts are separated by commas. */
  readonly url: string
  /** Name of the program in the server's list of connections. */
  readonly applicationName: string
  /** True for statements that are asked so often that the server should keep their plans. @default none */
  readonly keepsPlan?: ((text: string) => boolean) | undefined
  /**
   * True if a commit fails with `STORE_NOT_REPLICATED` where somebody cancels its wait for a standby; the server calls
   * that a success. @default false
   */
  readonly requireReplica?: boolean | undefined
  /** True if every host serves, also one that only reads. @default what the address says */
  readonly readsOnly?: boolean | undefined
  /** Called on a connection before and after each statement. @default nothing is done */
  readonly around?: AroundStatements | undefined
  /** Time limit of a statement, in ms; its connection is cut then. @default none, while the server shows a sign of life */
  readonly limitMs?: number | undefined
  /** Time limit at which the server ends a statement by itself, with SQLSTATE 57014, in ms. @default that of the server */
  readonly serverLimitMs?: number | undefined
}

/** Runs a statement on the connection whose statement is about to run, or has run. */
export type AskSameConnection = (
  text: string,
  values: readonly unknown[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** Steps around each statement of a connection; the connection is a key for what is known of its server. */
export type AroundStatements = {
  /** Throws if the statement must not run there. */
  readonly before: (connection: object, ask: AskSameConnection) => Promise<void>
  readonly after: (connection: object, ask: AskSameConnection) => Promise<void>
}

/** An open database on a PostgreSQL server. */
export type PostgresDatabase<Schema> = Omit<OpenDatabase<Schema>, 'dump'> & {
  /** Creates a connection outside of the pool, to be connected and ended by whoever asked for it. */
  readonly newClient: () => pg.Client
}

/**
 * SQLSTATEs of a statement that another connection of a pooler knows, or that this one does not know, and of one whose
 * tables have got more columns since.
 */
const UNUSABLE_PLAN = ['26000', '42P05', '0A000']

/**
 * Lets the server keep the plans of the statements that are asked most. Behind a pooler that hands out connections by the
 * transaction no statement has a name.
 */
function withPlans(
  hosts: HostPool,
  keepsPlan: (text: string) => boolean,
  around: AroundStatements | undefined,
): PostgresPool {
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
  async function queryAround(client: pg.PoolClient, text: string, values: readonly unknown[]) {
    if (around === undefined) return query(client, text, values)
    const ask: AskSameConnection = async (other, given) => (await client.query(other, [...given])).rows
    await around.before(client, ask)
    const answer = await query(client, text, values)
    await around.after(client, ask)
    return answer
  }
  return {
    async connect() {
      const client = await hosts.connect()
      return {
        query: (text: never, values: readonly unknown[] = []) =>
          typeof text === 'string'
            ? hosts.watch(client, () => queryAround(client, text, values))
            : client.query(text),
        release: () => hosts.release(client),
      } as unknown as PostgresPoolClient
    },
    end: hosts.end,
  }
}

/** Connections to a server, made when they are needed. */
export function connectPostgres<Schema>(parameters: PostgresParameters): PostgresDatabase<Schema> {
  const { url, applicationName, keepsPlan = () => false, requireReplica = false } = parameters
  const { readsOnly = false, around, limitMs, serverLimitMs } = parameters
  const settings = {
    types,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    maxLifetimeSeconds: CONNECTION_LIFETIME_S,
    keepAlive: true,
    application_name: applicationName,
  }
  const { urls, mustTakeWrites } = parsePostgresHosts(url)
  const hosts = createHostPool({ urls, mustTakeWrites: mustTakeWrites && !readsOnly }, settings, {
    requireReplica,
    limitMs,
    serverLimitMs,
  })
  const queries = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: withPlans(hosts, keepsPlan, around) }),
  })
  return { queries, close: hosts.end, newClient: hosts.newClient }
}

/** Creates a schema if it is missing. Who may not create any can use one that is there. */
async function createSchema<Schema>(queries: Kysely<Schema>, schema: string): Promise<void> {
  const { rows } = await sql`select from pg_namespace where nspname = ${schema}`.execute(queries)
  if (rows.length > 0) return
  await sql`create schema if not exists ${sql.id(schema)}`.execute(queries).catch((error: unknown) => {
    // Another process was quicker.
    if ((error as { readonly code?: unknown }).code !== '23505') throw error
  })
}

/**
 * A database on a server that speaks the protocol of PostgreSQL, shared with other processes; brought up to date.
 *
 * @throws {NodeError} `STORE_UNREACHABLE`, `STORE_INVALID`
 */
export async function openPostgres<Schema>(
  parameters: PostgresParameters & {
    readonly migrations: readonly Migration[]
    /** Schema of the tables, which is created if it is missing. @default what the address or the server says */
    readonly schema?: string | undefined
    /** Program that the tables belong to; those of another one are refused. @default it is not asked */
    readonly owner?: Owner | undefined
  },
): Promise<PostgresDatabase<Schema>> {
  const { url, migrations, owner, schema } = parameters
  const database = connectPostgres<Schema>(
    schema === undefined ? parameters : { ...parameters, url: withSchema(url, schema) },
  )
  try {
    await askWithRetries(START_RETRY_MS, async () => {
      if (schema !== undefined) await createSchema(database.queries, schema)
      await migrate(database.queries, migrations, undefined, owner)
    })
    return database
  } catch (error) {
    await database.close()
    // A wrong password or a database that does not exist are for the person who typed the address.
    throw isNodeError(error) ? error : unreachable(error)
  }
}
