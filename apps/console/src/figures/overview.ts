import { DAY, DAYS_SHOWN, daysShown, JOIN_DAY } from './days.ts'
import { ask, column, dateOf, type Figure, type FigureContext, tableOf } from './figure.ts'

/**
 * SQL of the running sums before the days that are shown. Who counts from a day on stops counting at most 30 days later, and
 * both steps are written at once: all steps together are zero, so that those from here on tell the sum of those before.
 */
const STEPS_BEFORE = `(select -coalesce(sum(week_step), 0) as week, -coalesce(sum(month_step), 0) as month from token_day
    where token = $1 and day >= greatest($2::int, (select min(day) from block))) as before`

export async function overview(context: FigureContext): Promise<Figure> {
  const rows = await ask(
    context,
    `select ${dateOf('days.day')} as day, coalesce(d.active, 0) as active,
      (before.week + sum(coalesce(d.week_step, 0)) over (order by days.day))::int as week,
      (before.month + sum(coalesce(d.month_step, 0)) over (order by days.day))::int as month,
      coalesce(d.new, 0) as fresh, coalesce(d.returned, 0) as returned,
      coalesce(d.new + d.returned - d.month_step, 0) as churned, coalesce(d.microblocks, 0) as microblocks,
      coalesce(d.mined + d.miner_half + d.agent_half + d.owner_part, 0)::text as paid,
      coalesce(d.transfers, 0) as transfers, coalesce(d.rejected, 0) as rejected
    from ${DAYS_SHOWN} cross join ${STEPS_BEFORE} ${JOIN_DAY} order by days.day`,
    daysShown(context),
  )
  const columns = [
    DAY,
    column('active', 'Miners of the day'),
    column('week', 'Miners of 7 days'),
    column('month', 'Miners of 30 days'),
    column('fresh', 'New'),
    column('returned', 'Returned'),
    column('churned', 'Left'),
    column('microblocks', 'Microblocks'),
    column('paid', 'Rewards', 'amount'),
    column('transfers', 'Transfers'),
    column('rejected', 'Rejected'),
  ]
  return {
    ...tableOf(columns, rows),
    chart: { kind: 'lines', keys: ['active', 'week', 'month', 'fresh'] },
    notes: [
      'A miner counts on the days on which a microblock of it is on the chain; one that is connected and not drawn does not.',
      'Somebody left who has not mined for 30 days, and returned who mines after more than 30.',
    ],
  }
}
