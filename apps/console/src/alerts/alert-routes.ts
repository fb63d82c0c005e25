import { z } from 'zod'
import type { ChangeRoute } from '../change-route.ts'
import type { FigureContext } from '../figures/figure.ts'
import { plainLine } from '../plain-line.ts'
import { alertKindNames, alertKinds } from './alert-kinds.ts'
import type { AlertQueries, AlertTables } from './alert-tables.ts'
import type { Alerts, RuleSettings } from './alerts.ts'
import { hostOf } from './webhook-gate.ts'

/** Messages that the page lists. */
const NEWEST_MESSAGES = 20

const kindSchema = z.enum(alertKindNames as [string, ...string[]])
/** Form of the ids of rules and receivers. */
export const alertId = /^[0-9a-f]{12}$/
const id = z.string().regex(alertId)

const ruleFields = {
  kind: kindSchema,
  name: plainLine(100),
  threshold: z.number().min(0).max(1_000_000),
  minutes: z.number().int().min(0).max(10_080).describe('Minutes for which a value has to be bad.'),
  isOn: z.boolean(),
}

export const alertsSchema = z.object({
  rules: z.array(
    z.object({
      id,
      ...ruleFields,
      state: z.enum(['quiet', 'pending', 'active']),
      since: z.string().nullable().describe('Time at which the state began; null while it is quiet.'),
      height: z.number().nullable().describe('Macroblock that an active alert began with.'),
      value: z.number().nullable().describe('Newest value; null if it is not known or has no end.'),
      isEndless: z.boolean().describe('True if the newest value is days without an end.'),
      unknownSince: z.string().nullable().describe('Time since which the value is not known; null if it is.'),
      lastKnown: z
        .object({
          value: z.number().nullable().describe('Null if it had no end.'),
          at: z.string().describe('Time of a look that found it, to the minute.'),
        })
        .nullable()
        .describe('Last value that was known; null before the first.'),
    }),
  ),
  kinds: z.array(
    z.object({
      kind: kindSchema,
      title: z.string(),
      summary: z.string(),
      unit: z.enum(['percent', 'minutes', 'days', 'count']),
      isUpper: z.boolean().describe('True if values from the threshold on are bad.'),
      threshold: z.number(),
      minutes: z.number(),
    }),
  ),
  receivers: z.array(z.object({ id, host: z.string() })),
  messages: z.array(
    z.object({
      alert: z.string(),
      event: z.enum(['started', 'ended', 'withdrawn', 'test']),
      host: z.string(),
      at: z.string(),
      attempts: z.number(),
      outcome: z.string().nullable().describe('`delivered`, or why the newest attempt failed.'),
      isOver: z.boolean().describe('True once it was taken or given up.'),
    }),
  ),
})

export type AlertsData = z.infer<typeof alertsSchema>

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

const finite = (value: number | null): number | null => (Number.isFinite(value) ? value : null)

const lastKnownOf = ({ known_value, known_ms }: AlertTables['alert']) =>
  known_value === null || known_ms === null
    ? null
    : { value: finite(known_value), at: new Date(known_ms).toISOString() }

/** Active alerts come first, and those that are off last. */
const urgencyOf = ({ is_on, state }: Pick<AlertTables['alert'], 'is_on' | 'state'>): number =>
  is_on ? 1 + ['quiet', 'pending', 'active'].indexOf(state) : 0

