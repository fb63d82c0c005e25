import { notSent } from '../transport/never-sent.ts'
import { CLIENT_CLOSED } from '../transport/transport.ts'

/** What system and HTTP stack call it, in words. Their own messages are left to `cause`: they may hold URLs. */
const words: Readonly<Record<string, string>> = {
  ...notSent,
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  UND_ERR_CLOSED: CLIENT_CLOSED,
  UND_ERR_DESTROYED: CLIENT_CLOSED,
}

type Caused = { readonly code?: unknown; readonly cause?: unknown }

/** The innermost code: `fetch` wraps what happened into a TypeError. */
function codeOf(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 4) return undefined
  const { code, cause } = error as Caused
  return codeOf(cause, depth + 1) ?? (typeof code === 'string' ? code : undefined)
}

/** Why a request failed on Node. A browser never says. */
export function failureReason(error: unknown): string {
  const code = codeOf(error)
  return code === undefined ? 'the request failed' : (words[code] ?? `the request failed (${code})`)
}
