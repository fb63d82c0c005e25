import pg from 'pg'
import { isConnectionLoss } from './connection-loss.ts'
import type { PostgresHosts } from './postgres-address.ts'

/** SQLSTATE of a statement that a server refuses because it only reads: a standby, or a primary that became one. */
const READ_ONLY = '25006'
/** SQLSTATE of a connection that cannot be made. */
const NO_CONNECTION = '08001'
/** Message of the pool when all of its connections are in use; no host is at fault. */
const POOL_IS_FULL = 'timeout exceeded when trying to connect'

/**
 * Time after which the server of a statement without an answer is asked for a sign of life, in ms. A machine that is cut
 * off or frozen answers nothing, and no connection to it ends by itself.
 */
const SIGN_OF_LIFE_MS = 10_000
/** Time that the server has for that answer, in ms. */
const ANSWER_MS = 5000
/** Time that statements in progress get when the pool ends, in ms. */
const FAREWELL_MS = 1000

/** Connections to whichever host of a database takes writes. */
export type HostPool = {
  /**
   * Takes a connection, to the next host where the last one is away or only reads.
   *
   * @throws {Error} that of the only host; of several hosts one with SQLSTATE 08001 that says what each of them answered
   */
  readonly connect: () => Promise<pg.PoolClient>
  /**
   * Waits for a statement on a connection. Where its server only reads by now, or gives no sign of life, all connections
   * to that server are given up.
   */
  readonly watch: <T>(client: pg.PoolClient, statement: () => Promise<T>) => Promise<T>
  /** Gives a connection back, or ends it if it is of no use any more. */
  readonly release: (client: pg.PoolClient) => void
  /** Creates a connection outside of the pool, to the host that the pool tries next. It is not connected yet. */
  readonly newClient: () => pg.Client
  /** Ends all connections, in time even if the server keeps statements waiting. Idempotent. */
  readonly end: () => Promise<void>
}

/** Creates a pool over the hosts of an address. @param settings without an address */
export function createHostPool(hosts: PostgresHosts, settings: pg.PoolConfig): HostPool {
  const { urls, mustTakeWrites } = hosts
  /** Index of the host that new connections are made to. */
  let next = 0
  /** Index of the host that took the last connection. */
  let active = 0
  /** Raised when the connections that are open become useless. */
  let generation = 0
  const origins = new WeakMap<pg.Client, { readonly host: number; readonly generation: number }>()
  const connected = new Set<pg.Client>()
  let isProbing = false
  let ended: Promise<void> | undefined

  const urlOf = (host: number): string => urls[host] ?? urls[0]
  const isOutdated = (client: pg.Client): boolean => origins.get(client)?.generation !== generation

  class HostClient extends pg.Client {
    constructor() {
      super({ ...settings, connectionString: urlOf(next) })
      origins.set(this, { host: next, generation })
    }
  }

  const pool = new pg.Pool({
    ...settings,
    Client: HostClient,
    ...(mustTakeWrites ? { onConnect: assertTakesWrites } : {}),
  })
  // Idle connections die with their server; the next statement opens new ones.
  pool.on('error', () => {})
  pool.on('connect', (taken) => {
    const client = clientOf(taken)
    connected.add(client)
    // The pool listens to idle connections alone; one that dies between two statements of a transaction would end
    // the process. Its next statement fails all the same.
    client.on('error', () => {})
    const { host = active } = origins.get(client) ?? {}
    if (host === active) return
    // Another host takes writes: whatever still waits for the one before waits in vain.
    active = host
    generation += 1
    origins.set(client, { host, generation })
    cutOutdated()
  })
  pool.on('remove', (client) => void connected.delete(clientOf(client)))

  function cutOutdated(): void {
    for (const client of connected) if (isOutdated(client)) cut(client)
  }

  /** Takes a connection of the present generation; those of earlier ones end. */
  async function take(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect()
      if (!isOutdated(clientOf(client))) return client
      client.release(true)
    }
  }

  async function connect(): Promise<pg.PoolClient> {
    const answers: string[] = []
    for (;;) {
      const tried = next
      try {
        return await take()
      } catch (error) {
        const isOfHost = isConnectionLoss(error) && (error as Error).message !== POOL_IS_FULL
        if (!isOfHost || urls.length === 1) throw error
        answers.push(`${new URL(urlOf(tried)).host}: ${reasonOf(error)}`)
        // Another call may have moved on already.
        if (next === tried) next = (tried + 1) % urls.length
        if (answers.length === urls.length) throw noHost(answers, error)
      }
    }
  }

  /** Asks the active host for a sign of life, on a connection of its own. Without one its connections are cut. */
  async function probe(): Promise<void> {
    if (isProbing) return
    isProbing = true
    const asked = generation
    const limits = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS }
    const client = new pg.Client({ ...settings, ...limits, connectionString: urlOf(active) })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
    } catch (error) {
      if (isConnectionLoss(error) && generation === asked) generation += 1
    } finally {
      cut(client)
      isProbing = false
    }
    cutOutdated()
  }

  async function watch<T>(client: pg.PoolClient, statement: () => Promise<T>): Promise<T> {
    const timer = setInterval(() => void probe(), SIGN_OF_LIFE_MS)
    timer.unref()
    try {
      return await statement()
    } catch (error) {
      if (codeOf(error) === READ_ONLY && !isOutdated(clientOf(client))) generation += 1
      throw error
    } finally {
      clearInterval(timer)
    }
  }

  async function end(): Promise<void> {
    const gone = pool.end().catch(() => {})
    const timer = setTimeout(() => connected.forEach(cut), FAREWELL_MS)
    await gone
    clearTimeout(timer)
  }

  return {
    connect,
    watch,
    release: (client) => client.release(isOutdated(clientOf(client))),
    newClient: () => new HostClient(),
    end() {
      ended ??= end()
      return ended
    },
  }
}

const clientOf = (client: pg.PoolClient): pg.Client => client as unknown as pg.Client

type Streaming = { readonly connection?: { readonly stream: { readonly destroy: () => void } } }

/** Ends a connection without a goodbye; its statement fails as one whose connection was lost. */
const cut = (client: pg.Client): void => void (client as pg.Client & Streaming).connection?.stream.destroy()

const codeOf = (error: unknown): string => String((error as { readonly code?: unknown } | null)?.code ?? '')

/** @throws {Error} with SQLSTATE 25006 if the server only reads */
async function assertTakesWrites(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('show transaction_read_only')
  if (rows[0]?.transaction_read_only !== 'off')
    throw Object.assign(new Error('takes no writes, as a standby'), { code: READ_ONLY })
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  return message === undefined || message === '' ? (code ?? 'no connection') : message
}

const noHost = (answers: readonly string[], cause: unknown): Error =>
  Object.assign(new Error(`no host takes writes (${answers.join('; ')})`, { cause }), { code: NO_CONNECTION })
