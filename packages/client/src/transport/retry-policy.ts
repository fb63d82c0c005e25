/** When a GET that failed is asked again. A POST never is. */
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

export const defaultRetryPolicy: RetryPolicy = {
  maxAttempts: 4,
  baseDelayMs: 200,
  maxDelayMs: 5_000,
  maxRetryAfterMs: 30_000,
  budgetCapacity: 10,
  budgetPerCall: 0.1,
}

/** What went wrong with one request, as far as it decides about the next. */
export type RetryCause =
  | { readonly kind: 'network' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter: string | null }

/** Retries that may still be made: a bucket that calls fill and retries empty. */
export type RetryBudget = { readonly retries: number }

/** Ten thousandths of a retry, so that ten tenths are exactly one. */
const exact = (retries: number): number => Math.round(retries * 10_000) / 10_000

export const fullBudget = (policy: RetryPolicy): RetryBudget => ({ retries: policy.budgetCapacity })

/** Every call adds its share, up to the capacity. */
export const afterCall = (budget: RetryBudget, policy: RetryPolicy): RetryBudget => ({
  retries: Math.min(policy.budgetCapacity, exact(budget.retries + policy.budgetPerCall)),
})

export type RetryDecision =
  | { readonly retry: true; readonly delayMs: number; readonly budget: RetryBudget }
  | { readonly retry: false; readonly why: 'final' | 'attempts' | 'budget' | 'deadline' }

export type RetryQuestion = {
  readonly policy: RetryPolicy
  /** The request that just failed, from 1. */
  readonly attempt: number
  readonly cause: RetryCause
  readonly budget: RetryBudget
  /** What is left of the call's deadline. */
  readonly remainingMs: number
  /** Uniform in [0, 1). */
  readonly random: number
  /** Unix milliseconds, against which a date in Retry-After is measured. */
  readonly nowMs: number
}

const temporary = new Set([429, 502, 503, 504])

/** Decides about one more request. Pure; the caller keeps the budget it gets back. */
export function decideRetry(question: RetryQuestion): RetryDecision {
  const { policy, attempt, cause, budget, remainingMs } = question
  if (cause.kind === 'status' && !temporary.has(cause.status)) return { retry: false, why: 'final' }
  if (attempt >= policy.maxAttempts) return { retry: false, why: 'attempts' }
  if (budget.retries < 1) return { retry: false, why: 'budget' }
  const delayMs = retryDelay(question)
  if (delayMs >= remainingMs) return { retry: false, why: 'deadline' }
  return { retry: true, delayMs, budget: { retries: exact(budget.retries - 1) } }
}

/** Full jitter over an exponential ceiling, on top of what the server asked for. */
function retryDelay({ policy, attempt, cause, random, nowMs }: RetryQuestion): number {
  const ceilingMs = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempt - 1))
  const askedMs = cause.kind === 'status' ? (parseRetryAfter(cause.retryAfter, nowMs) ?? 0) : 0
  return Math.min(askedMs, policy.maxRetryAfterMs) + random * ceilingMs
}

/**
 * Reads Retry-After (RFC 9110 §10.2.3): whole seconds or an HTTP date. Milliseconds from now, never negative;
 * null for anything else.
 */
export function parseRetryAfter(text: string | null, nowMs: number): number | null {
  if (text === null) return null
  const trimmed = text.trim()
  if (/^\d+$/.test(trimmed)) return Number(trimmed) * 1000
  // Date.parse takes almost anything for a date; a header date begins with a weekday and ends in GMT.
  if (!/^[A-Za-z]{3,9},? .+ GMT$/.test(trimmed)) return null
  const date = Date.parse(trimmed)
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs)
}
