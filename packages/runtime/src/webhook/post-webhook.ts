import { createHmac } from 'node:crypto'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { throughProxy } from '../node/proxy.ts'

/** Outcome of one attempt. The reason is shown to people and holds nothing that the receiver wrote. */
export type PostOutcome =
  | { readonly isDelivered: true }
  | {
      readonly isDelivered: false
      readonly why: string
      /** True if the receiver answered and did not want this event; another one may be taken. */
      readonly isRefused: boolean
      /** Wait that the receiver asked for, in ms. */
      readonly retryAfterMs: number | null
    }

/** In ms, for the whole exchange. */
const TIMEOUT_MS = 10_000
const MAX_HEADER_BYTES = 16_384

/** Headers of Standard Webhooks, version 1. The timestamp is that of this attempt, in Unix seconds. */
function webhookHeaders(parameters: {
  readonly id: string
  readonly body: string
  readonly secret: Buffer
  readonly nowMs: number
}): Readonly<Record<string, string>> {
  const { id, body, secret, nowMs } = parameters
  const timestamp = String(Math.floor(nowMs / 1_000))
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}

/**
 * Sends one event. Redirects are failures: a signed event goes to the address that was configured, and nowhere else.
 *
 * @param event.id the same for the same event, however often it is sent
 * @param event.body JSON that is signed byte by byte
 * @param options.timeoutMs for the whole exchange, 10 s by default
 * @param options.lookup answers which address the host of the URL has, instead of the system
 */
export function postWebhook(
  { id, body }: { readonly id: string; readonly body: string },
  { url, secret }: { readonly url: string; readonly secret: Buffer },
  {
    timeoutMs = TIMEOUT_MS,
    signal,
    lookup,
  }: {
    readonly timeoutMs?: number | undefined
    readonly signal?: AbortSignal | undefined
    readonly lookup?: LookupFunction | undefined
  } = {},
): Promise<PostOutcome> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest
  const headers = {
    ...webhookHeaders({ id, body, secret, nowMs: Date.now() }),
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'hailstone',
  }
  return new Promise((resolve) => {
    const end = (outcome: PostOutcome): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      resolve(outcome)
      sent.destroy()
    }
    const fail = (why: string): void => end({ isDelivered: false, why, isRefused: false, retryAfterMs: null })
    const stop = (): void => fail('it was ended')
    const sent = request(url, {
      method: 'POST',
      headers,
      agent: false,
      // Whoever answers itself which address a host has wants that address, and no proxy.
      ...(lookup === undefined ? throughProxy(new URL(url), { timeoutMs }) : { lookup }),
      maxHeaderSize: MAX_HEADER_BYTES,
      // Whatever NODE_TLS_REJECT_UNAUTHORIZED allows to the rest of the process.
      rejectUnauthorized: true,
    })
    const timer = setTimeout(() => fail(`no answer within ${timeoutMs / 1_000} s`), timeoutMs)
    sent.on('response', (response) => {
      response.on('error', () => undefined)
      end(outcomeOf(response))
    })
    sent.on('error', ({ code }: NodeJS.ErrnoException) =>
      fail(`the connection failed (${code ?? 'unknown'})`),
    )
    sent.on('close', () => fail('the connection was closed'))
    signal?.addEventListener('abort', stop)
    if (signal?.aborted) stop()
    else sent.end(body)
  })
}

const TEMPORARY = new Set([408, 425, 429])

/** The status decides; a body is not read. */
function outcomeOf({ statusCode = 0, headers }: IncomingMessage): PostOutcome {
  if (statusCode >= 200 && statusCode < 300) return { isDelivered: true }
  const why = statusCode >= 300 && statusCode < 400 ? `a redirect (${statusCode})` : `status ${statusCode}`
  const isRefused = statusCode < 500 && !TEMPORARY.has(statusCode)
  const retryAfterMs = secondsIn(headers['retry-after'])
  return { isDelivered: false, why, isRefused, retryAfterMs }
}

/** A date is not read: the clock of the receiver may be any. */
const secondsIn = (text = ''): number | null => (/^\d{1,6}$/.test(text) ? Number(text) * 1_000 : null)