/** Answers `/v1/alerts`. */
export async function listAlerts({ queries }: FigureContext): Promise<AlertsData> {
  const own = queries.withSchema('hailstone_console') as unknown as AlertQueries
  const found = await own.selectFrom('alert').selectAll().orderBy('name').orderBy('id').execute()
  const rules = [...found].sort((one, other) => urgencyOf(other) - urgencyOf(one))
  const receivers = await own.selectFrom('receiver').select(['id', 'url']).orderBy('id').execute()
  const messages = await own
    .selectFrom('delivery')
    .innerJoin('alert', 'alert.id', 'delivery.alert')
    .innerJoin('receiver', 'receiver.id', 'delivery.receiver')
    .select(['alert.name', 'event', 'url', 'at_ms', 'attempts', 'outcome', 'settled_ms'])
    .orderBy('at_ms', 'desc')
    .limit(NEWEST_MESSAGES)
    .execute()
  return {
    rules: rules.map((rule) => ({
      ...{ id: rule.id, kind: rule.kind, name: rule.name, threshold: rule.threshold },
      ...{ minutes: rule.minutes, isOn: rule.is_on, state: rule.state, since: timeOf(rule.since_ms) },
      ...{ height: rule.height, value: finite(rule.value) },
      ...{ isEndless: rule.value === Number.POSITIVE_INFINITY, unknownSince: timeOf(rule.unknown_ms) },
      lastKnown: lastKnownOf(rule),
    })),
    kinds: alertKindNames.map((kind) => {
      const { title, summary, unit, isUpper, threshold, minutes } = alertKinds[kind]
      return { kind, title, summary, unit, isUpper, threshold, minutes }
    }),
    receivers: receivers.map((receiver) => ({ id: receiver.id, host: hostOf(receiver.url) })),
    messages: messages.map(({ name, event, url, at_ms, attempts, outcome, settled_ms }) => ({
      ...{ alert: name, event: event as 'started', host: hostOf(url), at: timeOf(at_ms) ?? '' },
      ...{ attempts, outcome, isOver: settled_ms !== null },
    })),
  }
}

const doneOrNull = (isDone: boolean): object | null => (isDone ? {} : null)

/** Every change of the alerts; server and description are made of these. */
export const alertRoutes: readonly ChangeRoute<Alerts>[] = [
  {
    ...{ name: 'addAlert', role: 'admin', action: 'alert added' },
    ...{ method: 'POST', path: '/v1/alerts', summary: 'Adds a rule.' },
    body: z.strictObject(ruleFields),
    answer: z.object({ id }),
    run: async (alerts, { body }: { readonly body: RuleSettings }) => ({ id: await alerts.addRule(body) }),
  },
  {
    ...{ name: 'changeAlert', role: 'admin', action: 'alert changed' },
    ...{ method: 'PUT', path: '/v1/alerts/{id}', summary: 'Changes a rule, except for its kind.' },
    body: z.strictObject(ruleFields),
    answer: null,
    run: async (alerts, request: { readonly id: string; readonly body: RuleSettings }) =>
      doneOrNull(await alerts.changeRule(request.id, request.body)),
  },
  {
    ...{ name: 'removeAlert', role: 'admin', action: 'alert removed' },
    ...{ method: 'DELETE', path: '/v1/alerts/{id}', summary: 'Removes a rule with its messages.' },
    ...{ body: null, answer: null },
    run: async (alerts, request) => doneOrNull(await alerts.removeRule(request.id)),
  },
  {
    ...{ name: 'testAlert', role: 'admin', action: 'alert tested' },
    ...{ method: 'POST', path: '/v1/alerts/{id}/test', body: null },
    summary: 'Sends each receiver a message of this rule that is marked as a test.',
    answer: z.object({ receivers: z.number() }),
    async run(alerts, request) {
      const receivers = await alerts.test(request.id)
      return receivers === null ? null : { receivers }
    },
  },
  {
    ...{ name: 'addReceiver', role: 'admin', action: 'receiver of alerts added' },
    ...{ method: 'POST', path: '/v1/receivers' },
    summary:
      'Adds a receiver: a webhook, or a person by mail. The answer has the secret that signs webhooks, once.',
    body: z.strictObject({ url: z.string().max(500).describe('https://…, or a mail address.') }),
    answer: z.object({ id, secret: z.string().nullable() }),
    run: (alerts, { body }: { readonly body: { readonly url: string } }) => alerts.addReceiver(body.url),
  },
  {
    ...{ name: 'removeReceiver', role: 'admin', action: 'receiver of alerts removed' },
    ...{ method: 'DELETE', path: '/v1/receivers/{id}' },
    summary: 'Removes a receiver with its messages.',
    ...{ body: null, answer: null },
    run: async (alerts, request) => doneOrNull(await alerts.removeReceiver(request.id)),
  },
]
