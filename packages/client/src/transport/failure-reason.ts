import { apiError, isNodeError, type NodeError } from '@hailstone/protocol'

/** What system and HTTP stack call it, in words. Their own messages are left to `cause`: they may hold URLs. */
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'there is no way to the network',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection was not made in time',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  UND_ERR_CLOSED: 'the client is closed',
  UND_ERR_DESTROYED: 'the client is closed',
}

/** Nothing of the request has left this machine yet. */
const beforeSending = new Set(
  ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'].map(
    (code) => words[code],
  ),
)

/** Asking again in a moment cannot help. */
const final = new Set([words.UND_ERR_CLOSED])

type Caused = { readonly code?: unknown; readonly cause?: unknown }

/** The innermost code: `fetch` wraps what happened into a TypeError. */
function codeOf(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 4) return undefined
  const { code, cause } = error as Caused
  return codeOf(cause, depth + 1) ?? (typeof code === 'string' ? code : undefined)
}

/** Turns what a transport caught into an error of ours; those that are ours already pass. */
export function transportError(error: unknown, path: string): NodeError {
  if (isNodeError(error)) return error
  const code = codeOf(error)
  const reason = code === undefined ? 'the request failed' : (words[code] ?? `the request failed (${code})`)
  return apiError('REQUEST_FAILED', { path, reason }, { cause: error })
}

/** Whether a request surely never reached the network: then nothing it asked for can have happened. */
export const wasNeverSent = (error: unknown): boolean =>
  isNodeError(error, 'REQUEST_FAILED') && beforeSending.has(error.facts.reason)

/** Whether a failed request may be asked again at all. */
export const isWorthAnotherTry = (error: NodeError<'REQUEST_FAILED'>): boolean =>
  !final.has(error.facts.reason)
