import { isNodeError, parseJson } from '@hailstone/protocol'
import type { RetryHint } from './backoff.ts'

/** "Service restart" and "try again later" (RFC 6455, IANA registry). */
const HINTING_CODES: ReadonlySet<number> = new Set([1012, 1013])

/**
 * Reads when a gateway that closes wants us back: the reason of the close frame is JSON of `retryAfterMs` and,
 * optionally, `windowMs`. Nothing for anything else; reasons are free text.
 */
export function closeHint(code: number, reason: string | undefined): RetryHint | undefined {
  if (!HINTING_CODES.has(code) || reason?.startsWith('{') !== true) return undefined
  try {
    const { retryAfterMs, windowMs } = parseJson(reason) as { readonly [name: string]: unknown }
    if (typeof retryAfterMs !== 'bigint' || retryAfterMs < 0n) return undefined
    return {
      retryAfterMs: Number(retryAfterMs),
      windowMs: typeof windowMs === 'bigint' && windowMs >= 0n ? Number(windowMs) : undefined,
    }
  } catch (error) {
    if (isNodeError(error)) return undefined
    throw error
  }
}
