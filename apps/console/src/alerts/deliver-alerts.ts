import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type PostOutcome, parseWebhookSecret, postWebhook, webhookWait } from '@hailstone/runtime/webhook'
import type { AlertQueries, AlertTables } from './alert-tables.ts'
import { MAIL_MS, type SendMail } from './send-mail.ts'
import type { WebhookGate } from './webhook-gate.ts'
import { mailOf } from './write-event.ts'

const TIMEOUT_MS = 5_000
/** Longest wait between two attempts, in ms: a receiver that is away for an hour gets its message within minutes. */
const LONGEST_WAIT_MS = 5 * 60_000
/** Longest wait that a receiver may ask for, in ms. */
const LONGEST_ASKED_MS = 15 * 60_000
const EXPIRES_AFTER_MS = 24 * 3_600_000
/** Messages that are over are listed for a week. */
const KEPT_MS = 7 * EXPIRES_AFTER_MS
const LOOK_EVERY_MS = 1_000

export type Deliverer = {
  /** Looks for messages until the signal, each second and when `wake` is called. */
  readonly run: (signal: AbortSignal) => Promise<void>
  readonly wake: () => void
}

/** Time in which one attempt has ended, in ms: until then no other process sends the message, also after a kill. */
const claimOf = ({ url }: AlertTables['receiver']): number =>
  TIMEOUT_MS + (url.startsWith('mailto:') ? MAIL_MS : TIMEOUT_MS)

const unsent = (why: string): PostOutcome => ({
  ...{ isDelivered: false, why, isRefused: false, retryAfterMs: null },
})

type Parts = {
  readonly queries: AlertQueries
  readonly gate: WebhookGate
  readonly mail: SendMail | undefined
  /** Unix milliseconds. */
  readonly now: () => number
}

/** Claims a message. Resolves with false if another process has it, or it is gone. */
async function claim(
  { queries }: Parts,
  { id, due_ms }: AlertTables['delivery'],
  until: number,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('delivery')
    .set({ due_ms: until })
    .where('id', '=', id)
    .where('due_ms', '=', due_ms)
    .where('settled_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

async function deliverNext(
  parts: Parts,
  receiver: AlertTables['receiver'],
  signal: AbortSignal,
): Promise<boolean> {
  const { queries, now } = parts
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
  if (!(await claim(parts, message, now() + claimOf(receiver)))) return false
  const outcome = await send(parts, receiver, message, signal)
  if (signal.aborted && !outcome.isDelivered) {
    // The next process need not wait.
    await queries
      .updateTable('delivery')
      .set({ due_ms: message.due_ms })
      .where('id', '=', message.id)
      .execute()
    return false
  }
  const attempts = message.attempts + 1
  const waitMs = Math.min(LONGEST_WAIT_MS, webhookWait(attempts, randomInt(1000) / 1000))
  const askedMs = outcome.isDelivered ? 0 : Math.min(LONGEST_ASKED_MS, outcome.retryAfterMs ?? 0)
  // A refusal is about this message alone; the next one may be taken.
  const isOver = outcome.isDelivered || outcome.isRefused || now() - message.at_ms > EXPIRES_AFTER_MS
  await queries
    .updateTable('delivery')
    .set({ attempts, due_ms: now() + Math.max(waitMs, askedMs), settled_ms: isOver ? now() : null })
    .set({ outcome: outcome.isDelivered ? 'delivered' : outcome.why })
    .where('id', '=', message.id)
    .execute()
  return isOver
}

async function send(
  { gate, mail }: Parts,
  { url, secret }: AlertTables['receiver'],
  { id, body }: AlertTables['delivery'],
  signal: AbortSignal,
): Promise<PostOutcome> {
  const address = /^mailto:(.*)$/.exec(url)?.[1]
  if (address !== undefined)
    return mail === undefined
      ? unsent('no mail server is set')
      : mail({ id, to: address, ...mailOf(body) }, signal)
  const key = parseWebhookSecret(secret)
  // A rule that was changed since holds for receivers that were named before.
  if (gate.refuse(url) !== null || key === null) return unsent('the address is not allowed')
  const { lookup } = gate
  return postWebhook({ id, body }, { url, secret: key }, { timeoutMs: TIMEOUT_MS, signal, lookup })
}

async function deliverTo(
  parts: Parts,
  receiver: AlertTables['receiver'],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await deliverNext(parts, receiver, signal)));
}

async function look(parts: Parts, running: Map<string, Promise<void>>, signal: AbortSignal): Promise<void> {
  const { queries, now } = parts
  const receivers = await queries.selectFrom('receiver').selectAll().execute()
  for (const receiver of receivers) {
    const { id } = receiver
    if (running.has(id)) continue
    // Tables that are away are asked again; what they hold is delivered then.
    const run = deliverTo(parts, receiver, signal).catch(() => {})
    running.set(
      id,
      run.finally(() => running.delete(id)),
    )
  }
  await queries
    .deleteFrom('delivery')
    .where('settled_ms', '<', now() - KEPT_MS)
    .execute()
}

/**
 * Sends the messages of the tables, to each receiver one after the other in their order, each until it is taken or
 * refused, for a day. No receiver waits for another one.
 */
export function createDeliverer(
  parameters: Parts & { readonly lookEveryMs?: number | undefined },
): Deliverer {
  const { lookEveryMs = LOOK_EVERY_MS } = parameters
  let isWanted = false
  let waking = new AbortController()

  return {
    async run(signal) {
      const running = new Map<string, Promise<void>>()
      while (!signal.aborted) {
        isWanted = false
        await look(parameters, running, signal).catch(() => {})
        if (isWanted) continue
        waking = new AbortController()
        const ended = AbortSignal.any([signal, waking.signal])
        await pause(lookEveryMs, undefined, { signal: ended }).catch(() => {})
      }
      await Promise.all(running.values())
    },
    wake() {
      isWanted = true
      waking.abort()
    },
  }
}
