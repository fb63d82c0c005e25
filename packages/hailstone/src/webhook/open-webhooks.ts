import { join } from 'node:path'
import { type CursorStore, openFileCursors } from '@hailstone/mining-node'
import type { metricsText } from '@hailstone/mining-node/health'
import { aboutPath, systemCause, systemFaultOf } from '@hailstone/runtime/node'
import { stampText } from '../clock-text.ts'
import { dataFolder, folderIn } from '../data-folder.ts'
import type { Terminal } from '../terminal.ts'
import { deliverWebhooks, type WebhookCounts, type WebhookDelivery } from './deliver-webhooks.ts'
import { type Outbox, openOutbox } from './outbox.ts'
import { createWebhookFaults, oldestFault, type WebhookFault, type WebhookFaults } from './webhook-faults.ts'
import type { WebhookEventName, WebhookTarget } from './webhook-settings.ts'

/** State of webhooks, as `/status` has it. */
export type WebhookReport = WebhookCounts & {
  /** Reason for which events wait or are not kept; null without a fault. */
  readonly fault: WebhookFault | null
}

/** Webhooks of one account, fleet or bridge. */
export type Webhooks = {
  /** Of all that belongs to them. */
  readonly folder: string
  readonly outbox: Outbox
  readonly delivery: WebhookDelivery
  /** Positions and states that are kept beside the events. */
  readonly store: CursorStore
  readonly isWanted: (name: WebhookEventName) => boolean
  /** Failures because of which events cannot be made, such as an API that does not answer. */
  readonly faults: Pick<WebhookFaults, 'begin' | 'end'>
  readonly report: () => WebhookReport
}

/** Returns what the data folder did not take, and that nothing else waits for it. */
function unkept(error: unknown): Pick<WebhookFault, 'why' | 'message'> {
  const message = error instanceof Error ? error.message : String(error)
  const cause = systemFaultOf(error)
  return {
    why: cause === null ? message : systemCause(String((error as NodeJS.ErrnoException).code)),
    message: `Webhooks cannot be kept, and are tried again; nothing else waits for them. ${cause ?? `${message}.`}`,
  }
}

/** Returns a function that runs a task on the data folder: an error is a fault until tasks of its name succeed again. */
function reportedBy(folder: string, faults: WebhookFaults) {
  const failing = new Set<string>()
  return async <T>(name: string, task: () => Promise<T>): Promise<T> => {
    try {
      const result = await aboutPath(folder, task)
      failing.delete(name)
      if (failing.size === 0) faults.end('unkept')
      return result
    } catch (error) {
      failing.add(name)
      faults.begin('unkept', unkept(error))
      throw error
    }
  }
}

/**
 * Opens webhooks in the data folder. What an earlier process left there is delivered.
 *
 * @param parameters.owner account, or the name of a fleet or bridge
 * @param parameters.isOnScreen true if a live screen shows the report, so that no line is written over it
 */
export async function openWebhooks(parameters: {
  readonly owner: string
  readonly given: { readonly data?: string | undefined }
  readonly terminal: Terminal
  readonly target: () => WebhookTarget | null
  readonly isOnScreen?: boolean | undefined
}): Promise<Webhooks> {
  const { owner, given, terminal, target, isOnScreen = false } = parameters
  const folder = join(await folderIn(dataFolder(given, terminal), 'webhooks'), owner)
  const onFault = (message: string): void => {
    if (terminal.manner === 'json') terminal.tell({ event: 'webhookFailed', message })
    else if (!isOnScreen) terminal.warn(`${stampText()}  ${message}`)
  }
  const kept = await openOutbox(join(folder, 'events'))
  const cursors = openFileCursors({ folder })
  const faults = createWebhookFaults(onFault)
  const reported = reportedBy(folder, faults)
  const delivery = deliverWebhooks({ outbox: kept, target, onFault })
  return {
    folder,
    outbox: {
      ...kept,
      put: async (event) => {
        await reported('put', () => kept.put(event))
        delivery.wake()
      },
      has: (id) => reported('has', () => kept.has(id)),
    },
    delivery,
    store: {
      read: (name) => reported('read', () => cursors.read(name)),
      write: (name, text) => reported('write', () => cursors.write(name, text)),
    },
    isWanted: (name) => target()?.events.has(name) === true,
    faults,
    report: () => ({
      ...delivery.counts(),
      fault: oldestFault([delivery.fault(), faults.current()]),
    }),
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
