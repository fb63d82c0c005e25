import type { TransportAnswer } from './transport.ts'

/** Rules for retrying a failed GET. A POST is never retried. */
export type RetryPolicy = {
  /** Requests for one call, the first included. @default 4 */
  readonly maxAttempts: number
  /** Ceiling of the first delay; it doubles from there. @default 200 */
  readonly baseDelayMs: number
  /** Ceiling of every delay. @default 5000 */
  readonly maxDelayMs: number
  /** Longest delay a server may ask for with Retry-After. @default 30000 */
  readonly maxRetryAfterMs: number
  /** Retries that can be made in a burst. @default 10 */
  readonly budgetCapacity: number
  /** Retries that every call adds to the budget: the extra load once the burst is spent. @default 0.1 */
  readonly budgetPerCall: number
  /** Time for one request. @default undefined, the whole deadline of the call */
  readonly attemptTimeoutMs?: number | undefined
}

/** Retry policy of a client for which none is given. */
export const defaultRetryPolicy: RetryPolicy = {
  maxAttempts: 4,
  baseDelayMs: 200,
  maxDelayMs: 5_000,
  maxRetryAfterMs: 30_000,
  budgetCapacity: 10,
  budgetPerCall: 0.1,
}

/**
 * The retries that may be made after one more call: each adds its share, up to the capacity, and each retry takes
 * one. In ten thousandths, so that ten tenths are exactly one.
 */
export const afterCall = (retries: number, { budgetCapacity, budgetPerCall }: RetryPolicy): number =>
  Math.min(budgetCapacity, Math.round((retries + budgetPerCall) * 10_000) / 10_000)

export type RetryQuestion = {
  readonly policy: RetryPolicy
  /** The request that just failed, from 1. */
  readonly attempt: number
  /** The answer, if its status was not 200; undefined if there was none. */
  readonly answer?: Pick<TransportAnswer, 'status' | 'retryAfter'> | undefined
  /** Retries left in the budget. */
  readonly retries: number
  /** Time left for this call, retries included, in ms. */
  readonly remainingMs: number
  /** Uniform in [0, 1). */
  readonly random: number
  /** Unix milliseconds, against which a date in Retry-After is measured. */
  readonly nowMs: number
}

/** Statuses of servers, and of the edges in front of them, that say nothing about the request: it is asked again. */
const PASSING = [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 527, 530]

/**
 * Milliseconds until one more request; null for none. Full jitter over an exponential ceiling, on top of what the
 * server asked for.
 */
export function retryDelay(question: RetryQuestion): number | null {
  const { policy, attempt, answer, retries, remainingMs, random, nowMs } = question
  if (answer !== undefined && !PASSING.includes(answer.status)) return null
  if (attempt >= policy.maxAttempts || retries < 1) return null
  const askedMs = Math.min(parseRetryAfter(answer?.retryAfter ?? null, nowMs) ?? 0, policy.maxRetryAfterMs)
  const delayMs = askedMs + random * Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempt - 1))
  return delayMs < remainingMs ? delayMs : null
}

/**
 * Reads Retry-After (RFC 9110 §10.2.3): whole seconds or an HTTP date. Milliseconds from now, never negative;
 * null for anything else.
 */
export function parseRetryAfter(text: string | null, nowMs: number): number | null {
  const trimmed = typeof text === 'string' ? text.trim() : ''
  if (/^\d+$/.test(trimmed)) return Number(trimmed) * 1000
  // Date.parse takes almost anything for a date; a header date begins with a weekday and ends in GMT.
  const date = /^[A-Za-z]{3,9},? .+ GMT$/.test(trimmed) ? Date.parse(trimmed) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs)
}
