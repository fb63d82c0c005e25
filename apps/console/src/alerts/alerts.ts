import { randomBytes } from 'node:crypto'
import type { ChainStatus, Follower } from '../open-follower.ts'
import { RefusedError } from '../people/refused-error.ts'
import { createTryLimit } from '../people/try-limit.ts'
import type { AlertKindName } from './alert-kinds.ts'
import { type AlertQueries, type AlertTables, newId, openAlertTables } from './alert-tables.ts'
import { createDeliverer } from './deliver-alerts.ts'
import { evaluateAlerts } from './evaluate-alerts.ts'
import { quietAlert } from './next-alert.ts'
import { isMailAddress, type SendMail } from './send-mail.ts'
import type { WebhookGate } from './webhook-gate.ts'
import { writeEvent } from './write-event.ts'

/** Settings of a rule, which people give. */
export type RuleSettings = {
  readonly kind: AlertKindName
  readonly name: string
  readonly threshold: number
  readonly minutes: number
  readonly isOn: boolean
}

const MAX_RULES = 50
const MAX_RECEIVERS = 10
/** Tests an hour of all rules: each is a message to every receiver. */
const MAX_TESTS = 10
const TESTS_MS = 3_600_000
/** Rules about time change while nothing comes. */
const EVALUATE_EVERY_MS = 10_000

/** Rules, their states and their messages, in the tables of the console. */
export type Alerts = {
  readonly queries: AlertQueries
  /** Looks at every rule, and keeps what becomes of it with its messages. */
  readonly evaluate: () => Promise<void>
  /** The same, if the chain or its state changed, or 10 s after the last look. */
  readonly evaluateIfDue: () => Promise<void>
  /** Delivers messages until the signal. */
  readonly deliver: (signal: AbortSignal) => Promise<void>
  /** @throws {RefusedError} beyond 50 rules */
  readonly addRule: (settings: RuleSettings) => Promise<string>
  /**
   * Changes a rule. The next look judges the state that it has; one that is switched off ends without a message.
   * Resolves with false if it is not there.
   *
   * @throws {RefusedError} for another kind
   */
  readonly changeRule: (id: string, settings: RuleSettings) => Promise<boolean>
  readonly removeRule: (id: string) => Promise<boolean>
  /**
   * Sends each receiver a message that is marked as a test. Resolves with their number, or null without such a rule.
   *
   * @throws {RefusedError} while a test of this rule is under way, and after 10 tests in an hour
   */
  readonly test: (id: string) => Promise<number | null>
  /**
   * Adds the address of a webhook, or of a person by mail. Resolves with the secret that signs webhooks, which nobody
   * can read again; null for mail.
   *
   * @throws {RefusedError}
   */
  readonly addReceiver: (url: string) => Promise<{ readonly id: string; readonly secret: string | null }>
  readonly removeReceiver: (id: string) => Promise<boolean>
}

/** Columns of a rule that has not begun. */
const quiet = {
  ...{ state: quietAlert.state, since_ms: null, height: null, next_hash: null, value: null },
  ...{ unknown_ms: null, busy_until_ms: null, is_changed: false },
}

const tipOf = ({ height, state, reorganisations }: ChainStatus): string =>
  `${height} ${state} ${reorganisations}`

async function assertRoom(queries: AlertQueries, table: 'alert' | 'receiver', limit: number): Promise<void> {
  const rows = await queries.selectFrom(table).select('id').execute()
  if (rows.length >= limit) throw new RefusedError(400, `There are ${limit} already, which is the limit.`)
}

