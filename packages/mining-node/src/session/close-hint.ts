import type { RetryHint } from './backoff.ts'

/**
 * Reads when a gateway that closes wants us back: with "service restart" and "try again later" (RFC 6455, IANA
 * registry) the reason of the close frame is JSON of `retryAfterMs` and, optionally, `windowMs`. Nothing for anything
 * else; reasons are free text.
 */
export function closeHint(code: number, reason = ''): RetryHint | undefined {
  const asked = (name: string): number | undefined => {
    const [, digits] = new RegExp(`^{.*"${name}":\\s*(\\d+)[\\s,}]`).exec(reason) ?? []
    return digits === undefined ? undefined : Number(digits)
  }
  const retryAfterMs = asked('retryAfterMs')
  if ((code !== 1012 && code !== 1013) || retryAfterMs === undefined) return undefined
  return { retryAfterMs, windowMs: asked('windowMs') }
}
