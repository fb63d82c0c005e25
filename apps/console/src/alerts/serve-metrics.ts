import { metricsText } from '@hailstone/mining-node/health'
import type { FastifyInstance } from 'fastify'
import { tipAge } from '../figures/tip-age.ts'
import type { Follower } from '../open-follower.ts'
import type { Alerts } from './alerts.ts'

type Metric = Parameters<typeof metricsText>[0][number]

/** Serves `/metrics`, to programs of this machine and to whoever has a session or a token: the index and the state of each rule. Labels are ids and kinds alone, which nobody can choose. */
export function serveMetrics(
  server: FastifyInstance,
  {
    alerts,
    follower,
    now,
  }: { readonly alerts: Alerts; readonly follower: Follower; readonly now: () => number },
): void {
  server.get('/metrics', { config: { role: 'viewer', isOpenHere: true } }, async (_, reply) => {
    const { queries } = alerts
    const rules = await queries.selectFrom('alert').selectAll().orderBy('id').execute()
    const waiting = await queries
      .selectFrom('delivery')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .where('settled_ms', 'is', null)
      .executeTakeFirstOrThrow()
    const tip = await follower.index.queries
      .selectFrom('block')
      .select(['height', 'hash', 'time'])
      .orderBy('height', 'desc')
      .limit(1)
      .executeTakeFirst()
    const { state, alertsFailure } = follower.status()
    const labelsOf = ({ id, kind }: (typeof rules)[number]) => ({ alert: id, kind })
    const on = rules.filter((rule) => rule.is_on)
    const gauge = (name: string, help: string, samples: Metric['samples']): Metric => ({
      name,
      type: 'gauge',
      help,
      samples,
    })
    const text = metricsText([
      gauge('hailstone_console_following', '1 while the index follows the chain.', [
        { value: state === 'following' ? 1 : 0 },
      ]),
      gauge('hailstone_console_alerts_judged', '1 while the rules of alerts are judged.', [
        { value: alertsFailure === null ? 1 : 0 },
      ]),
      gauge(
        'hailstone_console_height',
        'Newest macroblock of the tables.',
        tip === undefined ? [] : [{ value: tip.height }],
      ),
      gauge(
        'hailstone_console_age_seconds',
        'Age of the newest macroblock of the tables.',
        tip === undefined
          ? []
          : [{ value: tipAge(follower.index, { hash: tip.hash, time: Number(tip.time) }, { nowMs: now() }) }],
      ),
      gauge(
        'hailstone_console_alert_active',
        '1 while an alert has started and not ended.',
        on.map((rule) => ({ labels: labelsOf(rule), value: rule.state === 'active' ? 1 : 0 })),
      ),
      gauge(
        'hailstone_console_alert_value',
        'Newest value of an alert, in its unit.',
        on.flatMap((rule) => (rule.value === null ? [] : [{ labels: labelsOf(rule), value: rule.value }])),
      ),
      gauge('hailstone_console_messages_waiting', 'Webhooks of alerts that wait.', [
        { value: Number(waiting.count) },
      ]),
    ])
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(text)
  })
}
