import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type FileLock, takeFileLock } from '@hailstone/runtime/node'
import { type PostOutcome, postWebhook } from '@hailstone/runtime/webhook'
import {
  afterAttempt,
  afterUnread,
  type DeliveryState,
  NOTHING_TRIED,
  nextAttempt,
} from './delivery-state.ts'
import type { Outbox, WaitingEvent } from './outbox.ts'
import { createWebhookFaults, type WebhookFault, type WebhookFaults } from './webhook-faults.ts'
import type { WebhookTarget } from './webhook-settings.ts'
import type { WebhookTries } from './webhook-tries.ts'

export { EXPIRES_AFTER_MS } from './webhook-tries.ts'

/** Counters of deliveries since the start. */
export type WebhookCounts = DeliveryState['counts'] & {
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

/** Interval at which events of other processes are looked for. */
const LOOK_EVERY_MS = 5_000

const UNREADABLE = {
  why: 'the data folder cannot be read or written',
  message: 'Webhooks cannot be delivered: the data folder cannot be read or written.',
}

const UNREMOVED = {
  why: 'a delivered one cannot be removed from the data folder',
  message: 'A delivered webhook cannot be removed from the data folder; it may come again.',
}

/** Takes an outbox. Returns the function that gives it back; null if another process delivers what is in it. */
async function takeOutbox(
  { folder, size }: Outbox,
  faults: WebhookFaults,
): Promise<FileLock['release'] | null> {
  const lock = await takeFileLock(`${folder}.lock`)
  const isTaken = 'release' in lock
  if (isTaken || lock.place !== 'unknown' || size() === 0) faults.end('waits')
  else
    faults.begin('waits', {
      why: 'a process that cannot be asked from here delivers them',
      message: `Webhooks wait: a process that cannot be asked from here holds ${lock.lock}. Remove that folder if the process is gone.`,
    })
  return isTaken ? lock.release : null
}

/** Reports an attempt whose event goes on waiting with these tries; null if it does not. */
function reportAttempt(
  faults: WebhookFaults,
  url: string,
  outcome: PostOutcome,
  tries: WebhookTries | null,
): void {
  if (outcome.isDelivered) faults.end('failed')
  else if (tries === null) faults.report('given-up', 'A webhook was given up: nobody took it for a day.')
  else {
    const { why } = outcome
    const message = `A webhook to ${new URL(url).host} failed: ${why}. It is tried again for a day.`
    faults.begin('failed', { why, message })
  }
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
  const running = new Map<string, Promise<void>>()
  const ended = new AbortController()
  const faults = createWebhookFaults(parameters.onFault)
  let state = NOTHING_TRIED
  /** Gives the outbox back; null while another process has it. */
  let release: FileLock['release'] | null = null
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  let [isLookWanted, lookedAt] = [false, Number.NEGATIVE_INFINITY]

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
      const isFirst = release === null
      // What waits is counted also by who does not deliver it.
      if (isFirst || performance.now() - lookedAt >= LOOK_EVERY_MS) {
        await outbox.refresh()
        lookedAt = performance.now()
      }
      release ??= await takeOutbox(outbox, faults)
      // Another process may have delivered until it gave the lock back.
      if (isFirst && release !== null) await outbox.refresh()
      for (let { event } = next(); event !== undefined; { event } = next()) begin(event)
    } finally {
      const waitMs = Math.max(20, Math.min(LOOK_EVERY_MS, next().at - performance.now()))
      if (!ended.signal.aborted) timer = setTimeout(wake, waitMs).unref()
    }
  }

  function next(): ReturnType<typeof nextAttempt> {
    const isIdle = release === null || ended.signal.aborted || target() === null
    return nextAttempt(state, isIdle ? [] : outbox.waiting(), running, performance.now())
  }

  function begin({ id }: WaitingEvent): void {
    const run = attempt(id)
      .catch(() => faults.begin('removal', UNREMOVED))
      .finally(() => running.delete(id))
      .finally(wake)
    running.set(id, run)
  }

  async function attempt(id: string): Promise<void> {
    const [to, event] = [target(), await outbox.read(id).catch(() => undefined)]
    if (event === undefined) {
      faults.begin('reading', UNREADABLE)
      state = afterUnread(state, id, performance.now())
      return
    }
    faults.end('reading')
    if (to === null) return
    if (event !== null) {
      const begunAt = performance.now()
      const outcome = await postWebhook(event, to, { signal: ended.signal })
      if (ended.signal.aborted && !outcome.isDelivered) return
      const at = { begunAt, now: performance.now(), nowMs: Date.now(), random: randomInt(1_000) / 1_000 }
      const [after, tries] = afterAttempt(state, event, outcome, at)
      state = after
      reportAttempt(faults, to.url, outcome, tries)
      // On a full disk the next process counts from what it finds.
      if (tries !== null) return outbox.noteTries({ ...event, tries }).catch(() => undefined)
    }
    await outbox.settle(id)
    faults.end('removal')
    // The fault of a receiver ends once nothing waits for it.
    if (outbox.size() === 0) faults.end('failed')
  }

  wake()
  return {
    wake,
    counts: () => ({ ...state.counts, pending: outbox.size(), oldestAgeMs: oldestAgeMs(outbox.waiting()) }),
    fault: faults.current,
    flush: async (timeoutMs) => {
      const until = performance.now() + timeoutMs
      lookedAt = Number.NEGATIVE_INFINITY
      do {
        wake()
        await looking
      } while (release !== null && outbox.size() > 0 && performance.now() < until && (await delay(20, true)))
    },
    stop: async () => {
      ended.abort()
      clearTimeout(timer)
      await looking
      await Promise.all(running.values())
      await release?.()
    },
  }
}

function oldestAgeMs(waiting: Iterable<WaitingEvent>): number | null {
  let oldest: number | null = null
  for (const { ageMs } of waiting) oldest = Math.max(oldest ?? 0, ageMs())
  return oldest
}
