import { hostError } from '@hailstone/protocol'
import pg from 'pg'
import { isConnectionLoss, orStoreFull } from './connection-loss.ts'
import type { PostgresHosts } from './postgres-address.ts'

/** SQLSTATE of a statement that a server refuses because it only reads: a standby, or a primary that became one. */
const READ_ONLY = '25006'
/** SQLSTATE of a connection that cannot be made. */
const NO_CONNECTION = '08001'
/** Message of the pool when all of its connections are in use; no host is at fault. */
const POOL_IS_FULL = 'timeout exceeded when trying to connect'
/**
 * Routine of the server that keeps a commit waiting for a standby. Its one notice says that the wait was cancelled: the
 * commit succeeds, and no standby has it. Names of routines are not translated, as messages are.
 */
const STANDBY_WAIT = 'SyncRepWaitForLSN'

/**
 * Time after which the server of a statement without an answer is asked for a sign of life, in ms. A machine that is cut
 * off or frozen answers nothing, and no connection to it ends by itself.
 */
const SIGN_OF_LIFE_MS = 10_000
/** Time that the server has for that, in ms. */
const ANSWER_MS = 5000
/** Time that a server has to say whether it takes writes, in ms. The pool's own limit has ended by then. */
const ROLE_ANSWER_MS = 2000
/** Time that statements in progress get when the pool ends, in ms. */
const FAREWELL_MS = 1000

/** Connections to whichever host of a database takes writes. */
export type HostPool = {
  /**
   * Takes a connection, to the next host where the last one is away, only reads or refuses.
   *
   * @throws {Error} that of the only host, or of the last one where all of them refuse; otherwise one with SQLSTATE 08001
   * that says what each of them answered
   */
  readonly connect: () => Promise<pg.PoolClient>
  /**
   * Waits for a statement on a connection. Where its server gives no sign of life, or only reads although it has to take
   * writes, all connections to that server are given up.
   *
   * @throws {NodeError} `STORE_FULL` if the disk of the server is full, `STORE_NOT_REPLICATED` where a standby is
   * required and somebody cancelled the wait for it
   */
  readonly watch: <T>(client: pg.PoolClient, statement: () => Promise<T>) => Promise<T>
  /** Gives a connection back, or ends it if it is of no use any more. */
  readonly release: (client: pg.PoolClient) => void
  /** Creates a connection outside of the pool, to the host that the pool tries next. It is not connected yet. */
  readonly newClient: () => pg.Client
  /** Ends all connections, in time even if the server keeps statements waiting. Idempotent. */
  readonly end: () => Promise<void>
}

/**
 * Creates a pool over the hosts of an address.
 *
 * @param settings without an address
 * @param rules.requireReplica true if a commit that no standby has is a failure
 * @param rules.limitMs time limit of a statement; its connection is cut then
 * @param rules.serverLimitMs the same for the server, which ends the statement by itself, with SQLSTATE 57014
 */
