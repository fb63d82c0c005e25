import { apiError, type NodeError } from '@hailstone/protocol'
import { type ApiUrl, parseApiUrl, requestTarget } from '../transport/api-url.ts'
import { transportError } from '../transport/failure-reason.ts'
import { chunksOf, readText } from '../transport/read-text.ts'
import { isRedirect, redirectRefused } from '../transport/redirect.ts'
import {
  RESPONSE_LIMIT_BYTES,
  type Transport,
  type TransportAnswer,
  type TransportParameters,
  type TransportRequest,
} from '../transport/transport.ts'
import { withDeadline } from '../transport/with-deadline.ts'

export type FetchTransportParameters = TransportParameters & {
  /** @default the global `fetch`, looked up at each request */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/**
 * HTTP for browsers, over `fetch`. A browser does not show where a redirect leads, so a GET follows and an
 * answer from another origin is then refused unread; a POST follows nothing.
 *
 * @throws {NodeError} `URL_REFUSED`
 */
export function createFetchTransport(parameters: FetchTransportParameters): Transport {
  const { apiUrl, allowInsecure, limitBytes = RESPONSE_LIMIT_BYTES, fetch } = parameters
  const base = parseApiUrl(apiUrl, { allowInsecure })
  const underWay = new Set<Promise<TransportAnswer>>()
  let isClosed = false

  const send = async (asked: TransportRequest): Promise<TransportAnswer> => {
    const { path } = asked
    asked.signal?.throwIfAborted()
    if (isClosed) throw apiError('REQUEST_FAILED', { path, reason: 'the client is closed' })
    try {
      return await withDeadline(asked, async (onCancel) => {
        const controller = new AbortController()
        onCancel(() => controller.abort())
        const response = await (fetch ?? globalThis.fetch)(
          base.origin + requestTarget(base, asked),
          requestInit(asked, controller.signal),
        )
        return answerOf({ response, base, path, limitBytes })
      })
    } catch (error) {
      asked.signal?.throwIfAborted()
      throw transportError(error, path)
    }
  }
  const request = (asked: TransportRequest): Promise<TransportAnswer> => {
    const sent = send(asked).finally(() => underWay.delete(sent))
    underWay.add(sent)
    return sent
  }
  const close = async (): Promise<void> => {
    isClosed = true
    await Promise.allSettled(underWay)
  }
  return { request, close }
}

const requestInit = ({ method, body }: TransportRequest, signal: AbortSignal): RequestInit => ({
  method,
  signal,
  headers: {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  },
  ...(body === undefined ? {} : { body }),
  redirect: method === 'GET' ? 'follow' : 'manual',
  credentials: 'omit',
  cache: 'no-store',
  referrerPolicy: 'no-referrer',
})

async function answerOf(parameters: {
  readonly response: Response
  readonly base: ApiUrl
  readonly path: string
  readonly limitBytes: number
}): Promise<TransportAnswer> {
  const { response, base, path, limitBytes } = parameters
  const refusal = redirectFault(response, base)
  if (refusal !== null) {
    await response.body?.cancel()
    throw refusal
  }
  const text = response.body === null ? '' : await readText(chunksOf(response.body), { path, limitBytes })
  return {
    status: response.status,
    contentType: response.headers.get('content-type'),
    retryAfter: response.headers.get('retry-after'),
    text,
  }
}

function redirectFault(response: Response, base: ApiUrl): NodeError | null {
  // A browser hides the redirect of a POST as an opaque answer; Node shows its status.
  if (response.type === 'opaqueredirect' || isRedirect(response.status)) {
    return redirectRefused(null, 'a POST is not redirected')
  }
  if (!response.redirected) return null
  const target = new URL(response.url)
  return target.origin === base.origin ? null : redirectRefused(target, 'it redirects to another origin')
}
