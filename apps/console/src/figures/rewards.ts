import { DAY, DAYS_SHOWN, daysShown } from './days.ts'
import { ask, column, dateOf, type Figure, type FigureContext, tableOf } from './figure.ts'

export async function rewards(context: FigureContext): Promise<Figure> {
  const kinds = ['mined', 'miner_half', 'agent_half', 'owner_part'] as const
  const rows = await ask(
    context,
    `select ${dateOf('days.day')} as day,
      ${kinds.map((kind) => `coalesce(d.${kind}, 0)::text as ${kind}`).join(', ')}
    from ${DAYS_SHOWN} left join token_day d on d.token = $1 and d.day = days.day order by days.day`,
    daysShown(context),
  )
  const columns = [
    DAY,
    column('mined', 'Mining', 'amount'),
    column('miner_half', 'Half of miners', 'amount'),
    column('agent_half', 'Half of agents', 'amount'),
    column('owner_part', 'Part of the owner', 'amount'),
  ]
  return {
    ...tableOf(columns, rows),
    chart: { kind: 'lines', keys: kinds },
  }
}
