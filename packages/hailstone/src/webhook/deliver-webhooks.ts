import { randomInt } from 'node:crypto'
import { takeFileLock } from '@hailstone/runtime/node'
import { type PostOutcome, postWebhook, webhookWait } from '@hailstone/runtime/webhook'
import type { Outbox, WaitingEvent, WebhookEvent } from './outbox.ts'
import { createWebhookFaults, type WebhookFault } from './webhook-faults.ts'
import type { WebhookTarget } from './webhook-settings.ts'
import { isGivenUp, NEVER_TRIED, type WebhookTries, withFailure } from './webhook-tries.ts'

export { EXPIRES_AFTER_MS } from './webhook-tries.ts'

/** Counters of deliveries since the start. */
export type WebhookCounts = {
  readonly delivered: number
  readonly failedAttempts: number
  /** Given up after a day of attempts. */
  readonly expired: number
  readonly pending: number
  /** Of the oldest that waits, in ms; null if none does. */
  readonly oldestAgeMs: number | null
}

export type WebhookDelivery = {
  /** Looks for new events now. */
  readonly wake: () => void
  readonly counts: () => WebhookCounts
  /** Reason for which events wait, since its first failure; null if the last attempt succeeded. */
  readonly fault: () => WebhookFault | null
  /** Resolves when nothing waits any more, after the time, or at once when another process delivers. */
  readonly flush: (timeoutMs: number) => Promise<void>
  readonly stop: () => Promise<void>
}

const CONCURRENCY = 4
/** Longest wait that a receiver may ask for. */
const LONGEST_WAIT_MS = 15 * 60_000
/** Longest wait between two attempts at a receiver that is away, whichever event they are of. */
const LONGEST_PAUSE_MS = 60_000
/** Refusals in a row after which the receiver counts as away: it refuses everything. */
const MAX_REFUSALS = 8
/** Interval at which events of other processes are looked for. */
const LOOK_EVERY_MS = 5_000

const waitBefore = (attempt: number): number => webhookWait(attempt, randomInt(1_000) / 1_000)

const UNREADABLE = {
  why: 'the data folder cannot be read or written',
  message: 'Webhooks cannot be delivered: the data folder cannot be read or written.',
}

const UNREMOVED = {
  why: 'a delivered one cannot be removed from the data folder',
  message: 'A delivered webhook cannot be removed from the data folder; it may come again.',
}

type Attempts = {
  /** Of this process. */
  readonly count: number
  readonly failedAt: number
  readonly dueAt: number
  /** Of all processes. */
  readonly tries: WebhookTries
}

/**
 * Delivers what stands in an outbox, each event until its receiver took it, for a day of attempts. One process at a time delivers
 * an outbox. Nothing here rejects: whoever mines is never held up. A receiver that is away is asked with one event at a time.
 *
 * @param parameters.target read anew for each attempt
 * @param parameters.onFault called with a sentence for people, at most once a minute for each kind of fault
 */
