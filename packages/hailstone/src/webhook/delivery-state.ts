import { type PostOutcome, webhookWait } from '@hailstone/runtime/webhook'
import type { WaitingEvent, WebhookEvent } from './outbox.ts'
import { isGivenUp, NEVER_TRIED, type WebhookTries, withFailure } from './webhook-tries.ts'

/** Attempts of this process. Times are milliseconds of a clock that does not jump. */
export type DeliveryState = {
  /** Failed attempts at events that wait, by id. */
  readonly attempts: ReadonlyMap<string, Attempts>
  /** Of the receiver, in a row. */
  readonly failures: number
  readonly refusals: number
  readonly failedAt: number
  readonly pausedUntil: number
  readonly counts: {
    readonly delivered: number
    readonly failedAttempts: number
    /** Given up after a day of attempts. */
    readonly expired: number
  }
}

type Attempts = {
  /** Of this process. */
  readonly count: number
  readonly failedAt: number
  readonly dueAt: number
  /** Of all processes; undefined while the event could not be read. */
  readonly tries: WebhookTries | undefined
}

const CONCURRENCY = 4
/** Longest wait that a receiver may ask for. */
const LONGEST_WAIT_MS = 15 * 60_000
/** Longest wait between two attempts at a receiver that is away, whichever event they are of. */
const LONGEST_PAUSE_MS = 60_000
/** Refusals in a row after which the receiver counts as away: it refuses everything. */
const MAX_REFUSALS = 8
/** Wait after an event that cannot be read. */
const UNREAD_MS = 5_000

export const NOTHING_TRIED: DeliveryState = {
  ...{ attempts: new Map(), failures: 0, refusals: 0 },
  ...{ failedAt: Number.NEGATIVE_INFINITY, pausedUntil: Number.NEGATIVE_INFINITY },
  counts: { delivered: 0, failedAttempts: 0, expired: 0 },
}

/**
 * Returns the event to attempt now, and the time of the next attempt that no end of another one starts. The event is the one
 * that was tried least, and of those the oldest: one that always fails is in no other's way.
 *
 * @param running ids of attempts under way; a receiver that is away gets one at a time
 */
export function nextAttempt(
  { attempts, failures, refusals, pausedUntil }: DeliveryState,
  waiting: Iterable<WaitingEvent>,
  running: Pick<ReadonlySet<string>, 'has' | 'size'>,
  now: number,
): { readonly event: WaitingEvent | undefined; readonly at: number } {
  let [least, at, event]: [number, number, WaitingEvent | undefined] = [Infinity, Infinity, undefined]
  if (running.size >= (failures === 0 && refusals < MAX_REFUSALS ? CONCURRENCY : 1)) return { event, at }
  for (const one of waiting) {
    if (running.has(one.id)) continue
    const { count = 0, dueAt = 0 } = attempts.get(one.id) ?? {}
    at = Math.min(at, dueAt)
    if (dueAt <= now && count < least) [least, event] = [count, one]
    if (least === 0) break
  }
  return { event: now < pausedUntil ? undefined : event, at: Math.max(pausedUntil, at) }
}

/** Returns the state after an event could not be read: all of them wait, and then it is the turn of another one. */
export function afterUnread(state: DeliveryState, id: string, now: number): DeliveryState {
  const known = state.attempts.get(id) ?? { count: 0, failedAt: now, tries: undefined }
  const dueAt = now + UNREAD_MS
  const attempts = new Map(state.attempts).set(id, { ...known, count: known.count + 1, dueAt })
  return { ...state, attempts, pausedUntil: Math.max(state.pausedUntil, dueAt) }
}

/** Returns the state after an attempt, and the tries at an event that goes on waiting; null for one that was taken or is given up. */
export function afterAttempt(
  state: DeliveryState,
  { id, tries: earlier = NEVER_TRIED }: WebhookEvent,
  outcome: PostOutcome,
  at: {
    readonly begunAt: number
    readonly now: number
    /** Unix milliseconds by the clock of the machine, which may be wrong. */
    readonly nowMs: number
    /** From 0 to 1; spreads the waits. */
    readonly random: number
  },
): readonly [DeliveryState, WebhookTries | null] {
  const { begunAt, now, nowMs, random } = at
  const { delivered, failedAttempts, expired } = state.counts
  const attempts = new Map(state.attempts)
  const known = attempts.get(id)
  attempts.delete(id)
  if (outcome.isDelivered) {
    const counts = { ...state.counts, delivered: delivered + 1 }
    return [{ ...NOTHING_TRIED, attempts, failedAt: state.failedAt, counts }, null]
  }
  const count = (known?.count ?? 0) + 1
  const sinceLastMs = known?.tries === undefined ? null : now - known.failedAt
  const tries = withFailure(known?.tries ?? earlier, { sinceLastMs, nowMs })
  const isOver = isGivenUp(tries)
  // The answer was about this event alone, and another one may be taken.
  const dueAt = outcome.isRefused ? now + webhookWait(count, random) : 0
  if (!isOver) attempts.set(id, { count, failedAt: now, dueAt, tries })
  const refusals = state.refusals + (outcome.isRefused ? 1 : 0)
  // Several that were under way at the same time failed once.
  const failures = state.failures + (!outcome.isRefused && begunAt >= state.failedAt ? 1 : 0)
  const inRow = Math.max(failures, refusals - MAX_REFUSALS + 1)
  const pauseMs = inRow > 0 ? Math.min(LONGEST_PAUSE_MS, webhookWait(inRow, random)) : 0
  const askedMs = Math.min(LONGEST_WAIT_MS, outcome.retryAfterMs ?? 0)
  const pausedUntil = Math.max(state.pausedUntil, now + Math.max(pauseMs, askedMs))
  const counts = { delivered, failedAttempts: failedAttempts + 1, expired: expired + (isOver ? 1 : 0) }
  return [{ attempts, failures, refusals, failedAt: now, pausedUntil, counts }, isOver ? null : tries]
}
