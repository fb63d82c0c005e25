import { parseRetryAfter } from './retry-policy.ts'
import type { TransportAnswer } from './transport.ts'

/** Fault score of one API node. Faults decay: half of them are dropped after every half-life. */
export type NodeScore = {
  readonly faults: number
  /** Monotonic milliseconds of the last change. */
  readonly atMs: number
  /** Until then the node asked to be left alone (Retry-After). */
  readonly blockedUntilMs: number
}

export const CLEAN_SCORE: NodeScore = { faults: 0, atMs: 0, blockedUntilMs: 0 }

const HALF_LIFE_MS = 60_000
/** Longest that a node may ask to be left alone. */
const MAX_BLOCKED_MS = 60_000
/** From here on a node is only asked when none is better. */
const DOUBTFUL_FROM = 0.5

/** Faults that still count. */
const faultsAt = ({ faults, atMs }: NodeScore, nowMs: number): number =>
  faults * 2 ** (-Math.max(0, nowMs - atMs) / HALF_LIFE_MS)

export const isDoubtful = (score: NodeScore, nowMs: number): boolean =>
  nowMs < score.blockedUntilMs || faultsAt(score, nowMs) >= DOUBTFUL_FROM

/** A node that answers is forgiven quickly, one that fails is remembered. */
const afterSuccess = (score: NodeScore, nowMs: number): NodeScore => ({
  faults: faultsAt(score, nowMs) / 2,
  atMs: nowMs,
  blockedUntilMs: 0,
})

export const afterFault = (score: NodeScore, nowMs: number, weight: number = 1): NodeScore => ({
  ...score,
  faults: faultsAt(score, nowMs) + weight,
  atMs: nowMs,
})

/** True if an HTTP status means that the node has a problem, and not that the request was wrong. */
export const isNodeFault = (status: number): boolean => status === 429 || status >= 500

/** After an answer, whatever its status; `unixMs` is what dates in Retry-After are measured against. */
export function afterAnswer(
  score: NodeScore,
  answer: Pick<TransportAnswer, 'status' | 'retryAfter'>,
  now: { readonly nowMs: number; readonly unixMs: number },
): NodeScore {
  const { nowMs, unixMs } = now
  if (!isNodeFault(answer.status)) return afterSuccess(score, nowMs)
  const askedMs = parseRetryAfter(answer.retryAfter ?? null, unixMs) ?? 0
  const blockedUntilMs = nowMs + Math.min(askedMs, MAX_BLOCKED_MS)
  return { ...afterFault(score, nowMs), blockedUntilMs }
}

/** Less is better. */
export const rankOf = (score: NodeScore, nowMs: number): number =>
  faultsAt(score, nowMs) + (nowMs < score.blockedUntilMs ? 1_000 : 0)
