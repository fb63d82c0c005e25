import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { parseWebhookSecret, postWebhook, webhookWait } from '@hailstone/runtime/webhook'
import type { AlertQueries, AlertTables } from './alert-tables.ts'
import type { SendMail } from './send-mail.ts'
import type { WebhookGate } from './webhook-gate.ts'
import { mailOf } from './write-event.ts'

const TIMEOUT_MS = 5_000
/** Longest wait between two attempts, in ms: a receiver that is away for an hour gets its message within minutes. */
const LONGEST_WAIT_MS = 5 * 60_000
const EXPIRES_AFTER_MS = 24 * 3_600_000
/** Messages that are over are listed for a week. */
const KEPT_MS = 7 * EXPIRES_AFTER_MS
const LOOK_EVERY_MS = 1_000

export type Deliverer = {
  /** Looks for messages until the signal, each second and when `wake` is called. */
  readonly run: (signal: AbortSignal) => Promise<void>
  readonly wake: () => void
}

/**
 * Sends the messages of the tables, to each receiver one after the other in their order, each until it is taken, for a day.
 *
 * @param parameters.now Unix milliseconds
 */
export function createDeliverer({
  queries,
  gate,
  mail,
  now,
}: {
  readonly queries: AlertQueries
  readonly gate: WebhookGate
  readonly mail: SendMail | undefined
  readonly now: () => number
}): Deliverer {
  let isWanted = false
  let waking = new AbortController()

  async function deliverNext(receiver: AlertTables['receiver'], signal: AbortSignal): Promise<boolean> {
    const message = await queries
      .selectFrom('delivery')
      .selectAll()
      .where('receiver', '=', receiver.id)
      .where('settled_ms', 'is', null)
      .orderBy('at_ms')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (message === undefined || message.due_ms > now()) return false
    const failure = await send(receiver, message, signal)
    if (signal.aborted && failure !== null) return false
    const attempts = message.attempts + 1
    const waitMs = Math.min(LONGEST_WAIT_MS, webhookWait(attempts, randomInt(1000) / 1000))
    const isOver = failure === null || now() - message.at_ms > EXPIRES_AFTER_MS
    await queries
      .updateTable('delivery')
      .set({ attempts, due_ms: now() + waitMs, settled_ms: isOver ? now() : null })
      .set({ outcome: failure ?? 'delivered' })
      .where('id', '=', message.id)
      .execute()
    return isOver
  }

  /** Returns the reason why a message was not taken; null if it was. */
  async function send(
    { url, secret }: AlertTables['receiver'],
    { id, body }: AlertTables['delivery'],
    signal: AbortSignal,
  ): Promise<string | null> {
    const address = /^mailto:(.*)$/.exec(url)?.[1]
    if (address !== undefined)
      return mail === undefined ? 'no mail server is set' : mail({ id, to: address, ...mailOf(body) })
    const key = parseWebhookSecret(secret)
    // A rule that was changed since holds for receivers that were named before.
    if (gate.refuse(url) !== null || key === null) return 'the address is not allowed'
    const { lookup } = gate
    const outcome = await postWebhook(
      { id, body },
      { url, secret: key },
      { timeoutMs: TIMEOUT_MS, signal, lookup },
    )
    return outcome.isDelivered ? null : outcome.why
  }

  async function deliverAll(signal: AbortSignal): Promise<void> {
    const receivers = await queries.selectFrom('receiver').selectAll().execute()
    await Promise.all(
      receivers.map(async (receiver) => {
        while (!signal.aborted && (await deliverNext(receiver, signal)));
      }),
    )
    await queries
      .deleteFrom('delivery')
      .where('settled_ms', '<', now() - KEPT_MS)
      .execute()
  }

  return {
    async run(signal) {
      while (!signal.aborted) {
        isWanted = false
        // Tables that are away are asked again; what they hold is delivered then.
        await deliverAll(signal).catch(() => {})
        if (isWanted) continue
        waking = new AbortController()
        const ended = AbortSignal.any([signal, waking.signal])
        await pause(LOOK_EVERY_MS, undefined, { signal: ended }).catch(() => {})
      }
    },
    wake() {
      isWanted = true
      waking.abort()
    },
  }
}
