// Signed webhooks as https://www.standardwebhooks.com describes them: an id, a time, and an HMAC over both and the body.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Accepted age of a webhook in either direction, so that nobody can send an old one again. */
const TOLERANCE_S = 300

const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

function signatureOf(secret: string, id: string, timestamp: string, body: string): string {
  const digest = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')
  return `v1,${digest}`
}

/** Time for the answer of a receiver. */
const LIMIT_MS = 10_000

/**
 * Sends an event. Rejects unless the receiver answers with success within 10 s, or when the signal fires before; the same id
 * may be sent again.
 */
export async function sendWebhook(parameters: {
  readonly url: string
  readonly secret: string
  readonly id: string
  readonly event: { readonly type: string; readonly [member: string]: string | number | null }
  readonly signal?: AbortSignal | undefined
}): Promise<void> {
  const { url, secret, id, event, signal } = parameters
  const body = JSON.stringify(event)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatureOf(secret, id, timestamp, body),
  }
  // Addresses of webhooks may be secret beyond their host.
  const { origin } = new URL(url)
  const ending = new AbortController()
  const limit = setTimeout(
    () => ending.abort(new Error(`${origin} did not answer within ${LIMIT_MS / 1000} s`)),
    LIMIT_MS,
  )
  const end = (): void => ending.abort(signal?.reason)
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    const given = { method: 'POST', headers, body, redirect: 'error', signal: ending.signal } as const
    const answer = await fetch(url, given).catch((error: Error) => {
      throw ending.signal.aborted ? error : new Error(`${origin} is not reached: ${error.cause ?? error}`)
    })
    void answer.body?.cancel().catch(() => undefined)
    if (!answer.ok) throw new Error(`${origin} answers ${answer.status}`)
  } finally {
    clearTimeout(limit)
    signal?.removeEventListener('abort', end)
  }
}

/** Returns the id of a webhook that the holder of the secret sent within the last minutes; otherwise null. */
export function verifiedId(
  secret: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
): string | null {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return null
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < TOLERANCE_S)) return null
  const expected = Buffer.from(signatureOf(secret, id, timestamp, body))
  const isSigned = signatures
    .split(' ')
    .map((one) => Buffer.from(one))
    .some((one) => one.length === expected.length && timingSafeEqual(one, expected))
  return isSigned ? id : null
}
