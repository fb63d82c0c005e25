import type { FigureContext } from '../figures/figure.ts'
import { readSnapshot } from '../figures/read-snapshot.ts'
import type { Follower } from '../open-follower.ts'
import { alertKinds } from './alert-kinds.ts'
import type { AlertQueries, AlertTables } from './alert-tables.ts'
import { type AlertState, nextAlert } from './next-alert.ts'
import { deliveryId, writeEvent } from './write-event.ts'

type Rule = AlertTables['alert']

type Look = {
  readonly value: number | null
  /** True if the macroblock that the alert began with is gone. */
  readonly isUndone: boolean
}

async function look(context: FigureContext, rule: Rule, follower: Follower): Promise<Look> {
  const value = await alertKinds[rule.kind].measure(context, follower.status())
  if (rule.height === null) return { value, isUndone: false }
  const block = await context.queries
    .selectFrom('block')
    .select('next_hash')
    .where('height', '=', rule.height)
    .executeTakeFirst()
  return { value, isUndone: block?.next_hash !== rule.next_hash }
}

/**
 * Looks at every rule that is on, and keeps what becomes of it together with the messages about it: a process that is killed
 * afterwards has decided and finds the messages, one that is killed before has not. Resolves with the number of messages.
 */
export async function evaluateAlerts(
  queries: AlertQueries,
  { follower, nowMs }: { readonly follower: Follower; readonly nowMs: number },
): Promise<number> {
  const { token } = follower
  const rules = await queries.selectFrom('alert').selectAll().where('is_on', '=', true).execute()
  const isFull = await isBusy(queries, nowMs)
  const { data: looks, tip } = await readSnapshot({ follower, nowMs }, async (context) => {
    const found = new Map<string, Look>()
    for (const rule of rules) found.set(rule.id, await look(context, rule, follower))
    return found
  })
  let messages = 0
  for (const { id } of rules) {
    const seen = looks.get(id)
    if (seen === undefined) continue
    messages += await queries.transaction().execute(async (transaction) => {
      // The row as it is now: somebody may have changed the rule since, or switched it off.
      const rule = await transaction
        .selectFrom('alert')
        .selectAll()
        .where('id', '=', id)
        .where('is_on', '=', true)
        .forUpdate()
        .executeTakeFirst()
      if (rule === undefined) return 0
      const { value, isUndone } = seen
      const before = {
        ...{ state: rule.state, height: rule.height, nextHash: rule.next_hash, episode: rule.episode },
        ...{ sinceMs: rule.since_ms, busyUntilMs: rule.busy_until_ms },
      }
      const next = nextAlert(before, {
        ...{ isBad: isBad(rule, value), isClear: rule.is_changed || isClear(rule, value) },
        ...{ minutes: rule.minutes, nowMs, tip, isUndone },
      })
      const isLate = next.event === 'started' && isFull
      const { after, event } = isLate ? { after: waiting(before, nowMs), event: null } : next
      const unknown_ms = value === null ? (rule.unknown_ms ?? nowMs) : null
      const isNoted = value === null || Math.abs(nowMs - (rule.known_ms ?? 0)) < NOTE_EVERY_MS
      if (after === before && value === rule.value && unknown_ms === rule.unknown_ms && isNoted) return 0
      const { sinceMs, nextHash, busyUntilMs = null, ...kept } = after
      await transaction
        .updateTable('alert')
        .set({ ...kept, next_hash: nextHash, since_ms: sinceMs, busy_until_ms: busyUntilMs })
        .set({ value, unknown_ms, is_changed: false })
        .set(value === null ? {} : { known_value: value, known_ms: nowMs })
        .where('id', '=', id)
        .execute()
      if (event === null) return 0
      const body = writeEvent({
        ...{ event, token, tip, nowMs, sinceMs: sinceMs ?? before.sinceMs },
        rule: { ...rule, value, episode: after.episode },
      })
      const receivers = await transaction.selectFrom('receiver').select('id').execute()
      const deliveries = receivers.map((receiver) => ({
        ...{ id: deliveryId(id, after.episode, event, receiver.id), receiver: receiver.id, alert: id },
        ...{ event, body, at_ms: nowMs, attempts: 0, due_ms: nowMs, settled_ms: null, outcome: null },
      }))
      if (deliveries.length > 0) await transaction.insertInto('delivery').values(deliveries).execute()
      return deliveries.length
    })
  }
  return messages
}

/** Time, in ms, after which the look is noted again that found a value which stays the same. */
const NOTE_EVERY_MS = 60_000

/** Messages an hour of all rules to one receiver from which on no alert starts; those that did still end. */
const MAX_OF_RECEIVER = 24
const HOUR_MS = 3_600_000

async function isBusy(queries: AlertQueries, nowMs: number): Promise<boolean> {
  const row = await queries
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('at_ms', '>', nowMs - HOUR_MS)
    .where('event', '<>', 'test')
    .groupBy('receiver')
    .orderBy('count', 'desc')
    .limit(1)
    .executeTakeFirst()
  return Number(row?.count ?? 0) >= MAX_OF_RECEIVER
}

/** Returns the state of an alert whose start waits. */
const waiting = (before: AlertState, nowMs: number): AlertState => ({
  ...{ ...before, state: 'pending', sinceMs: before.sinceMs ?? nowMs },
})

/** Part of a threshold that a value has to be away from it before an alert ends. */
const MARGIN = 0.1

function isClear({ kind, threshold }: Rule, value: number | null): boolean {
  const margin = Math.abs(threshold) * MARGIN
  if (value === null) return true
  return alertKinds[kind].isUpper ? value <= threshold - margin : value >= threshold + margin
}

function isBad({ kind, threshold }: Rule, value: number | null): boolean | null {
  if (value === null) return null
  return alertKinds[kind].isUpper ? value >= threshold : value <= threshold
}