export function deliverWebhooks(parameters: {
  readonly outbox: Outbox
  readonly target: () => WebhookTarget | null
  readonly onFault: (sentence: string) => void
}): WebhookDelivery {
  const { outbox, target } = parameters
  const attempts = new Map<string, Attempts>()
  const running = new Map<string, Promise<void>>()
  const ended = new AbortController()
  const counts = { delivered: 0, failedAttempts: 0, expired: 0 }
  let lock: Awaited<ReturnType<typeof takeFileLock>> | null = null
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  let isLookWanted = false
  let lookedAt = Number.NEGATIVE_INFINITY
  const faults = createWebhookFaults(parameters.onFault)
  /** Of the receiver, in a row. */
  let [failures, refusals] = [0, 0]
  let [failedAt, pausedUntil] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]

  async function hasLock(): Promise<boolean> {
    if (lock !== null && 'release' in lock) return true
    lock = await takeFileLock(`${outbox.folder}.lock`)
    if ('release' in lock || lock.place !== 'unknown' || outbox.size() === 0) faults.end('waits')
    else
      faults.begin('waits', {
        why: 'a process that cannot be asked from here delivers them',
        message: `Webhooks wait: a process that cannot be asked from here holds ${lock.lock}. Remove that folder if the process is gone.`,
      })
    return 'release' in lock
  }

  function wake(): void {
    if (isLookWanted || ended.signal.aborted) return
    isLookWanted = true
    looking = looking
      .then(look)
      .then(() => faults.end('folder'))
      .catch(() => faults.begin('folder', UNREADABLE))
  }

  async function look(): Promise<void> {
    isLookWanted = false
    clearTimeout(timer)
    try {
      const isFirst = !isOurs()
      // What waits is counted also by who does not deliver it.
      if (isFirst || performance.now() - lookedAt >= LOOK_EVERY_MS) {
        await outbox.refresh()
        lookedAt = performance.now()
      }
      if (!(await hasLock())) return
      // Another process may have delivered until it gave the lock back.
      if (isFirst) await outbox.refresh()
      while (running.size < most() && !ended.signal.aborted) {
        const event = target() === null || performance.now() < pausedUntil ? undefined : next()
        if (event === undefined) break
        begin(event)
      }
    } finally {
      const waitMs = Math.max(20, Math.min(LOOK_EVERY_MS, nextAt() - performance.now()))
      if (!ended.signal.aborted) timer = setTimeout(wake, waitMs).unref()
    }
  }

  const isOurs = (): boolean => lock !== null && 'release' in lock

  /** Attempts at the same time: one that is away gets one. */
  const most = (): number => (failures === 0 && refusals < MAX_REFUSALS ? CONCURRENCY : 1)

  /** The event that was tried least, and of those the oldest: one that always fails is in no other's way. */
  function next(): WaitingEvent | undefined {
    const now = performance.now()
    let [least, found]: [number, WaitingEvent | undefined] = [Number.POSITIVE_INFINITY, undefined]
    for (const event of outbox.waiting()) {
      if (running.has(event.id)) continue
      const { count = 0, dueAt = 0 } = attempts.get(event.id) ?? {}
      if (dueAt > now || count >= least) continue
      ;[least, found] = [count, event]
      if (count === 0) break
    }
    return found
  }

  /** Time of the next attempt that no end of another one starts. */
  function nextAt(): number {
    let due = Number.POSITIVE_INFINITY
    if (target() === null || !isOurs() || running.size >= most()) return due
    for (const { id } of outbox.waiting()) {
      if (!running.has(id)) due = Math.min(due, attempts.get(id)?.dueAt ?? 0)
      if (due === 0) break
    }
    return Math.max(pausedUntil, due)
  }

  function begin(event: WaitingEvent): void {
    const run = attempt(event)
      .catch(() => faults.begin('removal', UNREMOVED))
      .finally(() => {
        running.delete(event.id)
        wake()
      })
    running.set(event.id, run)
  }

  async function attempt({ id }: WaitingEvent): Promise<void> {
    const [to, event] = [target(), await outbox.read(id)]
    if (to === null) return
    if (event === null) return settle(id)
    const begunAt = performance.now()
    const outcome = await postWebhook(event, to, { signal: ended.signal })
    if (ended.signal.aborted && !outcome.isDelivered) return
    if (!outcome.isDelivered) {
      counts.failedAttempts++
      const tries = postpone(event, outcome, begunAt)
      const { why } = outcome
      const message = `A webhook to ${new URL(to.url).host} failed: ${why}. It is tried again for a day.`
      if (!isGivenUp(tries)) {
        faults.begin('failed', { why, message })
        // On a full disk the next process counts from what it finds.
        return outbox.noteTries({ ...event, tries }).catch(() => undefined)
      }
      counts.expired++
      faults.report('given-up', 'A webhook was given up: nobody took it for a day.')
    } else {
      counts.delivered++
      faults.end('failed')
      ;[failures, refusals, pausedUntil] = [0, 0, Number.NEGATIVE_INFINITY]
    }
    attempts.delete(id)
    await settle(id)
  }

  /** Ends an event, and the faults that end with it: of a receiver, once nothing waits for it. */
  async function settle(id: string): Promise<void> {
    await outbox.settle(id)
    faults.end('removal')
    if (outbox.size() === 0) faults.end('failed')
  }

  function postpone(
    event: WebhookEvent,
    outcome: Extract<PostOutcome, { isDelivered: false }>,
    begunAt: number,
  ): WebhookTries {
    const before = attempts.get(event.id)
    const count = (before?.count ?? 0) + 1
    const now = performance.now()
    const tries = withFailure(before?.tries ?? event.tries ?? NEVER_TRIED, {
      sinceLastMs: before === undefined ? null : now - before.failedAt,
      nowMs: Date.now(),
    })
    // The answer was about this event alone, and another one may be taken.
    const dueAt = outcome.isRefused ? now + waitBefore(count) : 0
    attempts.set(event.id, { count, failedAt: now, dueAt, tries })
    if (outcome.isRefused) refusals++
    // Several that were under way at the same time failed once.
    else if (begunAt >= failedAt) failures++
    failedAt = now
    const inRow = Math.max(failures, refusals - MAX_REFUSALS + 1)
    const pauseMs = inRow > 0 ? Math.min(LONGEST_PAUSE_MS, waitBefore(inRow)) : 0
    const askedMs = Math.min(LONGEST_WAIT_MS, outcome.retryAfterMs ?? 0)
    pausedUntil = Math.max(pausedUntil, now + Math.max(pauseMs, askedMs))
    return tries
  }

  const oldestAgeMs = (): number | null => {
    let oldest: number | null = null
    for (const { ageMs } of outbox.waiting()) oldest = Math.max(oldest ?? 0, ageMs())
    return oldest
  }

  wake()
  return {
    wake,
    counts: () => ({ ...counts, pending: outbox.size(), oldestAgeMs: oldestAgeMs() }),
    fault: faults.current,
    flush: async (timeoutMs) => {
      const until = performance.now() + timeoutMs
      lookedAt = Number.NEGATIVE_INFINITY
      for (;;) {
        wake()
        await looking
        if (!isOurs() || outbox.size() === 0 || performance.now() >= until) return
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    stop: async () => {
      ended.abort()
      clearTimeout(timer)
      await looking
      await Promise.all(running.values())
      if (lock !== null && 'release' in lock) await lock.release()
    },
  }
}
