import { apiError, type NodeError } from '@hailstone/protocol'
import { parseApiUrl, requestTarget, shownUrl, urlRefused } from '../transport/api-url.ts'
import {
  CLIENT_CLOSED,
  RESPONSE_LIMIT_BYTES,
  type Transport,
  type TransportAnswer,
  type TransportParameters,
  type TransportRequest,
} from '../transport/transport.ts'
import { type OnCancel, withDeadline } from '../transport/with-deadline.ts'
import { readBody } from './read-body.ts'

/** Parameters of {@link createFetchTransport}. */
export type FetchTransportParameters = TransportParameters & {
  /** @default the global `fetch`, looked up at each request */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/**
 * HTTP for browsers, over `fetch`. A browser does not show where a redirect leads, so a GET follows and an
 * answer from another origin is then refused unread; a POST follows nothing.
 *
 * @param reasonOf what a failure of `fetch` is called; a browser never says why
 * @throws {NodeError} `URL_REFUSED`
 */
export function fetchTransport(
  parameters: FetchTransportParameters,
  reasonOf: (error: unknown) => string,
): Transport {
  const { limitBytes = RESPONSE_LIMIT_BYTES } = parameters
  const { origin, href } = parseApiUrl(parameters.apiUrl, parameters)
  const underWay = new Set<Promise<TransportAnswer>>()
  let isClosed = false

  const carry = async (asked: TransportRequest, onCancel: OnCancel): Promise<TransportAnswer> => {
    const { path } = asked
    if (isClosed) throw apiError('REQUEST_FAILED', { path, reason: CLIENT_CLOSED })
    const controller = new AbortController()
    onCancel(() => controller.abort())
    const { fetch = globalThis.fetch } = parameters
    const response = await fetch(href + requestTarget(asked), requestInit(asked, controller.signal))
    const { status, headers, body } = response
    const refusal = redirectFault(response, origin)
    if (refusal !== null) {
      await body?.cancel()
      throw refusal
    }
    return {
      status,
      contentType: headers.get('content-type'),
      retryAfter: headers.get('retry-after'),
      text: await readBody(response, { path, limitBytes }),
    }
  }
  const request = (asked: TransportRequest): Promise<TransportAnswer> => {
    const sent = withDeadline(asked, reasonOf, (onCancel) => carry(asked, onCancel)).finally(() =>
      underWay.delete(sent),
    )
    underWay.add(sent)
    return sent
  }
  const close = async (): Promise<void> => {
    isClosed = true
    await Promise.allSettled(underWay)
  }
  return { request, close }
}

/** Like {@link fetchTransport}, for platforms that do not reveal why a request failed. */
export const createFetchTransport = (parameters: FetchTransportParameters): Transport =>
  fetchTransport(parameters, () => 'the request failed')

const requestInit = ({ method, body }: TransportRequest, signal: AbortSignal): RequestInit => ({
  method,
  signal,
  body: body ?? null,
  headers: {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  },
  redirect: method === 'GET' ? 'follow' : 'manual',
  credentials: 'omit',
  cache: 'no-store',
  referrerPolicy: 'no-referrer',
})

/** Returns the refusal of a GET that was redirected to another origin. A POST is not followed: its status says so. */
function redirectFault({ redirected, url }: Response, origin: string): NodeError | null {
  const target = redirected ? new URL(url) : null
  if (target === null || target.origin === origin) return null
  return urlRefused(shownUrl(target), 'it redirects to another origin')
}