export function createHostPool(
  hosts: PostgresHosts,
  settings: pg.PoolConfig,
  rules: {
    readonly requireReplica: boolean
    readonly limitMs?: number | undefined
    readonly serverLimitMs?: number | undefined
  },
): HostPool {
  const { urls, mustTakeWrites } = hosts
  const { requireReplica, limitMs, serverLimitMs } = rules
  /** Index of the host that new connections are made to. */
  let next = 0
  /** Index of the host that took the newest connection. */
  let active = 0
  /** All connections that are not ended, those that are being made included. */
  const open = new Set<HostClient>()
  let isProbing = false
  let ended: Promise<void> | undefined

  const urlOf = (host: number): string => urls[host] ?? urls[0]

  class HostClient extends pg.Client {
    readonly origin = next
    isUseless = false
    /** True if the wait for a standby was cancelled during the newest statement. */
    isWaitCancelled = false
    constructor() {
      super({ ...settings, connectionString: urlOf(next) })
      open.add(this)
      this.on('notice', ({ routine }) => {
        if (routine === STANDBY_WAIT) this.isWaitCancelled = true
      })
      this.once('end', () => void open.delete(this))
    }
  }

  const isOutdated = (client: HostClient): boolean =>
    client.isUseless || (mustTakeWrites && client.origin !== active)

  /** Prepares a connection. No limit is part of its settings: poolers refuse those that they do not know. */
  async function onConnect(client: pg.ClientBase): Promise<void> {
    if (mustTakeWrites) await assertTakesWrites(client)
    if (serverLimitMs !== undefined) await client.query(`set statement_timeout = ${serverLimitMs}`)
  }

  const pool = new pg.Pool({
    ...settings,
    Client: HostClient,
    ...(mustTakeWrites || serverLimitMs !== undefined ? { onConnect } : {}),
  })
  // Idle connections die with their server; the next statement opens new ones.
  pool.on('error', () => {})
  pool.on('connect', (taken) => {
    const client = taken as unknown as HostClient
    // The pool listens to idle connections alone; one that dies between two statements of a transaction would end
    // the process. Its next statement fails all the same.
    client.on('error', () => {})
    if (client.origin !== next) {
      // Begun before the hosts were changed; the host of that time may have been left for good.
      client.isUseless = true
    } else if (client.origin !== active) {
      active = client.origin
      // What still waits for the host before waits in vain.
      for (const one of open) if (isOutdated(one)) cutConnection(one)
    }
  })

  /** Takes a connection to the active host; those to others end. */
  async function take(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect()
      if (!isOutdated(client as unknown as HostClient)) return client
      client.release(true)
    }
  }

  async function connect(): Promise<pg.PoolClient> {
    const answers: string[] = []
    let isAnyAway = false
    for (;;) {
      const tried = next
      try {
        return await take()
      } catch (error) {
        if (urls.length === 1 || (error as Error).message === POOL_IS_FULL) throw error
        // A standby that is behind may not have the database or the role yet; the next host does.
        isAnyAway ||= isConnectionLoss(error)
        answers.push(`${new URL(urlOf(tried)).host}: ${reasonOf(error)}`)
        // Another call may have moved on already.
        if (next === tried) next = (tried + 1) % urls.length
        if (answers.length === urls.length) throw isAnyAway ? noHost(answers, error) : error
      }
    }
  }

  /**
   * Makes a connection of its own to a host. A machine that is frozen or cut off does not complete that, and then its
   * connections are cut. No statement is sent: behind a pooler it would wait for those that take long.
   */
  async function probe(host: number): Promise<void> {
    if (isProbing) return
    isProbing = true
    const limit = { connectionTimeoutMillis: ANSWER_MS }
    const client = new pg.Client({ ...settings, ...limit, connectionString: urlOf(host) })
    client.on('error', () => {})
    try {
      await client.connect()
    } catch (error) {
      if (!isConnectionLoss(error)) return
      for (const one of open) if (one.origin === host) giveUp(one)
    } finally {
      cutConnection(client)
      isProbing = false
    }
  }

  function giveUp(client: HostClient): void {
    client.isUseless = true
    cutConnection(client)
  }

  async function watch<T>(taken: pg.PoolClient, statement: () => Promise<T>): Promise<T> {
    const client = taken as unknown as HostClient
    const timer = setInterval(() => void probe(client.origin), SIGN_OF_LIFE_MS)
    timer.unref()
    let isOver = false
    // An answer that arrived while this process was busy is read first.
    const late = (): void => void setImmediate(() => isOver || giveUp(client))
    const limit = limitMs === undefined ? undefined : setTimeout(late, limitMs)
    client.isWaitCancelled = false
    try {
      const answer = await statement()
      if (requireReplica && client.isWaitCancelled)
        throw hostError('STORE_NOT_REPLICATED', {
          reason: 'the wait of a commit for a standby was cancelled',
        })
      return answer
    } catch (error) {
      if (mustTakeWrites && codeOf(error) === READ_ONLY)
        for (const one of open) if (one.origin === client.origin) one.isUseless = true
      throw orStoreFull(error)
    } finally {
      isOver = true
      clearInterval(timer)
      clearTimeout(limit)
    }
  }

  async function end(): Promise<void> {
    const gone = pool.end().catch(() => {})
    const timer = setTimeout(() => open.forEach(cutConnection), FAREWELL_MS)
    await gone
    clearTimeout(timer)
  }

  return {
    connect,
    watch,
    release: (client) => client.release(isOutdated(client as unknown as HostClient)),
    newClient: () => new HostClient(),
    end() {
      ended ??= end()
      return ended
    },
  }
}

type Streaming = { readonly connection?: { readonly stream: { readonly destroy: () => void } } }

/** Ends a connection without a goodbye; its statement fails as one whose connection was lost. */
export const cutConnection = (client: pg.Client): void =>
  void (client as pg.Client & Streaming).connection?.stream.destroy()

const codeOf = (error: unknown): string => String((error as { readonly code?: unknown } | null)?.code ?? '')

/** @throws {Error} with SQLSTATE 25006 if the server only reads; that of a lost connection if it does not answer */
async function assertTakesWrites(client: pg.ClientBase): Promise<void> {
  const timer = setTimeout(() => cutConnection(client as pg.Client), ROLE_ANSWER_MS)
  const { rows } = await client.query('show transaction_read_only').finally(() => clearTimeout(timer))
  if (rows[0]?.transaction_read_only !== 'off')
    throw Object.assign(new Error('takes no writes, as a standby'), { code: READ_ONLY })
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  return message === undefined || message === '' ? (code ?? 'no connection') : message
}

const noHost = (answers: readonly string[], cause: unknown): Error =>
  Object.assign(new Error(`no host takes writes (${answers.join('; ')})`, { cause }), { code: NO_CONNECTION })
