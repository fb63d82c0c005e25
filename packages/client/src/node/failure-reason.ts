import { ProxyError } from '@hailstone/runtime/node'
import { notSent } from '../transport/never-sent.ts'
import { CLIENT_CLOSED } from '../transport/transport.ts'

const UNKNOWN_AUTHORITY =
  'its certificate is of no authority that is known here; for one of your own, name its file in NODE_EXTRA_CA_CERTS'

const certificateFaults = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS; without TLS its address begins with http://',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is of another host name',
}

/** Descriptions of system and HTTP error codes. Original messages stay in `cause`, since they may contain URLs. */
const words: Readonly<Record<string, string>> = {
  ...notSent,
  ...certificateFaults,
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

/**
 * Returns the reason of a failed request on Node. Browsers do not reveal it.
 *
 * @throws the error itself when it is a mistake of a program, which says nothing about the network
 */
export function failureReason(error: unknown): string {
  if (error instanceof ProxyError) return `${words[error.why] ?? error.why} ${error.place}`
  const code = codeOf(error)
  const isMistake =
    error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
  if (code === undefined && isMistake && error.cause === undefined) throw error
  return code === undefined ? 'the request failed' : (words[code] ?? `the request failed (${code})`)
}
