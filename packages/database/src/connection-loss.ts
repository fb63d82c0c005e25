import { hostError, type NodeError } from '@hailstone/protocol'

const SOCKET_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]

/** Messages of the driver that have no code. */
const DRIVER_WORDS =
  /connection terminated|timeout expired|timeout exceeded when trying to connect|client has encountered|query read timeout/i

/**
 * True if an error means that the server was unreachable, and not that it refused the statement. Codes of class 08
 * are connections; 57P01 to 57P03 a server that stops or starts; 53300 one that has no connection left; 25006 one that
 * is read-only, as a primary becomes when another server takes its place (PostgreSQL, appendix A).
 */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as { readonly code?: string }
  if (SOCKET_CODES.includes(code) || /^(08|57P0[123]|53300|25006)/.test(code)) return true
  if (error instanceof AggregateError) return error.errors.some(isConnectionLoss)
  return DRIVER_WORDS.test(error.message)
}

/** Classes of SQLSTATE that pass by themselves: conflicts, resources, locks, operators, the system, faults of the server. */
const PASSING = /^(?:40|53|55|57|58|XX)[\dA-Z]{3}$/

/** True if a server refused a statement for a reason that passes by itself. */
export const passes = (error: unknown): boolean => PASSING.test(String(Object(error).code))

/** SQLSTATE of a statement for which the server found no room on its disk. */
const DISK_FULL = '53100'

/**
 * Returns `STORE_FULL` in place of the error of a server whose disk is full, and any other error as it is. The reason is
 * read by everybody who asks for the health of a network, so the server's own words, which name its files, are only in
 * the cause.
 */
export function orStoreFull(error: unknown): unknown {
  const { code } = Object(error) as { readonly code?: unknown }
  if (code !== DISK_FULL) return error
  return hostError(
    'STORE_FULL',
    { reason: `the server has no room (SQLSTATE ${DISK_FULL})` },
    { cause: error },
  )
}

/** Two transactions met; the engine asks for the same one again (SQLSTATE 40001, 40P01). */
export const isCollision = (error: unknown): boolean =>
  ['40001', '40P01'].includes(String((error as { readonly code?: unknown } | null)?.code))

/** SQLSTATE of an address whose database is not there. */
const DATABASE_MISSING = '3D000'

export const unreachable = (error: unknown): NodeError => {
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  const said = message === undefined || message === '' ? (code ?? 'no connection') : message
  const advice = code === DATABASE_MISSING ? '; it has to be created first, and may be empty' : ''
  const reason = `${said.replaceAll('"', "'")}${advice}`
  return hostError('STORE_UNREACHABLE', { reason }, { cause: error })
}

/** SQLSTATEs of a database, a schema and a table that are not there. */
const GONE = [DATABASE_MISSING, '3F000', '42P01']

/**
 * Returns `STORE_UNREACHABLE` in place of the error of a database that was dropped, or whose tables were, under a program
 * that runs, and any other error as it is.
 */
export const orUnreachable = (error: unknown): unknown =>
  GONE.includes(String(Object(error).code)) ? unreachable(error) : error

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const FIRST_PAUSE_MS = 25
const LONGEST_PAUSE_MS = 250

/**
 * Asks again while the server is away: one that restarts, or a connection that died unnoticed, shall not be
 * seen by whoever reads. For questions alone; a statement that changes something may have been carried out.
 *
 * @throws {NodeError} `STORE_UNREACHABLE` once the patience is over
 */
export async function askWithRetries<T>(retryMs: number, ask: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + retryMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await ask()
    } catch (error) {
      if (!isConnectionLoss(error)) throw error
      if (performance.now() + pauseMs > deadline) throw unreachable(error)
      await pause(pauseMs)
    }
  }
}
