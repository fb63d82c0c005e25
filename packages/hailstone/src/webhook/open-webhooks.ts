import { join } from 'node:path'
import { type CursorStore, openFileCursors } from '@hailstone/mining-node'
import type { metricsText } from '@hailstone/mining-node/health'
import { aboutPath, systemFaultOf } from '@hailstone/runtime/node'
import { dataFolder, folderIn } from '../data-folder.ts'
import type { Terminal } from '../terminal.ts'
import { deliverWebhooks, type WebhookDelivery } from './deliver-webhooks.ts'
import { type Outbox, openOutbox } from './outbox.ts'
import type { WebhookEventName, WebhookTarget } from './webhook-settings.ts'

/** Webhooks of one account, fleet or bridge. */
export type Webhooks = {
  /** Of all that belongs to them. */
  readonly folder: string
  readonly outbox: Outbox
  readonly delivery: WebhookDelivery
  /** Positions and states that are kept beside the events. */
  readonly store: CursorStore
  readonly isWanted: (name: WebhookEventName) => boolean
}

const TELL_EVERY_MS = 60_000

/** Returns what the data folder did not take, and that nothing else waits for it. */
function unkeptSentence(error: unknown): string {
  const cause = systemFaultOf(error) ?? `${error instanceof Error ? error.message : String(error)}.`
  return `Webhooks cannot be kept, and are tried again; nothing else waits for them. ${cause}`
}

/** Returns a function that runs a task on the data folder. It reports an error, at most once a minute, and rejects with it. */
function reportedBy(folder: string, onFault: (sentence: string) => void) {
  let reportedAt = Number.NEGATIVE_INFINITY
  return async <T>(task: () => Promise<T>): Promise<T> => {
    try {
      return await aboutPath(folder, task)
    } catch (error) {
      if (performance.now() - reportedAt >= TELL_EVERY_MS) {
        reportedAt = performance.now()
        onFault(unkeptSentence(error))
      }
      throw error
    }
  }
}

/**
 * Opens webhooks in the data folder. What an earlier process left there is delivered.
 *
 * @param parameters.owner account, or the name of a fleet or bridge
 */
export async function openWebhooks(parameters: {
  readonly owner: string
  readonly given: { readonly data?: string | undefined }
  readonly terminal: Terminal
  readonly target: () => WebhookTarget | null
}): Promise<Webhooks> {
  const { owner, given, terminal, target } = parameters
  const folder = join(await folderIn(dataFolder(given, terminal), 'webhooks'), owner)
  const onFault = (message: string): void => {
    if (terminal.manner === 'json')
      terminal.tell({ at: new Date().toISOString(), event: 'webhookFailed', message })
    else if (terminal.manner === 'plain') terminal.warn(message)
  }
  const kept = await openOutbox(join(folder, 'events'))
  const cursors = openFileCursors({ folder })
  const reported = reportedBy(folder, onFault)
  return {
    folder,
    outbox: {
      ...kept,
      put: (event) => reported(() => kept.put(event)),
      has: (id) => reported(() => kept.has(id)),
    },
    delivery: deliverWebhooks({ outbox: kept, target, onFault }),
    store: {
      read: (name) => reported(() => cursors.read(name)),
      write: (name, text) => reported(() => cursors.write(name, text)),
    },
    isWanted: (name) => target()?.events.has(name) === true,
  }
}

type Metrics = Parameters<typeof metricsText>[0]

/** The numbers of webhooks, for `/metrics`. */
export function webhookMetrics({ counts }: WebhookDelivery): Metrics {
  const { delivered, failedAttempts, expired, pending, oldestAgeMs } = counts()
  const one = (name: string, type: 'counter' | 'gauge', help: string, value: number): Metrics[number] => ({
    name: `hailstone_webhook_${name}`,
    type,
    help,
    samples: [{ value }],
  })
  return [
    one('delivered_total', 'counter', 'Webhooks that were taken.', delivered),
    one('failed_attempts_total', 'counter', 'Attempts to deliver that failed.', failedAttempts),
    one('expired_total', 'counter', 'Webhooks given up after a day.', expired),
    one('pending', 'gauge', 'Webhooks that wait.', pending),
    one(
      'oldest_age_seconds',
      'gauge',
      'Of the oldest that waits; 0 if none does.',
      (oldestAgeMs ?? 0) / 1_000,
    ),
  ]
}