async function assertMayTest(
  queries: AlertQueries,
  alert: string,
  tests: ReturnType<typeof createTryLimit>,
): Promise<void> {
  const waiting = await queries
    .selectFrom('delivery')
    .select('id')
    .where('alert', '=', alert)
    .where('event', '=', 'test')
    .where('settled_ms', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (waiting !== undefined) throw new RefusedError(429, 'A test of this rule is still under way.')
  const waitMs = tests('')
  if (waitMs > 0)
    throw new RefusedError(429, `A console sends ${MAX_TESTS} tests an hour at most.`, {
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    })
}

function refuseMail(address: string, mail: SendMail | undefined): string | null {
  if (!isMailAddress(address)) return 'This is no address of a person.'
  return mail === undefined
    ? 'No mail server is set: start the console with --smtp-file and --mail-from.'
    : null
}

/** Opens the alerts beside an index. */
export async function openAlerts({
  follower,
  gate,
  mail,
  now = Date.now,
  lookEveryMs,
}: {
  readonly follower: Follower
  readonly gate: WebhookGate
  /** @default none: receivers by mail are refused */
  readonly mail?: SendMail | undefined
  /** Unix milliseconds. */
  readonly now?: (() => number) | undefined
  /** Time between two looks for messages that are due. @default 1 s */
  readonly lookEveryMs?: number | undefined
}): Promise<Alerts> {
  const { token, index } = follower
  const queries = await openAlertTables(index, token.id)
  const deliverer = createDeliverer({ queries, gate, mail, now, lookEveryMs })
  const tests = createTryLimit({ tries: MAX_TESTS, windowMs: TESTS_MS, now })
  let [seen, seenAt] = ['', Number.NEGATIVE_INFINITY]
  const remove = async (table: 'alert' | 'receiver', id: string): Promise<boolean> =>
    (await queries.deleteFrom(table).where('id', '=', id).executeTakeFirst()).numDeletedRows > 0n

  async function evaluate(): Promise<void> {
    const tip = tipOf(follower.status())
    const messages = await evaluateAlerts(queries, { follower, nowMs: now() })
    ;[seen, seenAt] = [tip, performance.now()]
    const active = await queries.selectFrom('alert').select('id').where('state', '=', 'active').execute()
    follower.noteAlerts(active.length)
    if (messages > 0) deliverer.wake()
  }

  return {
    queries,
    evaluate,
    async evaluateIfDue() {
      if (tipOf(follower.status()) !== seen || performance.now() - seenAt > EVALUATE_EVERY_MS)
        await evaluate()
    },
    deliver: deliverer.run,
    async addRule(settings) {
      await assertRoom(queries, 'alert', MAX_RULES)
      const { isOn, ...given } = settings
      const row = {
        ...{ ...quiet, ...given, is_on: isOn, id: newId(), token: token.id as string, episode: 0 },
        ...{ known_value: null, known_ms: null },
      }
      await queries.insertInto('alert').values(row).execute()
      return row.id
    },
    async changeRule(id, { kind, name, threshold, minutes, isOn }) {
      const rule = await queries
        .selectFrom('alert')
        .select(['kind', 'threshold'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (rule === undefined) return false
      if (rule.kind !== kind) throw new RefusedError(400, 'The kind of a rule stays; add another rule.')
      await queries
        .updateTable('alert')
        .set({ name, threshold, minutes, is_on: isOn, ...(isOn ? {} : quiet) })
        .set(threshold === rule.threshold ? {} : { is_changed: true })
        .where('id', '=', id)
        .execute()
      return true
    },
    removeRule: (id) => remove('alert', id),
    async test(id) {
      const rule = await queries.selectFrom('alert').selectAll().where('id', '=', id).executeTakeFirst()
      if (rule === undefined) return null
      await assertMayTest(queries, id, tests)
      const nowMs = now()
      const body = writeEvent({
        ...{ event: 'test', rule, token, nowMs, sinceMs: nowMs },
        tip: null,
      })
      const receivers = await queries.selectFrom('receiver').select('id').execute()
      const deliveries: AlertTables['delivery'][] = receivers.map((receiver) => ({
        id: `evt-${randomBytes(16).toString('hex')}`,
        ...{ receiver: receiver.id, alert: id, event: 'test', body, at_ms: nowMs, due_ms: nowMs },
        ...{ attempts: 0, settled_ms: null, outcome: null },
      }))
      if (deliveries.length > 0) await queries.insertInto('delivery').values(deliveries).execute()
      deliverer.wake()
      return deliveries.length
    },
    async addReceiver(url) {
      const address = /^(?:mailto:)?([^/:]+@[^/:]+)$/i.exec(url)?.[1]
      const refusal = address === undefined ? gate.refuse(url) : refuseMail(address, mail)
      if (refusal !== null) throw new RefusedError(400, refusal)
      await assertRoom(queries, 'receiver', MAX_RECEIVERS)
      const secret = address === undefined ? `whsec_${randomBytes(32).toString('base64')}` : null
      const place = address === undefined ? new URL(url).href : `mailto:${address}`
      const added = { id: newId(), secret }
      await queries
        .insertInto('receiver')
        .values({ id: added.id, url: place, secret: secret ?? '' })
        .execute()
      return added
    },
    removeReceiver: (id) => remove('receiver', id),
  }
}
