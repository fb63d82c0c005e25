// Signed webhooks as https://www.standardwebhooks.com describes them: an id, a time, and an HMAC over both and the body.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Accepted age of a webhook in either direction, so that nobody can send an old one again. */
const TOLERANCE_S = 300

const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

function signatureOf(secret: string, id: string, timestamp: string, body: string): string {
  const digest = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')
  return `v1,${digest}`
}

/** Sends an event. Rejects unless the receiver answers with success; the same id may be sent again. */
export async function sendWebhook(parameters: {
  readonly url: string
  readonly secret: string
  readonly id: string
  readonly event: { readonly type: string; readonly [member: string]: string | number | null }
  readonly signal?: AbortSignal | undefined
}): Promise<void> {
  const { url, secret, id, event, signal = AbortSignal.timeout(10_000) } = parameters
  const body = JSON.stringify(event)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatureOf(secret, id, timestamp, body),
  }
  const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal })
  if (!answer.ok) throw new Error(`the webhook answers ${answer.status}`)
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
