import { randomInt } from 'node:crypto'
import { takeFileLock } from '@hailstone/runtime/node'
import type { Outbox, WebhookEvent } from './outbox.ts'
import { type PostOutcome, postWebhook } from './post-webhook.ts'
import type { WebhookTarget } from './webhook-settings.ts'

/** Counters of deliveries since the start. */
type WebhookCounts = {
  readonly delivered: number
  readonly failedAttempts: number
  /** Given up after a day. */
  readonly expired: number
  readonly pending: number
  /** Of the oldest that waits, in ms; null if none does. */
  readonly oldestAgeMs: number | null
}

export type WebhookDelivery = {
  /** Looks for new events now. */
  readonly wake: () => void
  readonly counts: () => WebhookCounts
  /** Resolves when nothing waits any more, or after the time. */
  readonly flush: (timeoutMs: number) => Promise<void>
  readonly stop: () => Promise<void>
}

const CONCURRENCY = 4
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 15 * 60_000
export const EXPIRES_AFTER_MS = 24 * 3_600_000
/** Ids that were delivered by this process, for which an earlier reading of the folder may still have a file. */
const MAX_DONE = 1_000
/** Interval at which events of other processes are looked for. */
const LOOK_EVERY_MS = 5_000

/** Wait before the next attempt, in ms: 1 s, twice as long each time, at most 15 minutes, a fifth more or less. */
export const waitAfter = (attempts: number, random: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1)) * (0.8 + 0.4 * random)

type Attempts = { readonly count: number; readonly dueAt: number; readonly isRefused: boolean }

/**
 * Delivers what stands in an outbox, each event until its receiver took it, for a day. One process at a time delivers
 * an outbox. Nothing here rejects: whoever mines is never held up.
 *
 * @param parameters.target read anew for each attempt
 * @param parameters.onFault called with a sentence for people, at most once a minute
 */
export function deliverWebhooks(parameters: {
  readonly outbox: Outbox
  readonly target: () => WebhookTarget | null
  readonly onFault: (sentence: string) => void
}): WebhookDelivery {
  const { outbox, target } = parameters
  const attempts = new Map<string, Attempts>()
  const running = new Map<string, Promise<void>>()
  const done = new Set<string>()
  const ended = new AbortController()
  const counts = { delivered: 0, failedAttempts: 0, expired: 0 }
  let waiting: readonly WebhookEvent[] = []
  let lock: Awaited<ReturnType<typeof takeFileLock>> | null = null
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  let isLookWanted = false
  let toldAt = Number.NEGATIVE_INFINITY

  function tell(sentence: string): void {
    if (performance.now() - toldAt < 60_000) return
    toldAt = performance.now()
    parameters.onFault(sentence)
  }

  async function hasLock(): Promise<boolean> {
    if (lock !== null && 'release' in lock) return true
    lock = await takeFileLock(`${outbox.folder}.lock`)
    return 'release' in lock
  }

  function wake(): void {
    if (isLookWanted || ended.signal.aborted) return
    isLookWanted = true
    looking = looking
      .then(look)
      .catch(() => tell('Webhooks cannot be delivered: the data folder cannot be read or written.'))
  }

  async function look(): Promise<void> {
    isLookWanted = false
    clearTimeout(timer)
    try {
      if (!(await hasLock())) return
      // One that was delivered while the folder was read stands in what was read.
      waiting = (await outbox.pending()).filter(({ id }) => !done.has(id))
      for (const event of waiting) {
        if (running.size >= CONCURRENCY || ended.signal.aborted) break
        if (!running.has(event.id) && (attempts.get(event.id)?.dueAt ?? 0) <= performance.now()) begin(event)
      }
    } finally {
      const dues = waiting.filter(({ id }) => !running.has(id)).map(({ id }) => attempts.get(id)?.dueAt ?? 0)
      const next = running.size >= CONCURRENCY ? LOOK_EVERY_MS : Math.min(...dues, Number.POSITIVE_INFINITY)
      const waitMs = Math.max(20, Math.min(LOOK_EVERY_MS, next - performance.now()))
      if (!ended.signal.aborted) timer = setTimeout(wake, waitMs).unref()
    }
  }

  function begin(event: WebhookEvent): void {
    const run = attempt(event)
      .catch(() => tell('A delivered webhook cannot be removed from the data folder; it may come again.'))
      .finally(() => {
        running.delete(event.id)
        wake()
      })
    running.set(event.id, run)
  }

  async function attempt(event: WebhookEvent): Promise<void> {
    const to = target()
    if (to === null)
      return postpone(event, { isDelivered: false, why: '', isRefused: true, retryAfterMs: null })
    if (Date.now() - event.atMs > EXPIRES_AFTER_MS) {
      counts.expired++
      tell('A webhook was given up: nobody took it for a day.')
      return forget(event)
    }
    const outcome = await postWebhook(event, to, { signal: ended.signal })
    if (ended.signal.aborted && !outcome.isDelivered) return
    if (!outcome.isDelivered) {
      counts.failedAttempts++
      tell(`A webhook to ${new URL(to.url).host} failed: ${outcome.why}. It is tried again for a day.`)
      return postpone(event, outcome)
    }
    counts.delivered++
    // The receiver is there: whatever failed because it was away is tried at once.
    for (const [id, tried] of attempts) if (!tried.isRefused) attempts.set(id, { ...tried, dueAt: 0 })
    await forget(event)
  }

  async function forget({ id }: WebhookEvent): Promise<void> {
    attempts.delete(id)
    done.add(id)
    for (const oldest of done) if (done.size > MAX_DONE) done.delete(oldest)
    waiting = waiting.filter((event) => event.id !== id)
    await outbox.remove(id)
  }

  function postpone({ id }: WebhookEvent, outcome: Extract<PostOutcome, { isDelivered: false }>): void {
    const count = (attempts.get(id)?.count ?? 0) + 1
    const waitMs = Math.max(waitAfter(count, randomInt(1_000) / 1_000), outcome.retryAfterMs ?? 0)
    const dueAt = performance.now() + Math.min(waitMs, LONGEST_WAIT_MS)
    attempts.set(id, { count, dueAt, isRefused: outcome.isRefused })
  }

  wake()
  return {
    wake,
    counts: () => {
      const [oldest] = waiting
      const oldestAgeMs = oldest === undefined ? null : Math.max(0, Date.now() - oldest.atMs)
      return { ...counts, pending: waiting.length, oldestAgeMs }
    },
    flush: async (timeoutMs) => {
      const until = performance.now() + timeoutMs
      for (;;) {
        wake()
        await looking
        if (waiting.length === 0 || performance.now() >= until) return
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
