import type { SettingKinds } from '@hailstone/runtime'
import { outwardConnector, wholeModule } from '@hailstone/runtime/node'
import type { Dispatcher, Pool } from 'undici'
import { assertTransport, ofTransport } from '../name-checks.ts'
import { parseApiUrl, requestTarget } from '../transport/api-url.ts'
import { followRedirect, isRedirect } from '../transport/redirect.ts'
import {
  RESPONSE_LIMIT_BYTES,
  type Transport,
  type TransportAnswer,
  type TransportParameters,
  type TransportRequest,
} from '../transport/transport.ts'
import { type OnCancel, withDeadline } from '../transport/with-deadline.ts'
import { exchangeOnce } from './exchange-once.ts'
import { failureReason } from './failure-reason.ts'

/** Parameters of {@link createUndiciTransport}. */
export type UndiciTransportParameters = TransportParameters & {
  /** Connections kept to the API. @default 16 */
  readonly connections?: number | undefined
  /** Part of the deadline that making a connection may take. @default 5000 */
  readonly connectTimeoutMs?: number | undefined
  /**
   * Carries the requests instead, such as a `ProxyAgent` of undici; it is not closed with the transport.
   * @default a pool of our own, or the proxy that `HTTPS_PROXY` and `NO_PROXY` name
   */
  readonly dispatcher?: Dispatcher | undefined
}

const kinds: SettingKinds<UndiciTransportParameters> = {
  ...ofTransport,
  connections: 'number',
  connectTimeoutMs: 'number',
  dispatcher: true,
}

async function loadUndici(): Promise<typeof import('undici')> {
  return wholeModule(await import('undici'), {
    name: 'undici',
    from: () => import.meta.url,
    parts: ['Pool', 'buildConnector'],
  })
}

/**
 * HTTP for Node: one pool of connections to one origin. It costs a fraction of `fetch` and lets us see redirects
 * before anything follows them.
 *
 * @throws {NodeError} `URL_REFUSED`, `ARGUMENT_INVALID`
 */
export function createUndiciTransport(parameters: UndiciTransportParameters): Transport {
  assertTransport('of createUndiciTransport', parameters, kinds)
  const { apiUrl, allowInsecure, limitBytes = RESPONSE_LIMIT_BYTES } = parameters
  const { connections = 16, connectTimeoutMs = 5_000 } = parameters
  const { origin, href } = parseApiUrl(apiUrl, { allowInsecure })
  // Our deadline covers headers and body together; undici's own would only measure silence.
  const options: Pool.Options = { connections, headersTimeout: 0, bodyTimeout: 0 }
  let opening: Promise<Dispatcher> | undefined
  let closing: Promise<void> | undefined
  // To load undici costs more than the rest of this package; a program that asks nothing does not pay for it.
  const openPool = async (): Promise<Dispatcher> => {
    if (parameters.dispatcher !== undefined) return parameters.dispatcher
    // Whoever closes it meanwhile closes the pool.
    const isClosed = closing !== undefined
    const undici = await loadUndici()
    // Not by the agent of undici for proxies: API and gateway go one way.
    const direct = undici.buildConnector({ timeout: connectTimeoutMs })
    const connect = outwardConnector(direct, connectTimeoutMs)
    const pool = new undici.Pool(origin, { ...options, connect })
    if (isClosed) await pool.close()
    return pool
  }
  const openedPool = (): Promise<Dispatcher> => {
    opening ??= openPool()
    return opening
  }

  const basePath = href.slice(origin.length)
  const request = (asked: TransportRequest): Promise<TransportAnswer> =>
    withDeadline(asked, failureReason, async (onCancel) =>
      exchange({
        pool: await openedPool(),
        origin,
        target: basePath + requestTarget(asked),
        asked,
        onCancel,
        limitBytes,
      }),
    )
  const close = (): Promise<void> => {
    closing ??=
      opening === undefined
        ? Promise.resolve()
        : opening.then((pool) => (parameters.dispatcher === undefined ? pool.close() : undefined))
    return closing
  }
  return { request, close }
}

type Exchange = {
  readonly pool: Dispatcher
  readonly origin: string
  readonly target: string
  readonly asked: TransportRequest
  readonly onCancel: OnCancel
  readonly limitBytes: number
}

async function exchange(parameters: Exchange, hops = 0): Promise<TransportAnswer> {
  const { pool, origin, target, asked, onCancel, limitBytes } = parameters
  const { method, path, body } = asked
  const { status, headers, text } = await exchangeOnce({
    pool,
    origin,
    method,
    path,
    target,
    body,
    onCancel,
    limitBytes,
  })
  if (isRedirect(status)) {
    const location = headerText(headers.location)
    const next = followRedirect({ method, from: origin + target, location, hops })
    return exchange({ ...parameters, target: next.pathname + next.search }, hops + 1)
  }
  return {
    status,
    contentType: headerText(headers['content-type']),
    retryAfter: headerText(headers['retry-after']),
    text,
  }
}

const headerText = (value: string | string[] | undefined): string | null =>
  (Array.isArray(value) ? value[0] : value) ?? null
